"""The encoder: attention and a feed-forward network, each added and normalised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import (
    check_count,
    check_divides,
    check_number,
    check_rng,
    check_vectors,
    require,
)
from attnlib._layers import arrays_of, describe, store_arrays
from attnlib.feed_forward import check_feed_forward, feed_forward, relu
from attnlib.layer_norm import layer_norm
from attnlib.multi_head import MultiHeadAttention
from attnlib.projections import random_weight


@dataclass(frozen=True, eq=False, repr=False)
class EncoderLayer:
    """Attend, then transform every row; each step is added to its input and normalised.

    The paper normalises after adding (post-norm): norm(x + step(x)). With `norm_first`
    the step gets normalised rows (pre-norm): x + step(norm(x)).

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
    w_1: Array
    b_1: Array | None
    w_2: Array
    b_2: Array | None
    gain_1: Array
    bias_1: Array | None
    gain_2: Array
    bias_2: Array | None
    _: KW_ONLY
    activation: Callable[[Array], Array] = relu
    norm_first: bool = False
    eps: float = 1e-5

    def __post_init__(self) -> None:
        operation = "EncoderLayer"
        rule = "attention must be a MultiHeadAttention"
        known = isinstance(self.attention, MultiHeadAttention)
        require(known, operation, rule, attention=self.attention)
        store_arrays(self)
        network = (self.w_1, self.b_1, self.w_2, self.b_2)
        check_feed_forward(operation, *network, self.activation)
        d_model = self.d_model
        rule = f"w_1 must map from, and w_2 back to, rows of d_model = {d_model}"
        fits = self.w_1.shape[0] == self.w_2.shape[1] == d_model
        require(fits, operation, rule, w_1=self.w_1, w_2=self.w_2)
        check_vectors(operation, d_model, gain_1=self.gain_1, bias_1=self.bias_1)
        check_vectors(operation, d_model, gain_2=self.gain_2, bias_2=self.bias_2)
        eps = check_number(operation, "eps", self.eps, positive=False)
        require(eps >= 0, operation, "eps must not be negative", eps=eps)

    @classmethod
    def random(
        cls, d_model: int, n_heads: int, d_ff: int, *, rng: np.random.Generator
    ) -> EncoderLayer:
        """Draw weights with variance 1/(their rows); gains are 1 and biases 0."""
        _check_sizes("EncoderLayer.random", d_model, n_heads, d_ff, rng)
        attention = MultiHeadAttention.random(d_model, n_heads, rng=rng)
        w_1, w_2 = random_weight(rng, d_model, d_ff), random_weight(rng, d_ff, d_model)
        b_1, b_2 = np.zeros(d_ff), np.zeros(d_model)
        norms = [make(d_model) for make in (np.ones, np.zeros, np.ones, np.zeros)]
        return cls(attention, w_1, b_1, w_2, b_2, *norms)

    @property
    def d_model(self) -> int:
        """The length of the rows that come in and go out."""
        return self.attention.d_model

    def __call__(
        self, x: ArrayLike, *, mask: ArrayLike | None = None, is_causal: bool = False
    ) -> Array:
        """Encode the rows of x, (..., n_tokens, d_model), into rows of the same shape.

        `mask` and `is_causal` are as in `MultiHeadAttention`.
        """
        operation = "EncoderLayer"
        _, dtype, (x, *_) = as_floats(operation, x=x, **arrays_of(self))
        self.attention._check(operation, x, mask=mask)

        def attend(x: Array) -> Array:
            return self.attention(x, mask=mask, is_causal=is_causal)

        def transform(x: Array) -> Array:
            network = (self.w_1, self.b_1, self.w_2, self.b_2)
            return feed_forward(x, *network, activation=self.activation)

        x = self._add_and_norm(x, attend, self.gain_1, self.bias_1)
        return cast(self._add_and_norm(x, transform, self.gain_2, self.bias_2), dtype)

    def _add_and_norm(
        self, x: Array, step: Callable[[Array], Array], gain: Array, bias: Array | None
    ) -> Array:
        if self.norm_first:
            return x + step(layer_norm(x, gain, bias, eps=self.eps))
        return layer_norm(x + step(x), gain, bias, eps=self.eps)

    def __repr__(self) -> str:
        n_heads, d_ff = self.attention.n_heads, self.w_1.shape[1]
        return describe(self, d_model=self.d_model, n_heads=n_heads, d_ff=d_ff)


@dataclass(frozen=True, eq=False, repr=False)
class Encoder:
    """Stack encoder layers: each encodes what the one before it gave.

    Parameters
    ----------
    layers : list of EncoderLayer
        At least one, all with the same d_model. 6 in the paper. Pre-norm stacks are
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
        rule = "layers must be a list of at least one EncoderLayer"
        listed = isinstance(self.layers, Iterable)
        require(listed, "Encoder", rule, layers=self.layers)
        layers = tuple(self.layers)
        known = layers and all(isinstance(layer, EncoderLayer) for layer in layers)
        require(bool(known), "Encoder", rule, layers=layers)
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
        n_layers = check_count(operation, "n_layers", n_layers)
        _check_sizes(operation, *sizes, rng)
        return cls([EncoderLayer.random(*sizes, rng=rng) for _ in range(n_layers)])

    def __call__(
        self, x: ArrayLike, *, mask: ArrayLike | None = None, is_causal: bool = False
    ) -> Array:
        """Encode the rows of x, (..., n_tokens, d_model); every layer gets the mask."""
        _, dtype, (x, *_) = as_floats("Encoder", x=x, **arrays_of(self))
        for layer in self.layers:
            layer.attention._check("Encoder", x, mask=mask)
        for layer in self.layers:
            x = layer(x, mask=mask, is_causal=is_causal)
        return cast(x, dtype)

    def __repr__(self) -> str:
        d_model = self.layers[0].d_model
        return describe(self, n_layers=len(self.layers), d_model=d_model)


def _check_sizes(
    operation: str, d_model: Any, n_heads: Any, d_ff: Any, rng: Any
) -> None:
    check_count(operation, "d_model", d_model)
    check_divides(operation, n_heads, d_model)
    check_count(operation, "d_ff", d_ff)
    check_rng(operation, rng)
