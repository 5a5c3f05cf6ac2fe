"""Private: what the layers share, which are frozen dataclasses of arrays."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from array_api_compat import is_array_api_obj

from attnlib._arrays import Array, as_arrays, as_floats


def store_arrays(layer: Any) -> None:
    """Turn the array-likes among a layer's fields into real arrays of one library."""
    names = [f.name for f in fields(layer) if str(f.type).startswith("Array")]
    inputs = {name: getattr(layer, name) for name in names}
    operation = type(layer).__name__
    as_floats(operation, **inputs)  # refuses what is not numbers
    _, arrays = as_arrays(operation, **inputs)
    for name, array in zip(names, arrays, strict=True):
        object.__setattr__(layer, name, array)


def arrays_of(layer: Any) -> dict[str, Array]:
    """Find all arrays of a layer, those of the layers inside it included."""
    found = {}
    for f in fields(layer):
        content = getattr(layer, f.name)
        if is_array_api_obj(content):
            found[f.name] = content
        for i, inner in enumerate(content if isinstance(content, tuple) else [content]):
            if hasattr(inner, "__dataclass_fields__"):
                inside = arrays_of(inner).items()
                found |= {f"{f.name}_{i}_{name}": array for name, array in inside}
    return found


def describe(layer: Any, **sizes: int) -> str:
    """Write a layer's sizes and the dtype it computes with."""
    _, dtype, _ = as_floats(type(layer).__name__, **arrays_of(layer))
    shown = ", ".join(f"{name}={size}" for name, size in sizes.items())
    return f"{type(layer).__name__}({shown}, {str(dtype).split('.')[-1]})"
