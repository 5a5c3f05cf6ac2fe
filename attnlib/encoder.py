"""The encoder: attention and a feed-forward network, each added and normalized."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import cast
from attnlib._checks import require
from attnlib._layers import describe, prepare, store_arrays
from attnlib._options import Options
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Mask
from attnlib.mlp import check_network, random_network, relu, transform
from attnlib.multi_head import MultiHeadAttention, attend_heads, check_heads
from attnlib.norms import center_and_scale


@dataclass(frozen=True, eq=False)
class EncoderLayer:
    """Attend, then transform every row; each step is added to its input and normalized.

    The paper normalizes after adding (post-norm): norm(x + step(x)). With `norm_first`
    the step gets normalized rows (pre-norm): x + step(norm(x)).

    Parameters
    ----------
    attention : MultiHeadAttention
    w_1, b_1, w_2, b_2 : array, (d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)
        The feed-forward network; the biases may be None.
    gain_1, bias_1, gain_2, bias_2 : array, (d_model,)
        The two layer norms; the biases may be None.
    activation : callable
    norm_first : bool
    eps : float

    Examples
    --------
    >>> import numpy as np
    >>> layer = EncoderLayer.random(12, 3, 48, rng=np.random.default_rng(0))
    >>> layer
    EncoderLayer(d_model=12, n_heads=3, d_ff=48, float64)
    >>> layer(np.ones((2, 5, 12))).shape
    (2, 5, 12)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.1. Xiong et al. (2020),
    On Layer Normalization in the Transformer Architecture, for pre-norm.
    """

    attention: MultiHeadAttention
    w_1: Float[Array, "d_model d_ff"]
    b_1: Float[Array, " d_ff"] | None
    w_2: Float[Array, "d_ff d_model"]
    b_2: Float[Array, " d_model"] | None
    gain_1: Float[Array, " d_model"]
    bias_1: Float[Array, " d_model"] | None
    gain_2: Float[Array, " d_model"]
    bias_2: Float[Array, " d_model"] | None
    _: KW_ONLY
    activation: Callable[[Array], Array] = relu
    norm_first: bool = False
    eps: float = 1e-5

    def __post_init__(self) -> None:
        operation = "EncoderLayer"
        check.kind(operation, "attention", MultiHeadAttention, self.attention)
        store_arrays(self)
        check_network(operation, self)
        shape = (self.d_model,)
        check.shape(operation, shape, gain_1=self.gain_1, bias_1=self.bias_1)
        check.shape(operation, shape, gain_2=self.gain_2, bias_2=self.bias_2)
        check.eps(operation, self.eps)

    @classmethod
    def random(
        cls, d_model: int, n_heads: int, d_ff: int, *, rng: np.random.Generator
    ) -> EncoderLayer:
        """Draw weights with variance 1/(number of rows); gains are 1 and biases 0."""
        check.layer_sizes("EncoderLayer.random", d_model, n_heads, d_ff, rng)
        attention = MultiHeadAttention.random(d_model, n_heads, rng=rng)
        norms = [make(d_model) for make in (np.ones, np.zeros, np.ones, np.zeros)]
        return cls(attention, *random_network(rng, d_model, d_ff), *norms)

    @property
    def d_model(self) -> int:
        """The length of the rows that come in and go out."""
        return self.attention.d_model

    def __call__(
        self,
        x: Float[ArrayLike[A], "... n_tokens d_model"],
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> Float[A, "... n_tokens d_model"]:
        """Encode the rows of x, (..., n_tokens, d_model), into rows of the same shape.

        `mask` and `is_causal` are as in `MultiHeadAttention`.
        """
        operation = "EncoderLayer"
        layer, dtype, (x,) = prepare(self, operation, x=x)
        options = _check(operation, [layer], x, mask, is_causal)
        return cast(encode(layer, x, options), dtype)

    def __repr__(self) -> str:
        n_heads, d_ff = self.attention.n_heads, self.w_1.shape[1]
        return describe(self, d_model=self.d_model, n_heads=n_heads, d_ff=d_ff)


@dataclass(frozen=True, eq=False)
class Encoder:
    """Stack encoder layers: each encodes the output of the one before.

    Parameters
    ----------
    layers : list of EncoderLayer
        At least one, all with the same d_model; 6 in the paper. A pre-norm stack is
        usually followed by one more `layer_norm`, which is left to the caller.

    Examples
    --------
    >>> import numpy as np
    >>> encoder = Encoder.random(6, 12, 3, 48, rng=np.random.default_rng(0))
    >>> encoder
    Encoder(n_layers=6, d_model=12, float64)
    >>> encoder(np.ones((2, 5, 12))).shape
    (2, 5, 12)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.1.
    """

    layers: Sequence[EncoderLayer]

    def __post_init__(self) -> None:
        layers = check.layers("Encoder", EncoderLayer, self.layers)
        sizes = {layer.d_model for layer in layers}
        rule = "all layers must have the same d_model"
        require(len(sizes) == 1, "Encoder", rule, d_model=sorted(sizes))
        object.__setattr__(self, "layers", layers)

    @classmethod
    def random(
        cls,
        n_layers: int,
        d_model: int,
        n_heads: int,
        d_ff: int,
        *,
        rng: np.random.Generator,
    ) -> Encoder:
        """Draw the weights of every layer, as `EncoderLayer.random` does."""
        operation, sizes = "Encoder.random", (d_model, n_heads, d_ff)
        n_layers = check.count(operation, "n_layers", n_layers)
        check.layer_sizes(operation, *sizes, rng)
        return cls([EncoderLayer.random(*sizes, rng=rng) for _ in range(n_layers)])

    def __call__(
        self,
        x: Float[ArrayLike[A], "... n_tokens d_model"],
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> Float[A, "... n_tokens d_model"]:
        """Encode the rows of x, (..., n_tokens, d_model); every layer gets the mask."""
        stack, dtype, (x,) = prepare(self, "Encoder", x=x)
        options = _check("Encoder", stack.layers, x, mask, is_causal)
        rows: Array = x
        for layer in stack.layers:
            rows = encode(layer, rows, options)
        return cast(rows, dtype)

    def __repr__(self) -> str:
        d_model = self.layers[0].d_model
        return describe(self, n_layers=len(self.layers), d_model=d_model)


def encode(layer: EncoderLayer, x: Array, options: Options) -> Any:
    """Do what calling an `EncoderLayer` does, without checks."""
    norm_1 = layer.gain_1, layer.bias_1, layer.eps
    norm_2 = layer.gain_2, layer.bias_2, layer.eps
    if layer.norm_first:
        normal = center_and_scale(x, *norm_1)
        x = x + attend_heads(layer.attention, normal, normal, options)
        return x + transform(layer, center_and_scale(x, *norm_2))
    attended = attend_heads(layer.attention, x, x, options)
    x = center_and_scale(x + attended, *norm_1)
    return center_and_scale(x + transform(layer, x), *norm_2)


def _check(
    operation: str,
    layers: Sequence[EncoderLayer],
    x: Array,
    mask: AnyLike | None,
    is_causal: bool,
) -> Options:
    """Validate rows and mask for every layer; return the options that all share."""
    check.row_length(operation, layers[0].d_model, x=x)
    numbers = {layer.attention.n_heads for layer in layers}
    checked = [check_heads(operation, n, x, x, mask, is_causal) for n in numbers]
    return checked[0]
