"""Arrays on file: raw numbers, .npz and .safetensors."""

from pathlib import Path
from typing import Any

import numpy as np

from attncheck.formats import round_to
from attncheck.plan import Call
from attncheck.safetensors import read_safetensors, write_safetensors

FORMS = ("raw", "npz", "safetensors")
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


def save(
    folder: Path, name: str, arrays: dict[str, np.ndarray], dtype: str, form: str
) -> None:
    """Write arrays in one of FORMS; bfloat16 as float32 where files name dtypes."""
    if form == "raw":
        for what, x in arrays.items():
            pack(x, dtype).tofile(folder / f"{name}.{what}.bin")
        return
    stored = "float32" if dtype == "bfloat16" else dtype
    packed: dict[str, Any] = {what: pack(x, stored) for what, x in arrays.items()}
    if form == "npz":
        np.savez(folder / f"{name}.npz", **packed)
    else:
        write_safetensors(folder / f"{name}.safetensors", packed)


NEEDED = ("query", "key", "value", "output")


def load(path: Path) -> dict[str, Any]:
    """Read the arrays of an .npz or a .safetensors file."""
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return {name: arrays[name] for name in arrays}
    if path.suffix == ".safetensors":
        return dict(read_safetensors(path))
    raise ValueError(f"run: the file must be .npz or .safetensors, got {path.name}")


def load_run(path: Path) -> dict[str, Any]:
    """Read the arrays of a run from a file, by the names that `read_run` takes."""
    arrays = load(path)
    if missing := [name for name in NEEDED if name not in arrays]:
        there = ", ".join(arrays)
        raise ValueError(
            f"the file must hold {', '.join(missing)} too; it holds {there}"
        )
    names = (*NEEDED, "mask", "scores", "weights")
    return {name: arrays[name] for name in names if name in arrays}


def load_output(folder: Path, call: Call, dtype: str, form: str) -> Any:
    """Return the output that a program wrote, or None if it wrote none."""
    b, h, n, d = call.b, call.h, call.n, call.d
    if form == "raw":
        path = folder / f"{call.id}.output.bin"
        if not path.exists():
            return None
        stored = np.fromfile(path, STORED[dtype])
        if stored.size != b * h * n * d:
            rule = f"{path.name} must hold {b * h * n * d} numbers of {dtype}"
            raise ValueError(
                f"read: {rule}, {stored.itemsize} bytes each, (b, h, n, d) = "
                f"{(b, h, n, d)}, got {stored.size}"
            )
        return unpack(stored, dtype).reshape(b, h, n, d)
    for path in (
        folder / f"{call.id}.output.{form}",
        folder / f"{call.id}.{form}",
    ):
        if path.exists() and "output" in (arrays := load(path)):
            return np.asarray(arrays["output"], np.float64)
    return None
