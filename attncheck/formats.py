"""Number formats, and rounding to them."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Format:
    """A floating-point format."""

    name: str
    bits: int  # of precision, the leading 1 included
    smallest: float  # of the numbers that keep all their bits

    @property
    def eps(self) -> float:
        """The gap between 1 and the next number."""
        return 2.0 ** (1 - self.bits)

    @property
    def stored(self) -> str:
        """The dtype that arrays of it have."""
        return "float32" if self.name == "tfloat32" else self.name


FORMATS = {
    "float64": Format("float64", 53, 2.0**-1022),
    "float32": Format("float32", 24, 2.0**-126),
    "tfloat32": Format("tfloat32", 11, 2.0**-126),
    "float16": Format("float16", 11, 2.0**-14),
    "bfloat16": Format("bfloat16", 8, 2.0**-126),
}


def find_format(dtype: object, operation: str) -> Format:
    """Return the format that a dtype of any library names."""
    name = str(getattr(dtype, "name", dtype)).removeprefix("torch.")
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise ValueError(f"{operation}: dtype must be one of {known}, got {dtype!r}")
    return FORMATS[name]


def round_to(x: np.ndarray, name: str) -> np.ndarray:
    """Round to a format, to nearest and ties to even; the result is float64.

    Examples
    --------
    >>> round_to(np.array([257.0, 1.001]), "bfloat16")
    array([256.,   1.])
    """
    if name == "float64":
        return np.asarray(x, np.float64)
    with np.errstate(over="ignore"):
        if name == "float16":
            return np.asarray(x, np.float16).astype(np.float64)
        single = np.asarray(x, np.float32)
    if name == "float32":
        return single.astype(np.float64)
    dropped = 24 - FORMATS[name].bits  # of the 32 bits, from the right
    bits = single.view(np.uint32).astype(np.uint64)
    half = (1 << (dropped - 1)) - 1 + ((bits >> dropped) & 1)
    kept = ((bits + half) >> dropped << dropped).astype(np.uint32).view(np.float32)
    return np.where(np.isfinite(single), kept, single).astype(np.float64)
