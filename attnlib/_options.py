"""Private: the arguments of attention, validated once, in the public function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar

from array_api_compat import is_numpy_array

from attnlib import _checks as check
from attnlib._arrays import (
    DType,
    arange,
    as_arrays,
    as_floats,
    cast,
    is_kind,
    join,
    namespace,
)
from attnlib._checks import Shape
from attnlib._types import A, AnyLike, Array, ArrayLike, Float, Int, Mask, Window

F = TypeVar("F", bound=Callable[..., Any])
UNLIMITED = (None, None)


class Keywords(TypedDict, total=False):
    """The keywords of attention; `attention_weights` says what each one does."""

    mask: Mask
    is_causal: bool
    scale: float | None
    softcap: float | None
    window: Window | None
    query_offset: int | Int[AnyLike, "..."]
    enable_gqa: bool
    sinks: Float[AnyLike, "..."] | None


DEFAULTS = {"is_causal": False, "query_offset": 0, "enable_gqa": False}  # else None


def with_keywords(function: F) -> F:
    """Name the keywords of attention in the signature of a function with **how."""
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.name != "how"]
    named = [
        inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(n))
        for n in Keywords.__annotations__
    ]
    every = sorted([*own, *named], key=lambda p: (p.kind, p in own))
    vars(function)["__signature__"] = signature.replace(parameters=every)
    return function


@dataclass(frozen=True, slots=True)
class Options:
    """How scores are computed, and which keys each query may see, ready to use."""

    scale: float
    softcap: float | None = None
    mask: Any = None
    window: Window = UNLIMITED  # (None, 0) is causal
    query_offset: Any = 0
    sinks: Any = None  # with the axes of scores


def check_attention(
    operation: str,
    inputs: dict[str, ArrayLike[A]],
    how: Keywords,
) -> tuple[DType[A], list[A], Options]:
    """Validate the arguments of attention.

    Parameters
    ----------
    operation : str
    inputs : dict of arrays
        In this order: query, key and, where needed, value and grad_output.
    how : dict
        The keywords as they were given.

    Returns
    -------
    dtype : what the result is rounded to at the end
    arrays : the inputs, ready to compute with
    options : Options
    """
    if unknown := how.keys() - Keywords.__annotations__.keys():
        name = min(unknown)
        raise TypeError(f"{operation}() got an unexpected keyword argument {name!r}")
    keywords: dict[str, Any] = {**how}
    enable_gqa = keywords.pop("enable_gqa", False)
    check.flag(operation, "enable_gqa", enable_gqa)
    dtype, arrays = as_floats(operation, **inputs)
    try:
        shape = check.scores_shape(operation, *arrays[:3], enable_gqa=enable_gqa)
    except ValueError as error:
        raise ValueError(f"{error}{_hint_at_groups(operation, arrays)}") from None
    return dtype, arrays, check_options(operation, arrays[0], shape, **keywords)


def _hint_at_groups(operation: str, arrays: list[Any]) -> str:
    """Suggest `enable_gqa` where nothing else is wrong."""
    try:
        check.scores_shape(operation, *arrays[:3], enable_gqa=True)
    except ValueError:
        return ""
    return "; with enable_gqa=True, several heads of query share one of key and value"


def check_options(
    operation: str,
    query: Array,
    scores_shape: Shape,
    *,
    mask: AnyLike | None = None,
    is_causal: bool = False,
    scale: Any = None,
    softcap: Any = None,
    window: Any = None,
    query_offset: Any = 0,
    sinks: Any = None,
) -> Options:
    """Validate the keywords of attention; arrays join the library of the query."""
    check.flag(operation, "is_causal", is_causal)
    if scale is None:
        scale = query.shape[-1] ** -0.5
    else:
        scale = check.number(operation, "scale", scale, positive=False)
    if softcap is not None:
        softcap = check.number(operation, "softcap", softcap, positive=True)
        softcap = softcap_for(query, softcap)
    left, right = UNLIMITED if window is None else check.window(operation, window)
    window = (left, 0 if is_causal else right)
    offset = _check_offset(operation, query_offset, query, scores_shape)
    mask = check_mask(operation, mask, query, scores_shape)
    if sinks is not None:
        sinks = _check_sinks(operation, sinks, query, scores_shape)
    return Options(scale, softcap, mask, window, offset, sinks)


def softcap_for(scores: Array, softcap: float | None) -> float | None:
    """Fit a softcap to the dtype of scores: None if it could cap none of them."""
    limits = namespace(scores).finfo(scores.dtype)
    if softcap is None or softcap > float(limits.max):
        return None
    return max(softcap, float(limits.smallest_normal))


def check_mask(operation: str, mask: Any, reference: Array, scores_shape: Shape) -> Any:
    """Check a mask, and convert it to the library and device of `reference`."""
    if mask is None:
        return None
    _, (mask,) = as_arrays(operation, mask=mask)
    if not is_kind(mask, "bool", "real floating"):
        raise ValueError(
            f"{operation}: mask must be boolean (True = may attend) or floating (added "
            f"to the scores), got dtype {mask.dtype}; turn a 0/1 mask into a boolean "
            "one with mask.astype(bool)"
        )
    rule = f"mask must broadcast to the scores' shape {scores_shape}"
    try:
        check.broadcasts_to(operation, mask, scores_shape, rule, mask=mask)
    except ValueError as error:
        hint = _hint_at_heads(tuple(mask.shape), scores_shape)
        raise ValueError(f"{error}{hint}") from None
    mask = join(operation, mask, reference)
    return mask if is_kind(mask, "bool") else _round_to(reference.dtype, mask)


def _round_to(dtype: Any, mask: Array) -> Any:
    """Convert a float mask; finite numbers stay finite in a narrower dtype."""
    xp = namespace(mask)
    if xp.finfo(mask.dtype).bits > xp.finfo(dtype).bits:
        limit = float(xp.finfo(dtype).max)
        clipped = xp.clip(mask, min=-limit, max=limit)
        mask = xp.where(xp.isinf(mask), mask, clipped)
    return cast(mask, dtype)


def _hint_at_heads(mask_shape: Shape, scores_shape: Shape) -> str:
    """Suggest an axis for the heads if that is all a mask lacks."""
    if not 2 < len(mask_shape) == len(scores_shape) - 1:
        return ""
    pairs = zip((*mask_shape[:-2], 1, *mask_shape[-2:]), scores_shape, strict=True)
    if not all(size in (1, wanted) for size, wanted in pairs):
        return ""
    return "; mask[..., None, :, :] would fit, the same for every head"


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
    return cast(offset, arange(offset, 0).dtype)


def _check_sinks(
    operation: str, sinks: Any, reference: Array, scores_shape: Shape
) -> Any:
    """Check sinks that broadcast to the batch axes, the last of which is the heads."""
    _, (sinks,) = as_floats(operation, sinks=sinks)
    batch = scores_shape[:-2]
    rule = f"sinks must broadcast to the batch axes {batch}"
    check.broadcasts_to(operation, sinks, batch, rule, sinks=sinks)
    return cast(join(operation, sinks, reference), reference.dtype)[..., None, None]
