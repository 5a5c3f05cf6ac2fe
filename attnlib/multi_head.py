"""Multi-head attention: several attentions side by side, put together again."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from attnlib._arrays import Array, ArrayLike, as_floats, cast
from attnlib._checks import (
    as_mask,
    check_batch,
    check_count,
    check_divides,
    check_last_axis,
    check_mask,
    check_rng,
    check_rows,
    check_vectors,
    check_weight,
    require,
)
from attnlib._layers import arrays_of, describe, store_arrays
from attnlib.attention import attention_weights, scaled_dot_product_attention
from attnlib.heads import merge_heads, split_heads
from attnlib.projections import project, random_weight


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention:
    r"""Attend with several heads, each in its own columns of the projections.

    .. math::
        \mathrm{head}_h = \mathrm{Attention}(Q_h, K_h, V_h) \qquad
        \mathrm{MultiHead} = \mathrm{Concat}(\mathrm{head}_1, …) W^O

    Parameters
    ----------
    w_query, w_key, w_value, w_output : array, (d_model, d_model)
        Used as x @ w. The paper's :math:`W_h^Q` is columns h·d_k … (h+1)·d_k of
        w_query.
    n_heads : int
        Divides d_model; d_k = d_v = d_model / n_heads.
    b_query, b_key, b_value, b_output : array, (d_model,), optional

    Raises
    ------
    ValueError
        If the shapes do not fit together, or n_heads does not divide d_model.

    Examples
    --------
    >>> import numpy as np
    >>> layer = MultiHeadAttention.random(512, 8, rng=np.random.default_rng(0))
    >>> layer
    MultiHeadAttention(d_model=512, n_heads=8, d_k=64, float64)
    >>> layer(np.ones((2, 5, 512))).shape
    (2, 5, 512)
    >>> layer.weights(np.ones((2, 5, 512))).shape
    (2, 8, 5, 5)

    References
    ----------
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.
    """

    w_query: Array
    w_key: Array
    w_value: Array
    w_output: Array
    _: KW_ONLY
    n_heads: int
    b_query: Array | None = None
    b_key: Array | None = None
    b_value: Array | None = None
    b_output: Array | None = None

    def __post_init__(self) -> None:
        operation = "MultiHeadAttention"
        store_arrays(self)
        weights = {n: w for n, w in arrays_of(self).items() if n.startswith("w_")}
        check_weight(operation, **weights)
        rule = "weights must be square matrices of one size (d_model, d_model)"
        sizes = {size for w in weights.values() for size in w.shape}
        require(len(sizes) == 1, operation, rule, **weights)
        check_divides(operation, self.n_heads, self.d_model)
        biases = {n: b for n, b in arrays_of(self).items() if n.startswith("b_")}
        check_vectors(operation, self.d_model, **biases)

    @classmethod
    def random(
        cls, d_model: int, n_heads: int, *, rng: np.random.Generator
    ) -> MultiHeadAttention:
        """Draw weights with variance 1/d_model, without biases."""
        operation = "MultiHeadAttention.random"
        d_model = check_count(operation, "d_model", d_model)
        check_divides(operation, n_heads, d_model)
        check_rng(operation, rng)
        weights = [random_weight(rng, d_model, d_model) for _ in range(4)]
        return cls(*weights, n_heads=n_heads)

    @property
    def d_model(self) -> int:
        """The length of the rows that come in and go out."""
        return self.w_query.shape[0]

    def __call__(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        *,
        mask: ArrayLike | None = None,
        is_causal: bool = False,
    ) -> Array:
        """Let the rows of x attend to each other, or to the rows of context.

        Parameters
        ----------
        x : array, (..., n_queries, d_model)
            Queries are made from it.
        context : array, (..., n_keys, d_model), optional
            Keys and values are made from it (cross-attention); x unless given.
        mask : array, optional
            With at most as many axes as x, it is shared by all heads: it broadcasts to
            (..., n_queries, n_keys). With one axis more, it broadcasts to
            (..., n_heads, n_queries, n_keys).
        is_causal : bool
            Query i may attend to the keys j ≤ i only.

        Returns
        -------
        array, (..., n_queries, d_model)
        """
        dtype, x, context, mask = self._check("MultiHeadAttention", x, context, mask)
        query, key, value = self._heads(x, context)
        heads = scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=is_causal
        )
        return cast(project(merge_heads(heads), self.w_output, self.b_output), dtype)

    def weights(
        self,
        x: ArrayLike,
        context: ArrayLike | None = None,
        *,
        mask: ArrayLike | None = None,
        is_causal: bool = False,
    ) -> Array:
        """Give every head's attention weights, (..., n_heads, n_queries, n_keys)."""
        operation = "MultiHeadAttention.weights"
        dtype, x, context, mask = self._check(operation, x, context, mask)
        query, key, _ = self._heads(x, context)
        weights = attention_weights(query, key, mask=mask, is_causal=is_causal)
        return cast(weights, dtype)

    def _heads(self, x: Array, context: Array) -> tuple[Array, Array, Array]:
        """Project, then split: query, key and value, (..., n_heads, n, d_k) each."""
        query = project(x, self.w_query, self.b_query)
        key = project(context, self.w_key, self.b_key)
        value = project(context, self.w_value, self.b_value)
        return tuple(split_heads(a, self.n_heads) for a in (query, key, value))

    def _check(
        self,
        operation: str,
        x: ArrayLike,
        context: ArrayLike | None = None,
        mask: ArrayLike | None = None,
    ) -> tuple[Any, Array, Array, Array | None]:
        """Check inputs for an operation; give the dtype, and them, ready to compute."""
        inputs = {"x": x, "context": context}
        _, dtype, (x, context, *_) = as_floats(operation, **inputs, **arrays_of(self))
        check_rows(operation, x=x, context=context)
        check_last_axis(operation, self.d_model, x=x, context=context)
        context = x if context is None else context
        rule = "there must be at least one row to attend to"
        require(context.shape[-2] > 0, operation, rule, context=context)
        batch = check_batch(operation, x=x, context=context)
        pairs = (x.shape[-2], context.shape[-2])
        mask = as_mask(operation, mask, x)
        if mask is not None and mask.ndim > x.ndim:
            check_mask(operation, mask, (*batch, self.n_heads, *pairs))
        else:
            check_mask(operation, mask, (*batch, *pairs))
            mask = _shared_by_heads(mask)
        return dtype, x, context, mask

    def __repr__(self) -> str:
        d_k = self.d_model // self.n_heads
        sizes = {"d_model": self.d_model, "n_heads": self.n_heads, "d_k": d_k}
        return describe(self, **sizes)


def _shared_by_heads(mask: Array | None) -> Array | None:
    """Give a mask an axis of length 1 for the heads; a matrix broadcasts as it is."""
    if mask is None or mask.ndim < 3:
        return mask
    return array_namespace(mask).expand_dims(mask, axis=-3)
