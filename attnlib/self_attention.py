"""Self-attention: queries, keys and values all come from one input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import DType, cast
from attnlib._checks import require
from attnlib._layers import arrays_of, describe, prepare, store_arrays
from attnlib._options import Options, check_options
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Mask
from attnlib.attention import attend
from attnlib.masks import apply_masks
from attnlib.probabilities import stable_softmax
from attnlib.projections import random_weight
from attnlib.scores import dot_products
from attnlib.trace import AttentionTrace


@dataclass(frozen=True, eq=False)
class SelfAttention:
    r"""Let the rows of x attend to each other: Attention(xW_Q, xW_K, xW_V).

    Parameters
    ----------
    w_query, w_key : array, (d_model, d_k)
        :math:`W^Q` and :math:`W^K` in the paper, used as x @ w.
    w_value : array, (d_model, d_v)
        :math:`W^V` in the paper.

    Examples
    --------
    >>> import numpy as np
    >>> layer = SelfAttention.random(4, 3, rng=np.random.default_rng(0))
    >>> layer
    SelfAttention(d_model=4, d_k=3, d_v=3, float64)
    >>> layer(np.ones((2, 5, 4))).shape
    (2, 5, 3)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, sections 3.2.1 and 3.2.3.
    """

    w_query: Float[Array, "d_model d_k"]
    w_key: Float[Array, "d_model d_k"]
    w_value: Float[Array, "d_model d_v"]

    if TYPE_CHECKING:  # lists work too, which a field alone cannot express

        def __init__(
            self, w_query: AnyLike, w_key: AnyLike, w_value: AnyLike
        ) -> None: ...

    def __post_init__(self) -> None:
        operation = "SelfAttention"
        store_arrays(self)
        weights = arrays_of(self)
        check.weight(operation, **weights)
        rule = "w_query and w_key must have the same shape (d_model, d_k)"
        query_key = {"w_query": self.w_query, "w_key": self.w_key}
        require(self.w_query.shape == self.w_key.shape, operation, rule, **query_key)
        rule = "all weights must have the same number of rows, d_model"
        same = self.w_value.shape[0] == self.d_model
        require(same, operation, rule, **weights)

    @classmethod
    def random(
        cls, d_model: int, d_k: int, d_v: int | None = None, *, rng: np.random.Generator
    ) -> SelfAttention:
        """Draw weights with variance 1/d_model; d_v is d_k by default."""
        operation = "SelfAttention.random"
        d_model = check.count(operation, "d_model", d_model)
        d_k = check.count(operation, "d_k", d_k)
        d_v = check.count(operation, "d_v", d_k if d_v is None else d_v)
        check.generator(operation, rng)
        return cls(*(random_weight(rng, d_model, d) for d in (d_k, d_k, d_v)))

    @property
    def d_model(self) -> int:
        """The length of the rows that come in."""
        return self.w_query.shape[0]

    def project(
        self, x: Float[ArrayLike[A], "... n_tokens d_model"]
    ) -> tuple[
        Float[A, "... n_tokens d_k"],
        Float[A, "... n_tokens d_k"],
        Float[A, "... n_tokens d_v"],
    ]:
        """Make query, key and value from the rows of x, (..., n_tokens, d_model)."""
        layer, dtype, x, _ = _check(self, "SelfAttention.project", x, None, False)
        query, key, value = _project(layer, x)
        return cast(query, dtype), cast(key, dtype), cast(value, dtype)

    def __call__(
        self,
        x: Float[ArrayLike[A], "... n_tokens d_model"],
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> Float[A, "... n_tokens d_v"]:
        """Attend: the rows of x, (..., n_tokens, d_model), become (..., n_tokens, d_v).

        `mask` and `is_causal` are as in `scaled_dot_product_attention`.
        """
        layer, dtype, x, options = _check(self, "SelfAttention", x, mask, is_causal)
        query, key, value = _project(layer, x)
        return cast(attend(query, key, value, options), dtype)

    def trace(
        self,
        x: Float[ArrayLike[A], "... n_tokens d_model"],
        tokens: Iterable[str] | None = None,
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> AttentionTrace:
        """Attend as a call does, and keep every step; `tokens` name the rows of x."""
        layer, dtype, x, options = _check(
            self, "SelfAttention.trace", x, mask, is_causal
        )
        names = _check_tokens(tokens, x)
        query, key, value = _project(layer, x)
        scores = dot_products(query, key)
        scaled = apply_masks(options.scale * scores, options.mask, options.window, 0)
        weights = stable_softmax(scaled)
        made, last = (x, query, key, value), (weights, weights @ value)
        steps: list[Any] = [cast(step, dtype) for step in made]
        steps += [scores, scaled, *(cast(step, dtype) for step in last)]
        return AttentionTrace(names, *steps)

    def __repr__(self) -> str:
        d_k, d_v = self.w_key.shape[1], self.w_value.shape[1]
        return describe(self, d_model=self.d_model, d_k=d_k, d_v=d_v)


def _project(layer: SelfAttention, x: Array) -> tuple[Any, Any, Any]:
    return x @ layer.w_query, x @ layer.w_key, x @ layer.w_value


def _check(
    layer: SelfAttention, operation: str, x: ArrayLike[A], mask: Mask, is_causal: bool
) -> tuple[SelfAttention, DType[A], A, Options]:
    """Validate a call; return layer, dtype, x and options, ready to compute with."""
    layer, dtype, (x,) = prepare(layer, operation, x=x)
    check.row_length(operation, layer.d_model, x=x)
    n_tokens = x.shape[-2]
    require(n_tokens > 0, operation, "x must have at least one row", x=x)
    shape, scale = (*x.shape[:-2], n_tokens, n_tokens), layer.w_key.shape[1] ** -0.5
    how: dict[str, Any] = {"mask": mask, "is_causal": is_causal, "scale": scale}
    options = check_options(operation, x, shape, **how)
    return layer, dtype, x, options


def _check_tokens(tokens: Iterable[str] | None, x: Array) -> tuple[str, ...] | None:
    if tokens is None:
        return None
    rule = "tokens must be a list of strings, one for each row of x"
    listed = isinstance(tokens, Iterable) and not isinstance(tokens, str | bytes)
    require(listed, "SelfAttention.trace", rule, tokens=tokens)
    names = tuple(tokens)
    fits = len(names) == x.shape[-2] and all(isinstance(t, str) for t in names)
    require(fits, "SelfAttention.trace", rule, tokens=names, x=x)
    return tuple(str(name) for name in names)
