"""Private: the rules that inputs must obey, checked before any arithmetic."""

from __future__ import annotations

import math
import numbers
import operator
import warnings
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

Array = Any  # of any library: nothing but its shape is looked at here
Shape = tuple[int, ...]
Window = tuple[int | None, int | None]
FARTHEST = 2**30  # bounds positions so that their sums fit into 32 bits


def renamed(operation: str, old: str, new: str, *, until: str) -> None:
    """Warn whoever calls `operation` by an old name, which a version will not have.

    For every room that imports attnlib; tests/rooms stops a release that still has it.
    """
    message = f"{operation}: {old} is called {new} now, and is gone in {until}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def require(condition: bool, operation: str, rule: str, **received: Any) -> None:
    """Raise a ValueError that names the operation, the rule and what was received."""
    if not condition:
        refuse(operation, rule, **received)


def refuse(operation: str, rule: str, **received: Any) -> NoReturn:
    """Raise the error of `require`; behind an `if`, it is free for valid input."""
    got = " and ".join(f"{name} {_show(x)}" for name, x in received.items())
    raise ValueError(f"{operation}: {rule}, got {got}")


def _show(x: Any) -> str:
    return str(tuple(x.shape)) if hasattr(x, "shape") else repr(x)


def kind(operation: str, name: str, kind: type, x: Any) -> None:
    """Check that x is an instance of a class."""
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    rule = f"{name} must be {article} {kind.__name__}"
    require(isinstance(x, kind), operation, rule, **{name: x})


def function(operation: str, name: str, x: Any) -> None:
    """Check that x can be called."""
    require(callable(x), operation, f"{name} must be a function", **{name: x})


def layers(operation: str, kind: type, layers: Any) -> tuple[Any, ...]:
    """Check for at least one layer, all of one class; return them as a tuple."""
    rule = f"layers must be a list of at least one {kind.__name__}"
    require(isinstance(layers, Iterable), operation, rule, layers=layers)
    found = tuple(layers)
    known = bool(found) and all(isinstance(layer, kind) for layer in found)
    require(known, operation, rule, layers=found)
    return found


def count(operation: str, name: str, value: Any, *, minimum: int = 1) -> int:
    """Check a size: an integer, not a bool, at least `minimum`."""
    rule = f"{name} must be an integer of at least {minimum}"
    found = integer(operation, name, value, rule)
    require(found >= minimum, operation, rule, **{name: value})
    return found


def integer(operation: str, name: str, value: Any, rule: str = "") -> int:
    """Check an integer of either sign; NumPy's integers are fine, bools are not."""
    if type(value) is int:
        return value
    rule = rule or f"{name} must be an integer"
    require(not isinstance(value, bool | np.bool_), operation, rule, **{name: value})
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{operation}: {rule}, got {name} {value!r}") from None


def position(operation: str, name: str, value: Any, rule: str = "") -> int:
    """Check an integer that is added to positions, so that no sum overflows."""
    found = integer(operation, name, value, rule)
    reach(operation, name, found, found)
    return found


def reach(operation: str, name: str, low: int, high: int) -> None:
    """Check that positions are small enough to be added without overflow."""
    if not -FARTHEST <= low <= high <= FARTHEST:
        rule = f"{name} must be between −{FARTHEST} and {FARTHEST}"
        refuse(operation, rule, **{name: high if high > FARTHEST else low})


def number(operation: str, name: str, value: Any, *, positive: bool) -> float:
    """Check a finite real number, positive if asked, and return a Python float.

    A Python float is weak under NumPy 2: it leaves float32 arrays float32.
    """
    rule = f"{name} must be a {'positive ' if positive else ''}finite number"
    is_real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    require(is_real, operation, rule, **{name: value})
    try:
        found = float(value)
    except OverflowError:  # an integer beyond the largest float
        raise ValueError(f"{operation}: {rule}, got a larger {name}") from None
    require(math.isfinite(found), operation, rule, **{name: value})
    require(found > 0 or not positive, operation, rule, **{name: value})
    return found


def flag(operation: str, name: str, value: Any) -> None:
    """Check for True, False, 1 or 0: a mask or a string must not pass for True."""
    if value is True or value is False:
        return
    if not isinstance(value, numbers.Integral | np.bool_) or value not in (0, 1):
        refuse(operation, f"{name} must be True or False", **{name: value})


def eps(operation: str, eps: Any) -> float:
    """Check the eps of a norm: a finite number, not negative."""
    found = number(operation, "eps", eps, positive=False)
    require(found >= 0, operation, "eps must not be negative", eps=found)
    return found


def rows(operation: str, **arrays: Array | None) -> None:
    """Check for rows of vectors: (..., n, d) with d of at least 1."""
    for name, x in arrays.items():
        if x is not None and (x.ndim < 2 or x.shape[-1] == 0):
            rule = f"{name} must have shape (..., n, d) with d of at least 1"
            refuse(operation, rule, **{name: x})


def weight(operation: str, **arrays: Array) -> None:
    """Check for weight matrices: two axes, neither of length 0."""
    for name, w in arrays.items():
        rule = f"{name} must be a matrix with no axis of length 0"
        require(w.ndim == 2 and min(w.shape) > 0, operation, rule, **{name: w})


def layer_sizes(
    operation: str, d_model: Any, n_heads: Any, d_ff: Any, rng: Any, d_k: Any = None
) -> None:
    """Check the sizes of a layer with random weights, and the generator."""
    count(operation, "d_model", d_model)
    if d_k is None:
        divides(operation, n_heads, d_model)
    count(operation, "d_ff", d_ff)
    generator(operation, rng)


