"""Multi-head attention: several attentions side by side, joined by a projection."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlib import _checks as check
from attnlib._arrays import DType, as_arrays, cast, namespace
from attnlib._checks import require
from attnlib._layers import describe, prepare, store_arrays
from attnlib._options import Options, check_options
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Mask
from attnlib.attention import attend, weigh
from attnlib.heads import merge_columns, split_columns
from attnlib.projections import linear, random_weight


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    r"""Attend with several heads, each in its own columns of the projections.

    .. math::
        \mathrm{head}_h = \mathrm{Attention}(Q_h, K_h, V_h) \qquad
        \mathrm{MultiHead} = \mathrm{Concat}(\mathrm{head}_1, …) W^O

    Parameters
    ----------
    w_query : array, (d_model, n_heads · d_k)
        Used as x @ w. The paper's :math:`W_h^Q` is columns h·d_k … (h+1)·d_k − 1.
    w_key : array, (d_model, n_kv_heads · d_k)
    w_value : array, (d_model, n_kv_heads · d_v)
    w_output : array, (n_heads · d_v, d_model)
    n_heads : int
        In the paper, and in most models, d_k = d_v = d_model / n_heads.
    n_kv_heads : int, optional
        Divides n_heads; n_heads by default. With fewer, each head of keys and values
        serves several consecutive query heads (grouped-query attention).
    b_query, b_key, b_value, b_output : array, optional
        (n_heads · d_k,), (n_kv_heads · d_k,), (n_kv_heads · d_v,) and (d_model,).
    sinks : array, (n_heads,), optional
        As in `attention_weights`, a learned logit for each head.

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
    Vaswani et al. (2017), Attention Is All You Need, section 3.2.2. Ainslie et al.
    (2023), GQA, section 2.2, for n_kv_heads.
    """

    w_query: Float[Array, "d_model n_heads*d_k"]
    w_key: Float[Array, "d_model n_kv_heads*d_k"]
    w_value: Float[Array, "d_model n_kv_heads*d_v"]
    w_output: Float[Array, "n_heads*d_v d_model"]
    _: KW_ONLY
    n_heads: int
    n_kv_heads: int | None = None
    b_query: Float[Array, " n_heads*d_k"] | None = None
    b_key: Float[Array, " n_kv_heads*d_k"] | None = None
    b_value: Float[Array, " n_kv_heads*d_v"] | None = None
    b_output: Float[Array, " d_model"] | None = None
    sinks: Float[Array, " n_heads"] | None = None

    if TYPE_CHECKING:  # lists work too, which a field alone cannot express

        def __init__(
            self,
            w_query: AnyLike,
            w_key: AnyLike,
            w_value: AnyLike,
            w_output: AnyLike,
            *,
            n_heads: int,
            n_kv_heads: int | None = None,
            b_query: AnyLike | None = None,
            b_key: AnyLike | None = None,
            b_value: AnyLike | None = None,
            b_output: AnyLike | None = None,
            sinks: AnyLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        operation = "MultiHeadAttention"
        store_arrays(self)
        weights = {n: getattr(self, n) for n in ("w_query", "w_key", "w_value")}
        check.weight(operation, **weights, w_output=self.w_output)
        check.count(operation, "n_heads", self.n_heads)
        if self.n_kv_heads is None:
            object.__setattr__(self, "n_kv_heads", self.n_heads)
        _check_kv_heads(operation, self.n_heads, self.n_kv_heads)
        for name, heads in (("w_query", self.n_heads), ("w_value", self.n_kv_heads)):
            rule = f"the columns of {name} must be divisible by its heads, {heads}"
            w = weights[name]
            require(w.shape[1] % heads == 0, operation, rule, **{name: w})
        query, value, n_kv = self.d_k, self.w_value.shape[1], self.n_kv_heads or 1
        keys, joined = n_kv * query, self.n_heads * (value // n_kv)
        check.shape(operation, (self.d_model, keys), w_key=self.w_key)
        check.shape(operation, (self.d_model, value), w_value=self.w_value)
        check.shape(operation, (joined, self.d_model), w_output=self.w_output)
        check.shape(operation, (self.n_heads * query,), b_query=self.b_query)
        check.shape(operation, (keys,), b_key=self.b_key)
        check.shape(operation, (value,), b_value=self.b_value)
        check.shape(operation, (self.d_model,), b_output=self.b_output)
        check.shape(operation, (self.n_heads,), sinks=self.sinks)

    @classmethod
    def random(
        cls,
        d_model: int,
        n_heads: int,
        *,
        n_kv_heads: int | None = None,
        d_k: int | None = None,
        d_v: int | None = None,
        rng: np.random.Generator,
    ) -> MultiHeadAttention:
        """Draw weights with variance 1/(number of rows), without biases.

        d_k is d_model / n_heads by default, and d_v is d_k.
        """
        operation = "MultiHeadAttention.random"
        d_model = check.count(operation, "d_model", d_model)
        check.count(operation, "n_heads", n_heads)
        if d_k is None:
            check.divides(operation, n_heads, d_model)
        d_k = check.count(operation, "d_k", d_model // n_heads if d_k is None else d_k)
        d_v = check.count(operation, "d_v", d_k if d_v is None else d_v)
        n_kv = n_heads if n_kv_heads is None else n_kv_heads
        _check_kv_heads(operation, n_heads, n_kv)
        check.generator(operation, rng)
        widths = (n_heads * d_k, n_kv * d_k, n_kv * d_v)
        query, key, value = (random_weight(rng, d_model, width) for width in widths)
        output = random_weight(rng, n_heads * d_v, d_model)
        return cls(query, key, value, output, n_heads=n_heads, n_kv_heads=n_kv_heads)

    @property
    def d_model(self) -> int:
        """The length of the rows that come in and go out."""
        return self.w_query.shape[0]

    @property
    def d_k(self) -> int:
        """The length of a head's queries and keys."""
        return self.w_query.shape[1] // self.n_heads

    @property
    def d_v(self) -> int:
        """The length of a head's values."""
        return self.w_output.shape[0] // self.n_heads

    @property
    def head_sinks(self) -> Any:
        """The sinks, (n_heads, 1, 1), or None: they broadcast to the scores."""
        return None if self.sinks is None else self.sinks[:, None, None]

    def __call__(
        self,
        x: Float[ArrayLike[A], "... n_queries d_model"],
        context: Float[ArrayLike[A], "... n_keys d_model"] | None = None,
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> Float[A, "... n_queries d_model"]:
        """Let the rows of x attend to each other, or to the rows of context.

        Parameters
        ----------
        x : array, (..., n_queries, d_model)
            Queries are made from it.
        context : array, (..., n_keys, d_model), optional
            Keys and values are made from it (cross-attention); x by default.
        mask : array, optional
            With at most as many axes as x, all heads share it, and it broadcasts to
            (..., n_queries, n_keys); with one more, to (..., n_heads, n_queries,
            n_keys).
        is_causal : bool
            Query i may attend to the keys j ≤ i only.

        Returns
        -------
        array, (..., n_queries, d_model)
        """
        layer, dtype, x, rows, options = _check(
            self, "MultiHeadAttention", x, context, mask, is_causal
        )
        return cast(attend_heads(layer, x, rows, options), dtype)

    def weights(
        self,
        x: Float[ArrayLike[A], "... n_queries d_model"],
        context: Float[ArrayLike[A], "... n_keys d_model"] | None = None,
        *,
        mask: Mask = None,
        is_causal: bool = False,
    ) -> Float[A, "... n_heads n_queries n_keys"]:
        """Return every head's attention weights, (..., n_heads, n_queries, n_keys)."""
        layer, dtype, x, rows, options = _check(
            self, "MultiHeadAttention.weights", x, context, mask, is_causal
        )
        query, key, _ = project_heads(layer, x, rows)
        return cast(weigh(query, key, options_for(layer, options)), dtype)

    def __repr__(self) -> str:
        sizes = {"d_model": self.d_model, "n_heads": self.n_heads}
        if self.n_kv_heads is not None and self.n_kv_heads != self.n_heads:
            sizes["n_kv_heads"] = self.n_kv_heads
        sizes["d_k"] = self.d_k
        if self.d_v != self.d_k:
            sizes["d_v"] = self.d_v
        return describe(self, **sizes)


def attend_heads(
    layer: MultiHeadAttention, x: Array, context: Array, options: Options
) -> Any:
    """Do what calling a `MultiHeadAttention` does, without checks."""
    query, key, value = project_heads(layer, x, context)
    heads = attend(query, key, value, options_for(layer, options))
    return linear(merge_columns(heads), layer.w_output, layer.b_output)


def options_for(layer: MultiHeadAttention, options: Options) -> Options:
    """Add what is the layer's own: the scale of its d_k, and its sinks."""
    return replace(options, scale=layer.d_k**-0.5, sinks=layer.head_sinks)


def project_heads(
    layer: MultiHeadAttention, x: Array, context: Array
) -> tuple[Any, Any, Any]:
    """Return query, key and value by head: (..., n_heads or n_kv_heads, n, d)."""
    query = linear(x, layer.w_query, layer.b_query)
    key = linear(context, layer.w_key, layer.b_key)
    value = linear(context, layer.w_value, layer.b_value)
    n_kv_heads = layer.n_kv_heads or layer.n_heads
    query = split_columns(query, layer.n_heads)
    return query, split_columns(key, n_kv_heads), split_columns(value, n_kv_heads)


def check_heads(
    operation: str,
    n_heads: int,
    x: Array,
    context: Array,
    mask: AnyLike | None,
    is_causal: bool,
) -> Options:
    """Validate a mask shared by all heads or with one for each; return the options."""
    rule = "there must be at least one row to attend to"
    require(context.shape[-2] > 0, operation, rule, context=context)
    batch = check.batch_shape(operation, x=x, context=context)
    pairs = (x.shape[-2], context.shape[-2])
    if mask is not None:
        _, (mask,) = as_arrays(operation, mask=mask)
        if mask.ndim > x.ndim:
            shape = (*batch, n_heads, *pairs)
            return check_options(operation, x, shape, mask=mask, is_causal=is_causal)
    shape = (*batch, *pairs)
    options = check_options(operation, x, shape, mask=mask, is_causal=is_causal)
    if mask is None or mask.ndim < 3:  # a matrix broadcasts to all heads as it is
        return options
    return replace(options, mask=namespace(x).expand_dims(options.mask, axis=-3))


def _check(
    layer: MultiHeadAttention,
    operation: str,
    x: ArrayLike[A],
    context: ArrayLike[A] | None,
    mask: AnyLike | None,
    is_causal: bool,
) -> tuple[MultiHeadAttention, DType[A], A, A, Options]:
    """Validate a call; return layer, dtype, x, context and options."""
    context = x if context is None else context
    layer, dtype, (rows, others) = prepare(layer, operation, x=x, context=context)
    check.row_length(operation, layer.d_model, x=rows, context=others)
    options = check_heads(operation, layer.n_heads, rows, others, mask, is_causal)
    return layer, dtype, rows, others, options


def _check_kv_heads(operation: str, n_heads: int, n_kv_heads: Any) -> None:
    n_kv_heads = check.count(operation, "n_kv_heads", n_kv_heads)
    rule = "n_heads must be a multiple of n_kv_heads"
    sizes = {"n_heads": n_heads, "n_kv_heads": n_kv_heads}
    require(n_heads % n_kv_heads == 0, operation, rule, **sizes)
