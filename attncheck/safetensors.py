"""Read and write .safetensors: the length of a header, the header, the numbers."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

DTYPES = {
    **{"F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "?", "U8": "u1"},
    **{"I8": "i1", "I16": "<i2", "I32": "<i4", "I64": "<i8"},
    "BF16": "<u2",  # the upper half of a float32
}
KINDS = {np.dtype(dtype): kind for kind, dtype in DTYPES.items() if kind != "BF16"}


def read_safetensors(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Read all arrays of a file by name.

    The arrays are views of the file on disk: numbers are read when they are used. Only
    bfloat16, which NumPy does not have, is converted, to float32, which holds it.

    References
    ----------
    The safetensors format: 8 bytes little-endian N, N bytes of JSON, then the data.
    """
    size = Path(path).stat().st_size
    if size < 8:
        _refuse("a file starts with 8 bytes of length", f"bytes {size}")
    raw = np.memmap(path, np.uint8, "r")
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    if start > size:
        _refuse(f"the header must end within the file's {size} bytes", f"end {start}")
    try:
        header: dict[str, Any] = json.loads(raw[8:start].tobytes())
    except ValueError as error:
        _refuse("the header must be JSON", error)
    if not isinstance(header, dict):
        _refuse("the header names arrays", f"it {header}")
    header.pop("__metadata__", None)
    return {name: _view(raw[start:], name, entry) for name, entry in header.items()}


def _view(data: np.ndarray, name: str, entry: Any) -> np.ndarray:
    try:
        kind, shape = entry["dtype"], tuple(entry["shape"])
        begin, end = entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        _refuse(f"{name} must have dtype, shape and two data_offsets", repr(entry))
    if kind not in DTYPES:
        _refuse(f"the dtype of {name} must be one of {', '.join(DTYPES)}", repr(kind))
    length = math.prod(shape) * np.dtype(DTYPES[kind]).itemsize
    if begin < 0 or begin + length != end or end > len(data):
        rule = f"{name} of shape {shape} must take {length} bytes of the {len(data)}"
        _refuse(rule, f"offsets [{begin}, {end}]")
    array = data[begin:end].view(DTYPES[kind]).reshape(shape)
    if kind == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def _refuse(rule: str, got: object) -> NoReturn:
    raise ValueError(f"read_safetensors: {rule}, got {got}")


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
