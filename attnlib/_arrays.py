"""Private: bring the inputs of a call to one library, device and floating dtype.

The functions of attnlib are written against the Python array API standard.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import array_api_compat.numpy as numpy_namespace
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

Array: TypeAlias = Any  # of any library; public signatures say more
A = TypeVar("A")
ArrayLike: TypeAlias = "A | Sequence[Any] | float"
A_co = TypeVar("A_co", covariant=True)
PLAIN = (bool, int, float, complex, list, tuple, range)
UNREADABLE = (ValueError, TypeError, RuntimeError, OverflowError)
FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)


class DType(Protocol[A_co]):
    """The dtype that a result is rounded to; to type checkers also its array type."""


def namespace(x: Array) -> Any:
    """Return the array API namespace of an array's library."""
    return numpy_namespace if type(x) is np.ndarray else array_namespace(x)


def as_arrays(
    operation: str, optional: tuple[str, ...] = (), /, **inputs: ArrayLike[A] | None
) -> tuple[Any, list[A]]:
    """Convert array-likes to arrays of one library on one device.

    Plain Python data becomes NumPy. NumPy arrays mixed with those of another
    library are converted to that library, on the device of its first array. An
    `optional` input may be None, and stays None.
    """
    arrays = [
        None if x is None and name in optional else _readable(operation, name, x)
        for name, x in inputs.items()
    ]
    given = [x for x in arrays if x is not None]
    reference = next((x for x in given if not is_numpy_array(x)), given[0])
    xp = _library(operation, reference, *given)
    return xp, [_join(xp, reference, x) for x in arrays]


def as_floats(
    operation: str, optional: tuple[str, ...] = (), /, **inputs: ArrayLike[A] | None
) -> tuple[DType[A], list[A]]:
    """Convert array-likes to one floating dtype that is safe to compute in.

    Returns
    -------
    dtype : the dtype the result is rounded to at the end
    arrays : the inputs in that dtype, or in float32 where it has only 16 bits
    """
    values: list[Any] = list(inputs.values())
    if _are_ready(values):
        return values[0].dtype, values
    xp, arrays = as_arrays(operation, optional, **inputs)
    given = {n: x for n, x in zip(inputs, arrays, strict=True) if x is not None}
    for name, x in given.items():
        if is_kind(x, "bool"):
            raise ValueError(_not_numbers(operation, name, x))
    # Python lists and numbers have no dtype of their own: they take the arrays'.
    typed = {n: x for n, x in given.items() if not isinstance(inputs[n], PLAIN)}
    dtype = _result_dtype(xp, typed or given)
    working = xp.float32 if xp.finfo(dtype).bits < 32 else dtype
    ready: list[Any] = [None if x is None else cast(x, working) for x in arrays]
    return dtype, ready


def as_integers(operation: str, name: str, x: Array, maximum: int) -> Any:
    """Check an array of integers from 0 to `maximum`; an empty list passes."""
    xp, rule = namespace(x), f"{name} must be integers from 0 to {maximum}"
    if not math.prod(x.shape):
        return cast(x, xp.int32)
    if not is_kind(x, "integral"):
        raise ValueError(f"{operation}: {rule}, got dtype {x.dtype}")
    try:
        found = int(xp.min(x)), int(xp.max(x))
    except NotImplementedError:  # PyTorch can do next to nothing with its uint64
        return as_integers(operation, name, cast(x, xp.int64), maximum)
    except TypeError:  # while jax.jit traces, there are no values to read
        return x
    for wrong in (i for i in found if not 0 <= i <= maximum):
        raise ValueError(f"{operation}: {rule}, got {name} {wrong}")
    return x


def arange(like: Array, stop: int, start: int = 0) -> Any:
    """Return the integers from `start` up to `stop`, on the device of an array."""
    return namespace(like).arange(start, stop, device=device_of(like))


def transposed(x: Array) -> Any:
    """Swap the last two axes."""
    return x.mT if type(x) is np.ndarray else namespace(x).matrix_transpose(x)


