"""Private: the arguments of attention, validated once, in the public function."""

from __future__ import annotations

from typing import Any, NamedTuple

from array_api_compat import is_numpy_array

from attnlib import _checks as check
from attnlib._arrays import (
    as_arrays,
    as_floats,
    cast,
    default_integer,
    is_kind,
    join,
    namespace,
)
from attnlib._checks import FARTHEST, Shape, broadcast, refuse, require
from attnlib._types import (
    A,
    AnyLike,
    Array,
    ArrayLike,
    Bool,
    DType,
    Float,
    Int,
    Window,
)

UNLIMITED = (None, None)


class AttentionOptions(NamedTuple):
    """Validated options: how scores are computed, and which keys each query may see."""

    scale: float | None  # None: 1/√d_k
    softcap: float | None
    mask: Bool[Array, "..."] | Float[Array, "..."] | None
    window: Window  # (None, 0) is causal
    query_offset: int | Int[Array, "..."]
    sinks: Float[Array, "... 1 1"] | None = None

    def scale_for(self, query: Float[Array, "... d_k"]) -> float:
        """Return the factor that scores of these queries are multiplied by."""
        return query.shape[-1] ** -0.5 if self.scale is None else self.scale


def check_attention(
    operation: str, inputs: dict[str, ArrayLike[A]], enable_gqa: bool, *keywords: Any
) -> tuple[DType[A], list[A], AttentionOptions]:
    """Validate the arguments of attention.

    Parameters
    ----------
    operation : str
    inputs : dict of arrays
        In this order: query, key and, where needed, value and grad_output.
    enable_gqa : bool
    *keywords
        In the order of `check_options`.

    Returns
    -------
    dtype : what the result is rounded to at the end
    arrays : the inputs, ready to compute with
    options : AttentionOptions
    """
    check.flag(operation, "enable_gqa", enable_gqa)
    dtype, arrays = as_floats(operation, **inputs)
    try:
        scores_shape = check_shapes(operation, *arrays[:3], enable_gqa=enable_gqa)
    except ValueError as error:
        raise ValueError(f"{error}{_hint_at_groups(operation, arrays)}") from None
    return dtype, arrays, check_options(operation, arrays[0], scores_shape, *keywords)


def _hint_at_groups(operation: str, arrays: list[Any]) -> str:
    """Suggest `enable_gqa` where nothing else is wrong."""
    try:
        check_shapes(operation, *arrays[:3], enable_gqa=True)
    except ValueError:
        return ""
    return "; with enable_gqa=True, several heads of query share one of key and value"


def check_options(
    operation: str,
    reference: Array,
    scores_shape: Shape,
    mask: AnyLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
    softcap: Any = None,
    window: Any = None,
    query_offset: Any = 0,
    sinks: Any = None,
) -> AttentionOptions:
    """Validate the keywords of attention; arrays join the library of `reference`."""
    check.flag(operation, "is_causal", is_causal)
    if scale is not None:
        scale = check.number(operation, "scale", scale, positive=False)
    if softcap is not None:
        softcap = check.number(operation, "softcap", softcap, positive=True)
        softcap = softcap_for(reference, softcap)
    left, right = UNLIMITED if window is None else check_window(operation, window)
    query_offset = _check_offset(operation, query_offset, reference, scores_shape)
    window = (left, 0 if is_causal else right)
    checked = check.mask(operation, mask, reference, scores_shape)
    if sinks is not None:
        sinks = _check_sinks(operation, sinks, reference, scores_shape)
    return AttentionOptions(scale, softcap, checked, window, query_offset, sinks)


def softcap_for(scores: Array, softcap: float | None) -> float | None:
    """Fit a softcap to the dtype of scores: None if it could cap none of them."""
    limits = namespace(scores).finfo(scores.dtype)
    if softcap is None or softcap > float(limits.max):
        return None
    return max(softcap, float(limits.smallest_normal))


