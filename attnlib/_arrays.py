"""Private: one array library, one device and one floating dtype for a call.

The functions of attnlib are written against the Python array API standard. Each of
them first calls `as_floats`, which turns whatever came in (lists, NumPy arrays,
tensors) into arrays of one library on one device, in a dtype safe to compute in.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from array_api_compat import (
    array_namespace,
    device,
    is_array_api_obj,
    is_cupy_array,
    is_jax_array,
    is_numpy_array,
    is_torch_array,
)

Array: TypeAlias = Any
ArrayLike: TypeAlias = Any

PLAIN = (bool, int, float, complex, list, tuple, range)
OPTIONAL = ("context", "bias", "b_")  # names that may be None start so
UNREADABLE = (ValueError, TypeError, RuntimeError, OverflowError)


def as_arrays(operation: str, **inputs: ArrayLike) -> tuple[Any, list[Array]]:
    """Bring array-likes to one library and one device; an optional None stays None.

    Plain Python data becomes NumPy; NumPy arrays beside another library's arrays join
    that library, on the device of the first of its arrays.
    """
    arrays = {name: _readable(operation, name, x) for name, x in inputs.items()}
    given = [x for x in arrays.values() if x is not None]
    home = next((x for x in given if not is_numpy_array(x)), given[0])
    xp = _library(operation, home, *given)
    return xp, [_join(xp, home, x) for x in arrays.values()]


def as_floats(operation: str, **inputs: ArrayLike) -> tuple[Any, Any, list[Array]]:
    """Bring array-likes to one floating dtype that is safe to compute in.

    Returns
    -------
    xp : the array library's namespace
    dtype : the dtype the result is rounded to at the end
    arrays : the inputs in that dtype, or in float32 where it has only 16 bits
    """
    xp, arrays = as_arrays(operation, **inputs)
    found = dict(zip(inputs, arrays, strict=True))
    given = {name: x for name, x in found.items() if x is not None}
    for name, x in given.items():
        if is_kind(x, "bool"):
            raise ValueError(_not_numbers(operation, name, x))
    # Python lists and numbers have no dtype of their own: they take the arrays'.
    typed = {n: x for n, x in given.items() if not isinstance(inputs[n], PLAIN)}
    dtype = _result_dtype(xp, typed or given)
    working = xp.float32 if xp.finfo(dtype).bits < 32 else dtype
    return xp, dtype, [None if x is None else cast(x, working) for x in arrays]


def cast(x: Array, dtype: Any) -> Array:
    """Convert to a dtype; the array itself where it has that dtype already."""
    return array_namespace(x).astype(x, dtype, copy=False)


def is_kind(x: Array, *kinds: str) -> bool:
    """Tell whether the dtype is of one of these array API kinds, e.g. "integral"."""
    return bool(array_namespace(x).isdtype(x.dtype, kinds))


def beside(operation: str, home: Array, x: Array) -> Array:
    """Bring an array to the library and device of another, if it is NumPy's."""
    return _join(_library(operation, home, x), home, x)


def place(x: Array) -> Any:
    """Say on which device what is combined with an array has to be made.

    JAX moves what is new to where it is needed, and its arrays may lie on many devices,
    in a way that arrays of another shape cannot share: None leaves it to JAX.
    """
    return None if is_jax_array(x) else device(x)


def to_numpy(x: Array) -> np.ndarray:
    """Copy an array of any library to NumPy, to print it."""
    if is_torch_array(x):
        x = x.detach().cpu()
        x = x.float() if "bfloat16" in str(x.dtype) else x
    return x.get() if is_cupy_array(x) else np.asarray(x)


def _readable(operation: str, name: str, x: ArrayLike) -> Array | None:
    if x is None and name.startswith(OPTIONAL):
        return None
    try:
        x = x if is_array_api_obj(x) and not is_numpy_array(x) else np.asarray(x)
    except UNREADABLE as error:
        raise ValueError(
            f"{operation}: {name} must be an array or evenly nested lists of numbers, "
            f"got {type(x).__name__} ({error})"
        ) from None
    if not is_kind(x, "bool", "integral", "real floating"):
        raise ValueError(_not_numbers(operation, name, x))
    return x


def _library(operation: str, home: Array, *others: Array) -> Any:
    """Find the namespace of arrays that must be of one library, NumPy's aside."""
    others = tuple(x for x in others if not is_numpy_array(x))
    try:
        return array_namespace(home, *others)
    except TypeError:
        names = sorted({type(x).__module__.split(".")[0] for x in (home, *others)})
        raise ValueError(
            f"{operation}: all arrays must come from one library, got {names}"
        ) from None


def _not_numbers(operation: str, name: str, x: Array) -> str:
    return f"{operation}: {name} must hold real numbers, got dtype {x.dtype}"


def _join(xp: Any, home: Array, x: Array | None) -> Array | None:
    if x is None or not is_numpy_array(x) or is_numpy_array(home):
        return x
    # A copy, because other libraries refuse views that run backwards or are read-only.
    return xp.asarray(np.array(x, order="C"), device=place(home))


def _result_dtype(xp: Any, arrays: dict[str, Array]) -> Any:
    """Promote the floating dtypes; the default float if there are only integers."""
    floating = [x.dtype for x in arrays.values() if is_kind(x, "real floating")]
    return xp.result_type(*floating) if floating else xp.asarray(1.0).dtype