def divides(operation: str, n_heads: Any, d_model: int) -> None:
    """Check that d_model can be divided evenly among the heads."""
    n_heads = count(operation, "n_heads", n_heads)
    rule = "d_model must be divisible by n_heads"
    sizes = {"d_model": d_model, "n_heads": n_heads}
    require(d_model % n_heads == 0, operation, rule, **sizes)


def shape(operation: str, shape: Shape, **arrays: Array | None) -> None:
    """Check that arrays have a given shape; None passes."""
    for name, x in arrays.items():
        if x is not None:
            rule = f"{name} must have shape {shape}"
            require(tuple(x.shape) == shape, operation, rule, **{name: x})


def product(operation: str, x: Array, **weight: Array) -> None:
    """Check for rows that can be multiplied by a weight matrix."""
    rows(operation, x=x)
    ((name, w),) = weight.items()
    rule = f"rows of x must be as long as {name} has rows"
    require(x.shape[-1] == w.shape[0], operation, rule, x=x, **weight)


def row_length(operation: str, d_model: int, **arrays: Array | None) -> None:
    """Check that arrays hold rows of d_model numbers, (..., n, d_model)."""
    rows(operation, **arrays)
    for name, x in arrays.items():
        if x is not None:
            rule = f"{name} must have rows of d_model = {d_model}"
            require(x.shape[-1] == d_model, operation, rule, **{name: x})


def broadcast(operation: str, rule: str, *shapes: Shape, **received: Any) -> Shape:
    """Return the shape that shapes broadcast to, or raise."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        refuse(operation, rule, **received)


def broadcasts_to(
    operation: str, x: Array, shape: Shape, rule: str, /, **received: Any
) -> None:
    """Check that an array broadcasts to a shape without enlarging it."""
    if broadcast(operation, rule, tuple(x.shape), shape, **received) != shape:
        refuse(operation, rule, **received)


def window(operation: str, window: Any) -> Window:
    """Check a pair of bounds: integers of at least 0, or None for no bound."""
    rule = "window must be a pair (left, right) of integers or None"
    is_pair = isinstance(window, tuple | list) and len(window) == 2
    require(is_pair, operation, rule, window=window)
    for side, bound in zip(("left", "right"), window, strict=True):
        if bound is not None:
            name = f"the {side} of window"
            reach(operation, name, 0, count(operation, name, bound, minimum=0))
    left, right = (None if bound is None else int(bound) for bound in window)
    return left, right


def axis(operation: str, name: str, x: Array, axis: Any) -> int:
    """Check that an array has an axis."""
    found = integer(operation, "axis", axis)
    rule = f"{name} has no axis {found}"
    require(-x.ndim <= found < x.ndim, operation, rule, **{name: x})
    return found


def generator(operation: str, rng: Any) -> None:
    """Check for a NumPy random generator."""
    rule = "rng must be a numpy.random.Generator, e.g. numpy.random.default_rng(0)"
    require(isinstance(rng, np.random.Generator), operation, rule, rng=rng)


def scores_shape(
    operation: str,
    query: Array,
    key: Array,
    value: Array = None,
    *,
    enable_gqa: bool = False,
) -> Shape:
    """Check query, key and, if given, value; return the shape of the scores."""
    both = {"query": query, "key": key}
    every = both if value is None else {**both, "value": value}
    rows(operation, **every)
    (n_queries, d_k), (n_keys, d_of_keys) = query.shape[-2:], key.shape[-2:]
    if d_k != d_of_keys:
        refuse(operation, "query and key must have the same d_k", **both)
    if n_keys == 0:
        refuse(operation, "key must have at least one row", key=key)
    if value is not None and value.shape[-2] != n_keys:
        rule = "key and value must have the same n_keys"
        refuse(operation, rule, key=key, value=value)
    batch = batch_shape(operation, enable_gqa, **every)
    if value is not None and value.ndim > 2:  # scores lack the batch axes of value
        batch = batch_shape(operation, enable_gqa, **both)
    return (*batch, n_queries, n_keys)


def batch_shape(operation: str, enable_gqa: bool = False, /, **arrays: Array) -> Shape:
    """Check that all axes but the last two broadcast; return their shape.

    With `enable_gqa`, query must have a multiple of the heads of the others.
    """
    if enable_gqa:
        return _grouped_shape(operation, arrays)
    shapes = {tuple(x.shape[:-2]) for x in arrays.values()}
    if len(shapes) == 1:  # the common case, and cheap
        return shapes.pop()
    return broadcast(operation, "batch dimensions must broadcast", *shapes, **arrays)


def _grouped_shape(operation: str, arrays: dict[str, Any]) -> Shape:
    rule = "enable_gqa needs arrays (..., n_heads, n, d)"
    require(all(x.ndim >= 3 for x in arrays.values()), operation, rule, **arrays)
    n_heads, *n_kv_heads = (x.shape[-3] for x in arrays.values())
    rule = "key and value must have the same number of heads"
    require(len({*n_kv_heads}) == 1, operation, rule, **arrays)
    rule = "query must have a multiple of the heads of key and value"
    fits = n_kv_heads[0] > 0 and n_heads % n_kv_heads[0] == 0
    require(fits, operation, rule, **arrays)
    batch = batch_shape(operation, **{n: x[..., 0, :, :] for n, x in arrays.items()})
    return (*batch, n_heads)
