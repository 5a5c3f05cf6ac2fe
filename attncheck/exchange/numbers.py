"""Numbers as they lie on disk, in each format."""

from __future__ import annotations

import numpy as np

from attncheck.formats import round_to

STORED = {"float32": "<f4", "float64": "<f8", "float16": "<f2", "bfloat16": "<u2"}


def pack(x: np.ndarray, dtype: str) -> np.ndarray:
    """Return the array as it lies on disk; bfloat16 as the upper half of a float32."""
    if dtype != "bfloat16":
        return x.astype(STORED[dtype])
    bits = round_to(x, dtype).astype("<f4").view("<u4")
    return (bits >> 16).astype("<u2")


def unpack(raw: np.ndarray, dtype: str) -> np.ndarray:
    """Do the reverse: float64."""
    if dtype != "bfloat16":
        return raw.astype(np.float64)
    return (raw.astype("<u4") << 16).view("<f4").astype(np.float64)
