"""For programs that Python cannot call: arrays on file, probes, outputs read again."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.claim import Run
from attncheck.formats import FORMATS, Format, round_to
from attncheck.model.fields import Model
from attncheck.plan import PLAN, Call
from attncheck.runs import draw
from attncheck.safetensors import read_safetensors
from attncheck.subject import CANONICAL, to_numpy


def prepare(arrays: dict[str, Any], layout: str | None) -> list[np.ndarray]:
    """Bring arrays of any library to (b, h, n, d) in float64."""
    found = {name: to_numpy(x) for name, x in arrays.items()}
    axes = {x.ndim for x in found.values()}
    names = layout or CANONICAL[-max(axes) :]
    shapes = ", ".join(f"{name} {x.shape}" for name, x in found.items())
    if axes != {len(names)} or not 2 <= len(names) <= 4:
        raise ValueError(
            "read_run: all arrays must have two, three or four axes, as 'nd', 'hnd' or "
            f"'bhnd', or as layout says; got {shapes}"
        )
    order = [names.index(letter) for letter in CANONICAL if letter in names]
    missing = tuple(i for i, letter in enumerate(CANONICAL) if letter not in names)
    moved = (x.transpose(order) for x in found.values())
    q, k, v, o = (np.expand_dims(x, missing) for x in moved)
    fits = k.shape[:3] == v.shape[:3] and q.shape[0] == k.shape[0]
    fits = fits and q.shape[3] == k.shape[3] and q.shape[1] % k.shape[1] == 0
    if not fits or o.shape != (*q.shape[:3], v.shape[3]):
        raise ValueError(
            "read_run: query (b, h, n, d), key (b, g, m, d), value (b, g, m, d_v) and "
            f"output (b, h, n, d_v) must go together, h a multiple of g; got {shapes}"
        )
    return [q, k, v, o]


def guess_formats(stored: Any, *arrays: np.ndarray) -> list[Format]:
    """Find the format of query, key, value, output, and a narrower one of the inputs.

    The output's is that of its numbers: at most that of `stored`, the array as given.
    """
    *inputs, output = arrays
    of_inputs = _narrowest(np.concatenate([x.ravel() for x in inputs]))
    of_output = _narrowest(output)
    name = str(getattr(stored, "dtype", "")).removeprefix("torch.")
    found = min(of_output, FORMATS.get(name, of_output), key=lambda fmt: fmt.bits)
    return [found, of_inputs] if of_inputs.bits < found.bits else [found]


def _narrowest(x: np.ndarray) -> Format:
    """Return the narrowest format that holds all of these numbers."""
    x = x.ravel()[:: max(1, x.size // 20_000)]
    x = x[np.isfinite(x)]
    names = ("bfloat16", "float16", "float32")
    held = (name for name in names if np.array_equal(round_to(x, name), x))
    few = len(np.unique(np.abs(x))) < 16  # zeros and ones tell nothing
    return FORMATS["float64" if few else next(held, "float64")]


def expected_model(
    *,
    mask: Any = None,
    is_causal: bool = False,
    alignment: str | None = None,
    scale: float | str | None = None,
    softcap: float | None = None,
    window: tuple[int | None, int | None] | None = None,
    query_offset: int = 0,
) -> Model:
    """Return the model that keywords of `scaled_dot_product_attention` mean.

    `alignment` is a fact: "start" or "end" is causal; a scale may have a name.
    """
    left, right = window or (None, None)
    model = Model(
        scale="1/√d_k" if scale is None else scale,
        softcap=softcap,
        window=(left, 0 if is_causal or alignment in ("start", "end") else right),
        alignment="end" if alignment == "end" else "start",
        offset=query_offset,
    )
    if mask is None:
        return model
    array = np.asarray(mask.detach().cpu() if hasattr(mask, "detach") else mask)
    if array.dtype == bool:
        return model.change(allowed=array)
    if array.dtype.kind not in "fV":
        rule = "mask must be boolean (True = may attend) or floating (added)"
        raise ValueError(f"read_run: {rule}, got dtype {array.dtype}")
    return model.change(bias=array.astype(np.float64))


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
    if missing := ", ".join(name for name in NEEDED if name not in arrays):
        there = ", ".join(arrays)
        raise ValueError(f"the file must hold {missing} too; it holds {there}")
    return {name: x for name, x in arrays.items() if name in (*NEEDED, "mask")}


def load_output(path: Path, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Read the raw numbers of an output (b, h, n, d) that a program wrote."""
    stored, size = np.fromfile(path, STORED[dtype]), math.prod(shape)
    if stored.size != size:
        raise ValueError(
            f"read: {path.name} must hold {size} numbers of {dtype}, {stored.itemsize} "
            f"bytes each, (b, h, n, d) = {shape}, got {stored.size}"
        )
    return unpack(stored, dtype).reshape(shape)


MANIFEST, EXPECTED = "manifest.txt", "expected.json"
PROBE = 1000  # where the numbers of their draws begin
PROBED = {  # the rows of PLAN that a program is asked
    *("plain", "more-keys", "more-queries", "one-query", "shared", "length-128"),
    *("long", "large-10", "large-300", "low", "low-300"),
}
PROBES = tuple(call for call in PLAN if call.id in PROBED)


def write_probes(folder: Path, dtype: str = "float32", **expected: Any) -> list[str]:
    """Write inputs, a manifest, and what is expected; return the names of the probes.

    ``manifest.txt`` has a line for each probe: its name and the numbers b h g n m d.
    """
    if dtype not in STORED:
        known = ", ".join(STORED)
        raise ValueError(f"probes: dtype must be one of {known}, got {dtype}")
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, call in enumerate(PROBES):
        arrays = draw(call, PROBE + number, FORMATS[dtype])
        for what, x in zip(NEEDED, arrays, strict=False):
            pack(x, dtype).tofile(folder / f"{call.id}.{what}.bin")
        lines.append(" ".join(map(str, call[:7])))
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {"dtype": dtype, "expected": expected}
    (folder / EXPECTED).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [call.id for call in PROBES]


def read_outputs(folder: Path) -> tuple[dict[str, Any], dict[Call, Run]]:
    """Return what was expected, and the probes whose outputs a program wrote."""
    if not (folder / EXPECTED).exists():
        raise ValueError(f"read: no {EXPECTED} in {folder}: `probes` writes it")
    told = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
    dtype, runs = told["dtype"], {}
    for number, call in enumerate(PROBES):
        path = folder / f"{call.id}.output.bin"
        if path.exists():
            output = load_output(path, (call.b, call.h, call.n, call.d_v), dtype)
            inputs = draw(call, PROBE + number, FORMATS[dtype])
            runs[call] = Run(*inputs, output, FORMATS[dtype])
    return told["expected"], runs
