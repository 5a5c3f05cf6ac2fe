"""Private: code shared by all layers, which are frozen dataclasses of arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from array_api_compat import is_array_api_obj

from attnlib._arrays import DType, as_arrays, as_floats
from attnlib._types import A, Array, ArrayLike

L = TypeVar("L")


def store_arrays(layer: Any) -> None:
    """Convert the array-likes among a layer's fields to arrays of one library.

    NumPy arrays are copied, so that later changes to the caller's do not affect the
    layer. Those of other libraries may be part of a graph, and are kept as they are.
    """
    types = {f.name: str(f.type) for f in fields(layer)}
    types = {name: text for name, text in types.items() if "[Array, " in text}
    inputs = {name: getattr(layer, name) for name in types}
    if all(x is None for x in inputs.values()):
        return
    optional = tuple(name for name, type_ in types.items() if "None" in type_)
    operation = type(layer).__name__
    as_floats(operation, optional, **inputs)  # raises for anything but numbers
    _, arrays = as_arrays(operation, optional, **inputs)
    for name, array in zip(types, arrays, strict=True):
        object.__setattr__(layer, name, own(array))


def own(array: Array | None) -> Any:
    """Copy a NumPy array; return anything else as it is."""
    return array.copy() if isinstance(array, np.ndarray) else array


def prepare(
    layer: L, operation: str, /, **inputs: ArrayLike[A]
) -> tuple[L, DType[A], list[A]]:
    """Bring inputs and the arrays of a layer to one library and dtype.

    Returns
    -------
    layer : the layer, or a copy of it where its arrays had to be converted
    dtype : what the result is rounded to at the end
    arrays : the inputs
    """
    stored: dict[str, Any] = arrays_of(layer)
    dtype, arrays = as_floats(operation, **inputs, **stored)
    found, converted = arrays[: len(inputs)], arrays[len(inputs) :]
    pairs = zip(stored.values(), converted, strict=True)
    if any(old is not new for old, new in pairs):
        layer = _with_arrays(layer, iter(converted))
    return layer, dtype, found


def arrays_of(layer: Any, prefix: str = "") -> dict[str, Array]:
    """Find all arrays of a layer by name, including those of layers inside it."""
    found = {}
    for name in layer.__dataclass_fields__:
        content = getattr(layer, name)
        if is_array_api_obj(content):
            found[prefix + name] = content
        for i, inner in enumerate(_inner_layers(content)):
            found |= arrays_of(inner, f"{prefix}{name}_{i}_")
    return found


def _with_arrays(layer: Any, arrays: Iterator[Array]) -> Any:
    """Copy a layer with new arrays, given in the order of `arrays_of`."""
    changed = copy.copy(layer)
    for name in layer.__dataclass_fields__:
        content = getattr(layer, name)
        if is_array_api_obj(content):
            object.__setattr__(changed, name, next(arrays))
        elif inner := _inner_layers(content):
            replaced = tuple(_with_arrays(one, arrays) for one in inner)
            is_many = isinstance(content, tuple)
            object.__setattr__(changed, name, replaced if is_many else replaced[0])
    return changed


def _inner_layers(content: Any) -> tuple[Any, ...]:
    """Find the layers in a field: one, or those of a tuple."""
    many = content if isinstance(content, tuple) else (content,)
    return tuple(one for one in many if hasattr(one, "__dataclass_fields__"))


def describe(layer: Any, **sizes: int) -> str:
    """Return the repr of a layer: its class, sizes and the dtype it computes with."""
    dtype, _ = as_floats(type(layer).__name__, **arrays_of(layer))
    shown = ", ".join(f"{name}={size}" for name, size in sizes.items())
    return f"{type(layer).__name__}({shown}, {str(dtype).split('.')[-1]})"
