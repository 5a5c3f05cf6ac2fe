"""Read a .safetensors file: the length of a header, the header in JSON, the numbers."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.checks import require

DTYPES = {
    **{"F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "?", "U8": "u1"},
    **{"I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8"},
}
OPERATION = "read_safetensors"


def read_safetensors(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Read all arrays of a file by name.

    The arrays are views of the file on disk: numbers are read when they are used.

    Raises
    ------
    ValueError
        If the file is cut off, its header makes no sense, or a dtype is not NumPy's.

    References
    ----------
    The safetensors format: 8 bytes little-endian N, N bytes of JSON, then the data.
    """
    path = Path(path)
    size = path.stat().st_size
    require(size >= 8, OPERATION, "a file starts with 8 bytes of length", bytes=size)
    raw = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    rule = f"the header must end within the file's {size} bytes"
    require(start <= size, OPERATION, rule, end=start)
    header = _header(raw[8:start].tobytes())
    return {name: _view(raw[start:], name, entry) for name, entry in header.items()}


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{OPERATION}: the header must be JSON, got {error}") from None
    require(isinstance(header, dict), OPERATION, "the header names arrays", it=header)
    header.pop("__metadata__", None)
    return header


def _view(data: np.ndarray, name: str, entry: dict[str, Any]) -> np.ndarray:
    try:
        kind, shape = entry["dtype"], tuple(entry["shape"])
        begin, end = entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        rule = f"{name} must have dtype, shape and two data_offsets"
        raise ValueError(f"{OPERATION}: {rule}, got {entry!r}") from None
    rule = f"the dtype of {name} must be one of {', '.join(DTYPES)}"
    require(kind in DTYPES, OPERATION, rule, dtype=kind)
    dtype = np.dtype(DTYPES[kind])
    length = math.prod(shape) * dtype.itemsize
    rule = f"{name} of shape {shape} must take {length} bytes of the {len(data)}"
    fits = begin >= 0 and end == begin + length and end <= len(data)
    require(fits, OPERATION, rule, offsets=[begin, end])
    return data[begin:end].view(dtype).reshape(shape)
