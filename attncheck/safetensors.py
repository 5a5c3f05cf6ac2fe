"""Read and write .safetensors: the length of a header, the header, the numbers."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

DTYPES = {
    **{"F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "?", "U8": "u1"},
    **{"I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8"},
    "BF16": "<u2",  # the upper half of a float32
}
KINDS = {np.dtype(dtype): kind for kind, dtype in DTYPES.items() if kind != "BF16"}
OPERATION = "read_safetensors"


def read_safetensors(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Read all arrays of a file by name.

    The arrays are views of the file on disk: numbers are read when they are used. Only
    bfloat16, which NumPy does not have, is converted, to float32, which holds it.

    References
    ----------
    The safetensors format: 8 bytes little-endian N, N bytes of JSON, then the data.
    """
    size = Path(path).stat().st_size
    _require(size >= 8, "a file starts with 8 bytes of length", bytes=size)
    raw = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    rule = f"the header must end within the file's {size} bytes"
    _require(start <= size, rule, end=start)
    try:
        header: dict[str, Any] = json.loads(raw[8:start].tobytes())
    except ValueError as error:
        raise ValueError(f"{OPERATION}: the header must be JSON, got {error}") from None
    _require(isinstance(header, dict), "the header names arrays", it=header)
    header.pop("__metadata__", None)
    return {name: _view(raw[start:], name, entry) for name, entry in header.items()}


def _view(data: np.ndarray, name: str, entry: Any) -> np.ndarray:
    try:
        kind, shape = entry["dtype"], tuple(entry["shape"])
        begin, end = entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        rule = f"{name} must have dtype, shape and two data_offsets"
        raise ValueError(f"{OPERATION}: {rule}, got {entry!r}") from None
    rule = f"the dtype of {name} must be one of {', '.join(DTYPES)}"
    _require(kind in DTYPES, rule, dtype=kind)
    length = math.prod(shape) * np.dtype(DTYPES[kind]).itemsize
    rule = f"{name} of shape {shape} must take {length} bytes of the {len(data)}"
    fits = begin >= 0 and begin + length == end <= len(data)
    _require(fits, rule, offsets=[begin, end])
    array = data[begin:end].view(DTYPES[kind]).reshape(shape)
    if kind == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def write_safetensors(
    path: str | os.PathLike[str], arrays: Mapping[str, Any], **metadata: str
) -> None:
    """Write arrays by name."""
    header: dict[str, Any] = {"__metadata__": metadata} if metadata else {}
    parts: list[bytes] = []
    begin = 0
    for name, array in arrays.items():
        array = np.asarray(array)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if array.dtype not in KINDS:
            rule = f"the dtype of {name} must be one of {', '.join(map(str, KINDS))}"
            raise ValueError(f"write_safetensors: {rule}, got {array.dtype}")
        parts.append(array.tobytes())
        end = begin + len(parts[-1])
        kind, shape = KINDS[array.dtype], list(array.shape)
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(header).encode()
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def _require(condition: bool, rule: str, **received: Any) -> None:
    if not condition:
        got = " and ".join(f"{name} {value!r}" for name, value in received.items())
        raise ValueError(f"{OPERATION}: {rule}, got {got}")
