"""Results of a call as arrays, or the name of what they are instead."""

from typing import Any

import numpy as np


class NotArraysError(Exception):
    """Something else came back. Arguments: a finding's code, and what it was."""


def as_arrays(result: Any, returns: tuple[str, ...]) -> tuple[np.ndarray, ...]:
    """Copy a result into plain arrays at once: later changes do not count."""
    if result is None:
        raise NotArraysError("returned-none", "")
    if result is Ellipsis:
        raise NotArraysError("unwritten", "")
    if len(returns) == 1:
        return (_as_array(result),)
    if isinstance(result, tuple | list) and len(result) == len(returns):
        empty = [n for n, x in zip(returns, result, strict=True) if x is None]
        if empty:
            said = f"None for {' and '.join(empty)}, where arrays were expected"
            raise NotArraysError("returned-none", said)
    else:
        wanted = f"{len(returns)} arrays, {', '.join(returns)}"
        raise NotArraysError(
            "wrong-type", f"{_kind(result)}, where {wanted} were expected"
        )
    return tuple(_as_array(one) for one in result)


def _as_array(result: Any) -> np.ndarray:
    try:
        array = np.array(to_numpy(result), subok=False)
    except (ValueError, TypeError, RuntimeError):
        array = None
    least = 1 if array is None else 2  # rows of one length are one array
    if isinstance(result, tuple) and 1 < len(result) < 4 and _holds(result, least):
        raise NotArraysError(
            "wrong-type",
            f"{_kind(result)}, where one array was expected. Return that one alone, "
            "without a comma and what comes after it",
        )
    if isinstance(result, list | tuple) and (array is None or array.dtype.kind == "U"):
        raise NotArraysError("wrong-type", f"{_kind(result)}{_inside(result)}")
    if isinstance(result, np.ndarray) and result.dtype.kind not in "biufc":
        raise NotArraysError("wrong-dtype", f"an array of {result.dtype}")
    if array is None or array.dtype.kind not in "biufc":
        raise NotArraysError(
            "wrong-type", f"{_kind(result)}, where an array was expected"
        )
    return array


def _holds(several: tuple, least: int) -> bool:
    """Tell whether all are arrays with at least `least` axes."""
    return all(isinstance(one, np.ndarray) and one.ndim >= least for one in several)


def _inside(result: Any) -> str:
    """Say why a list cannot become an array of numbers."""
    if len({np.shape(one) for one in result if not _ragged(one)}) > 1:
        return " whose rows differ in length; an array has rows of one length"
    return " that does not hold numbers alone"


def _ragged(one: Any) -> bool:
    try:
        np.shape(one)
    except ValueError:
        return True
    return False


def _kind(result: Any) -> str:
    """Say what something is: "a tuple of 2", "a dict of 3", "a str"."""
    name = type(result).__name__
    sized = isinstance(result, tuple | list | dict | set)
    article = "an" if name[0] in "aeiou" or name == "ndarray" else "a"
    return f"{article} {name}" + (f" of {len(result)}" if sized else "")


def to_numpy(x: Any) -> np.ndarray:
    """Convert lists, and arrays of PyTorch, JAX or CuPy, to NumPy."""
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        x = x.detach().cpu()
        x = x.float() if "bfloat16" in str(x.dtype) else x
    return np.asarray(x.get() if library == "cupy" else x)