def check_window(operation: str, window: Any) -> Window:
    """Check a pair of bounds: integers of at least 0, or None for no bound."""
    rule = "window must be a pair (left, right) of integers or None"
    is_pair = isinstance(window, tuple | list) and len(window) == 2
    require(is_pair, operation, rule, window=window)
    names = ("the left of window", "the right of window")
    for name, bound in zip(names, window, strict=True):
        if bound is not None:
            check.count(operation, name, bound, minimum=0)
            rule = f"{name} must be at most {FARTHEST}, or None for no bound"
            require(bound <= FARTHEST, operation, rule, window=window)
    left, right = (None if bound is None else int(bound) for bound in window)
    return left, right


def _check_offset(
    operation: str, offset: Any, reference: Array, scores_shape: Shape
) -> Any:
    """Check one integer, or integers that broadcast to the batch axes."""
    rule = "query_offset must be an integer or an array of integers"
    if not hasattr(offset, "ndim") and type(offset) not in (list, tuple):
        return check.position(operation, "query_offset", offset, rule)
    _, (offset,) = as_arrays(operation, query_offset=offset)
    if not is_kind(offset, "integral"):
        raise ValueError(f"{operation}: {rule}, got dtype {offset.dtype}")
    batch = scores_shape[:-2]
    rule = f"query_offset must broadcast to the batch axes {batch}"
    check.broadcasts_to(operation, offset, batch, rule, query_offset=offset)
    if is_numpy_array(offset) and offset.size:
        check.reach(operation, "query_offset", int(offset.min()), int(offset.max()))
    offset = join(operation, offset, reference)
    # Adding positions to a narrow integer would overflow.
    return cast(offset, default_integer(offset))


def _check_sinks(
    operation: str, sinks: Any, reference: Array, scores_shape: Shape
) -> Any:
    """Check sinks that broadcast to the batch axes, the last of which is the heads."""
    _, (sinks,) = as_floats(operation, sinks=sinks)
    batch = scores_shape[:-2]
    rule = f"sinks must broadcast to the batch axes {batch}"
    check.broadcasts_to(operation, sinks, batch, rule, sinks=sinks)
    return cast(join(operation, sinks, reference), reference.dtype)[..., None, None]


def check_shapes(
    operation: str,
    query: Array,
    key: Array,
    value: Array | None = None,
    *,
    enable_gqa: bool = False,
) -> Shape:
    """Check query, key and, if given, value; return the shape of the scores."""
    arrays = {"query": query, "key": key}
    if value is not None:
        arrays["value"] = value
    check.rows(operation, **arrays)
    if query.shape[-1] != key.shape[-1]:
        rule = "query and key must have the same d_k"
        refuse(operation, rule, query=query, key=key)
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    if n_keys == 0:
        refuse(operation, "key must have at least one row", key=key)
    if value is not None and value.shape[-2] != n_keys:
        rule = "key and value must have the same n_keys"
        refuse(operation, rule, key=key, value=value)
    batch = check_batch(operation, enable_gqa, **arrays)
    if value is not None and value.ndim > 2:  # scores lack the batch axes of value
        batch = check_batch(operation, enable_gqa, query=query, key=key)
    return (*batch, n_queries, n_keys)


def check_batch(operation: str, enable_gqa: bool = False, **arrays: Array) -> Shape:
    """Check that all axes but the last two broadcast; return their shape.

    With `enable_gqa`, query must have a multiple of the heads of the others.
    """
    if enable_gqa:
        return _check_groups(operation, arrays)
    shapes = [tuple(x.shape[:-2]) for x in arrays.values()]
    if shapes.count(shapes[0]) == len(shapes):  # the common case, and cheap
        return shapes[0]
    return broadcast(operation, "batch dimensions must broadcast", *shapes, **arrays)


def _check_groups(operation: str, arrays: dict[str, Any]) -> Shape:
    rule = "enable_gqa needs arrays (..., n_heads, n, d)"
    require(all(x.ndim >= 3 for x in arrays.values()), operation, rule, **arrays)
    n_heads, *n_kv_heads = (x.shape[-3] for x in arrays.values())
    rule = "key and value must have the same number of heads"
    require(len({*n_kv_heads}) == 1, operation, rule, **arrays)
    rule = "query must have a multiple of the heads of key and value"
    fits = n_kv_heads[0] > 0 and n_heads % n_kv_heads[0] == 0
    require(fits, operation, rule, **arrays)
    batch = check_batch(operation, **{n: x[..., 0, :, :] for n, x in arrays.items()})
    return (*batch, n_heads)
