"""Private: the rules that inputs must keep, checked before any arithmetic.

Every message names the operation, the rule and what was received.
"""

from __future__ import annotations

import math
import numbers
import operator
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from attnlib._arrays import Array, ArrayLike, as_arrays, beside, cast, is_kind

Shape = tuple[int, ...]


def require(condition: bool, operation: str, rule: str, **received: Any) -> None:
    """Raise a ValueError that names the operation, the rule and what was received."""
    if not condition:
        got = " and ".join(f"{name} {_show(x)}" for name, x in received.items())
        raise ValueError(f"{operation}: {rule}, got {got}")


def _show(x: Any) -> str:
    return str(tuple(x.shape)) if hasattr(x, "shape") else repr(x)


def check_count(operation: str, name: str, value: Any, *, least: int = 1) -> int:
    """Check a size: an integer, not a bool, at least `least`."""
    rule = f"{name} must be an integer of at least {least}"
    number = check_integer(operation, name, value, rule)
    require(number >= least, operation, rule, **{name: value})
    return number


def check_integer(operation: str, name: str, value: Any, rule: str = "") -> int:
    """Check an integer of either sign; NumPy's integers are fine, bools are not."""
    rule = rule or f"{name} must be an integer"
    require(not isinstance(value, bool | np.bool_), operation, rule, **{name: value})
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{operation}: {rule}, got {name} {value!r}") from None


def check_integers(operation: str, name: str, x: Array, most: int) -> Array:
    """Check an array of integers from 0 to `most`; an empty list will do."""
    xp = array_namespace(x)
    if not math.prod(x.shape):
        return cast(x, xp.int32)
    rule = f"{name} must be integers from 0 to {most}"
    if not is_kind(x, "integral"):
        raise ValueError(f"{operation}: {rule}, got dtype {x.dtype}")
    try:
        low, high = int(xp.min(x)), int(xp.max(x))
    except TypeError:  # while jax.jit traces, there are no values to read
        return x
    require(low >= 0, operation, rule, **{name: low})
    require(high <= most, operation, rule, **{name: high})
    return x


def check_number(operation: str, name: str, value: Any, *, positive: bool) -> float:
    """Check a finite real number, positive if asked, and make it a Python float.

    A Python float is weak under NumPy 2: it leaves float32 arrays float32.
    """
    rule = f"{name} must be a {'positive ' if positive else ''}finite number"
    is_real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    require(is_real and math.isfinite(value), operation, rule, **{name: value})
    require(value > 0 or not positive, operation, rule, **{name: value})
    return float(value)


def check_rows(operation: str, **arrays: Array | None) -> None:
    """Check for rows of vectors: (..., n, d) with d of at least 1."""
    for name, x in arrays.items():
        if x is not None:
            rule = f"{name} must have shape (..., n, d) with d of at least 1"
            require(x.ndim >= 2 and x.shape[-1] > 0, operation, rule, **{name: x})


def check_weight(operation: str, **arrays: Array) -> None:
    """Check for weight matrices: two axes, neither of length 0."""
    for name, w in arrays.items():
        rule = f"{name} must be a matrix with no axis of length 0"
        require(w.ndim == 2 and min(w.shape) > 0, operation, rule, **{name: w})


def check_divides(operation: str, n_heads: Any, d_model: int) -> None:
    """Check that d_model can be shared out evenly among the heads."""
    n_heads = check_count(operation, "n_heads", n_heads)
    rule = "d_model must be divisible by n_heads"
    sizes = {"d_model": d_model, "n_heads": n_heads}
    require(d_model % n_heads == 0, operation, rule, **sizes)


def check_vectors(operation: str, length: int, **arrays: Array | None) -> None:
    """Check for vectors of a given length, biases and gains; None passes."""
    for name, x in arrays.items():
        if x is not None:
            rule = f"{name} must have shape ({length},)"
            require(tuple(x.shape) == (length,), operation, rule, **{name: x})


def check_last_axis(operation: str, length: int, **arrays: Array | None) -> None:
    """Check that rows have d_model numbers each."""
    for name, x in arrays.items():
        if x is not None:
            rule = f"{name} must have rows of d_model = {length}"
            require(x.shape[-1] == length, operation, rule, **{name: x})


def broadcast(operation: str, rule: str, *shapes: Shape, **received: Any) -> Shape:
    """Broadcast shapes, or raise."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        require(False, operation, rule, **received)
        raise


def check_batch(operation: str, **arrays: Array) -> Shape:
    """Check that all axes but the last two broadcast; return their shape."""
    shapes = [tuple(x.shape[:-2]) for x in arrays.values()]
    return broadcast(operation, "batch dimensions must broadcast", *shapes, **arrays)


def check_query_key(operation: str, query: Array, key: Array) -> Shape:
    """Check query (..., n_queries, d_k) against key; return the scores' shape."""
    check_rows(operation, query=query, key=key)
    rule = "query and key must have the same d_k"
    both = {"query": query, "key": key}
    require(query.shape[-1] == key.shape[-1], operation, rule, **both)
    require(key.shape[-2] > 0, operation, "key must have at least one row", key=key)
    return (*check_batch(operation, **both), query.shape[-2], key.shape[-2])


def check_value(operation: str, query: Array, key: Array, value: Array) -> None:
    """Check value (..., n_keys, d_v) against query and key."""
    check_rows(operation, value=value)
    rule = "key and value must have the same n_keys"
    same = key.shape[-2] == value.shape[-2]
    require(same, operation, rule, key=key, value=value)
    check_batch(operation, query=query, key=key, value=value)


def as_mask(operation: str, mask: ArrayLike | None, home: Array) -> Array | None:
    """Check a mask's dtype and bring it to the library and device of `home`."""
    if mask is None:
        return None
    _, (mask,) = as_arrays(operation, mask=mask)
    if not is_kind(mask, "bool", "real floating"):
        raise ValueError(
            f"{operation}: mask must be boolean (True = may attend) or floating (added "
            f"to the scores), got dtype {mask.dtype}; turn a 0/1 mask into a boolean "
            "one with mask.astype(bool)"
        )
    return beside(operation, home, mask)


def check_mask(operation: str, mask: Array | None, scores_shape: Shape) -> None:
    """Check that a mask broadcasts to the scores' shape and does not enlarge it."""
    if mask is not None:
        rule = f"mask must broadcast to the scores' shape {scores_shape}"
        shape = broadcast(operation, rule, tuple(mask.shape), scores_shape, mask=mask)
        require(shape == scores_shape, operation, rule, mask=mask)


def check_rng(operation: str, rng: Any) -> None:
    """Check for a NumPy random generator."""
    rule = "rng must be a numpy.random.Generator, e.g. numpy.random.default_rng(0)"
    require(isinstance(rng, np.random.Generator), operation, rule, rng=rng)