def matmul_heads(a: Array, b: Array) -> Any:
    """Compute a @ b, where a head of b may serve several neighboring heads of a.

    Their rows are stacked, so that b need not be repeated.
    """
    shared = a.ndim > 2 and b.ndim > 2 and a.shape[-3] > b.shape[-3] > 1
    if not shared:
        return a @ b
    n_heads, n = a.shape[-3:-1]
    product = stack_groups(a, b.shape[-3]) @ b  # (..., n_kv_heads, group · n, columns)
    shape = (*product.shape[:-3], n_heads, n, product.shape[-1])
    return namespace(a).reshape(product, shape)


def stack_groups(x: Array, n_kv_heads: int) -> Any:
    """Stack the rows of heads that share a kv head: (..., n_kv_heads, group · n, d)."""
    *batch, n_heads, n, d = x.shape
    group = n_heads // n_kv_heads
    return namespace(x).reshape(x, (*batch, n_kv_heads, group * n, d))


def wide_float(x: Array) -> Any:
    """Return float64, or the widest dtype of an array's library and device."""
    xp, device = namespace(x), device_of(x)
    if is_jax_array(x):
        return xp.asarray(1.0).dtype
    try:
        return xp.empty(0, dtype=xp.float64, device=device).dtype
    except (TypeError, RuntimeError):
        return xp.float32


def cast(x: Any, dtype: DType[A]) -> A:
    """Convert an array to a dtype; return it unchanged if it already has that dtype."""
    converted = x.dtype is not dtype
    result: A = namespace(x).astype(x, dtype, copy=False) if converted else x
    return result


def is_kind(x: Array, *kinds: str) -> bool:
    """Tell whether the dtype is of one of these array API kinds, e.g. "integral"."""
    try:
        return bool(namespace(x).isdtype(x.dtype, kinds))
    except TypeError:  # a dtype that is not the library's own
        return False


def join(operation: str, x: Array, reference: Array) -> Any:
    """Convert a NumPy array to the library and device of a reference array."""
    return _join(_library(operation, reference, x), reference, x)


def device_of(x: Array) -> Any:
    """Return the device for new arrays that will be combined with `x`.

    A JAX array may be spread over devices in a way that an array of another shape
    cannot share. JAX moves new arrays where they are needed: None lets it do so.
    """
    return None if is_jax_array(x) else device(x)


def to_numpy(x: Array) -> np.ndarray:
    """Copy an array of any library to NumPy."""
    of_library: Any = x
    if is_torch_array(x):
        of_library = of_library.detach().cpu()
        if "bfloat16" in str(x.dtype):
            of_library = of_library.float()
    return np.asarray(of_library.get() if is_cupy_array(x) else of_library)


def _are_ready(values: list[Any]) -> bool:
    """Tell whether all are NumPy arrays of one dtype, float32 or float64."""
    dtype = getattr(values[0], "dtype", None)
    if dtype is not FLOAT64 and dtype is not FLOAT32:
        return False
    for x in values:  # noqa: SIM110 (a loop is faster than all())
        if type(x) is not np.ndarray or x.dtype is not dtype:
            return False
    return True


def _readable(operation: str, name: str, x: Any) -> Any:
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


def _library(operation: str, reference: Array, *others: Array) -> Any:
    """Return the namespace of arrays that, except NumPy's, must share one library."""
    others = tuple(x for x in others if not is_numpy_array(x))
    try:
        return array_namespace(reference, *others)
    except TypeError:
        arrays = (reference, *others)
        names = sorted({type(x).__module__.split(".")[0] for x in arrays})
        raise ValueError(
            f"{operation}: all arrays must come from one library, got {names}"
        ) from None


def _not_numbers(operation: str, name: str, x: Array) -> str:
    return f"{operation}: {name} must hold real numbers, got dtype {x.dtype}"


def _join(xp: Any, reference: Array, x: Array | None) -> Any:
    if x is None or not is_numpy_array(x) or is_numpy_array(reference):
        return x
    # Copy, because other libraries refuse reversed or read-only views.
    return xp.asarray(np.array(x, order="C"), device=device_of(reference))


def _result_dtype(xp: Any, arrays: dict[str, Any]) -> Any:
    """Promote the floating dtypes; return the default float if all are integers."""
    floating = [x.dtype for x in arrays.values() if is_kind(x, "real floating")]
    return xp.result_type(*floating) if floating else xp.asarray(1.0).dtype
