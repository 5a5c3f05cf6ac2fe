"""For programs that Python cannot call: probes on file, outputs read again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attncheck.formats import round_to
from attncheck.reading import read_run
from attncheck.report import Report
from attncheck.safetensors import read_safetensors, write_safetensors

MANIFEST, MEANT = "manifest.txt", "meant.json"
NAMES = ("query", "key", "value", "mask", "output", "scores", "weights")
STORED = {"float32": "<f4", "float64": "<f8", "float16": "<f2", "bfloat16": "<u2"}

NEEDED = ("query", "key", "value", "output")


class Probe(NamedTuple):
    """The sizes of a probe, b h g n m d, and how large its numbers are."""

    name: str
    shape: tuple[int, int, int, int, int, int]
    size: float = 1.0
    low: bool = False


PROBES = (
    Probe("square", (2, 2, 2, 24, 24, 64)),
    Probe("wide", (1, 2, 2, 16, 48, 64)),
    Probe("tall", (1, 2, 2, 48, 16, 64)),
    Probe("one", (1, 2, 2, 1, 33, 64)),
    Probe("groups", (1, 6, 2, 24, 24, 64)),
    Probe("block", (1, 1, 1, 128, 128, 64)),
    Probe("tail", (1, 1, 1, 300, 300, 64)),
    Probe("far", (1, 1, 1, 32, 32, 64), size=2.5),
    Probe("large", (1, 1, 1, 16, 16, 64), size=60.0),
    Probe("low", (1, 1, 1, 16, 16, 64), low=True),
)


def write_probes(
    folder: Path, dtype: str = "float32", form: str = "raw", **meant: Any
) -> list[str]:
    """Write inputs, a manifest, and what is meant; return the names of the probes.

    ``manifest.txt`` has a line for each probe: its name and the numbers b h g n m d.
    """
    if dtype not in STORED:
        raise ValueError(
            f"probes: dtype must be one of {', '.join(STORED)}, got {dtype}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, probe in enumerate(PROBES):
        arrays = _draw(probe, dtype, number)
        SAVE[form](folder, probe.name, arrays, dtype)
        lines.append(" ".join([probe.name, *map(str, probe.shape)]))
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {"dtype": dtype, "form": form, "meant": meant}
    (folder / MEANT).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [probe.name for probe in PROBES]


def _draw(probe: Probe, dtype: str, number: int) -> dict[str, Any]:
    b, h, g, n, m, d = probe.shape
    rng = np.random.default_rng([16, number])
    shapes = {"query": (b, h, n, d), "key": (b, g, m, d), "value": (b, g, m, d)}
    arrays = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    size = min(probe.size, 16.0) if dtype == "float16" else probe.size
    arrays["query"], arrays["key"] = size * arrays["query"], size * arrays["key"]
    if probe.low:
        side = 16.0 if dtype == "float16" else 128.0
        arrays["query"] = np.full(shapes["query"], side)
        arrays["key"] = np.full(shapes["key"], -side)
    return {name: round_to(x, dtype) for name, x in arrays.items()}


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


def _save_raw(folder: Path, name: str, arrays: dict[str, Any], dtype: str) -> None:
    for what, x in arrays.items():
        pack(x, dtype).tofile(folder / f"{name}.{what}.bin")


def _save_npz(folder: Path, name: str, arrays: dict[str, Any], dtype: str) -> None:
    stored = "float32" if dtype == "bfloat16" else dtype
    packed: dict[str, Any] = {what: pack(x, stored) for what, x in arrays.items()}
    np.savez(folder / f"{name}.npz", **packed)


def _save_safetensors(
    folder: Path, name: str, arrays: dict[str, Any], dtype: str
) -> None:
    stored = "float32" if dtype == "bfloat16" else dtype
    packed = {what: pack(x, stored) for what, x in arrays.items()}
    write_safetensors(folder / f"{name}.safetensors", packed)


SAVE: dict[str, Callable[..., None]] = {
    "raw": _save_raw,
    "npz": _save_npz,
    "safetensors": _save_safetensors,
}


def _load_output(folder: Path, probe: Probe, dtype: str, form: str) -> Any:
    """Return the output that a program wrote, or None if it wrote none."""
    b, h, _, n, _, d = probe.shape
    if form == "raw":
        path = folder / f"{probe.name}.output.bin"
        if not path.exists():
            return None
        found = unpack(np.fromfile(path, STORED[dtype]), dtype)
        if found.size != b * h * n * d:
            rule = f"{path.name} must hold {b * h * n * d} numbers of {dtype}"
            raise ValueError(
                f"read: {rule}, (b, h, n, d) = {(b, h, n, d)}, got {found.size}"
            )
        return found.reshape(b, h, n, d)
    for path in (
        folder / f"{probe.name}.output.{form}",
        folder / f"{probe.name}.{form}",
    ):
        if path.exists() and "output" in (arrays := load(path)):
            return np.asarray(arrays["output"], np.float64)
    return None


def load(path: Path) -> dict[str, Any]:
    """Read the arrays of an .npz or a .safetensors file.

    Raises
    ------
    ValueError
        If the file is neither.
    """
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return {name: arrays[name] for name in arrays}
    if path.suffix == ".safetensors":
        return dict(read_safetensors(path))
    raise ValueError(f"run: the file must be .npz or .safetensors, got {path.name}")


def load_run(path: Path) -> dict[str, Any]:
    """Read the arrays of a run from a file, by the names that `read_run` takes.

    Raises
    ------
    ValueError
        If the file is neither .npz nor .safetensors, or lacks an array.
    """
    arrays = load(path)
    if missing := [name for name in NEEDED if name not in arrays]:
        there = ", ".join(arrays)
        raise ValueError(
            f"the file must hold {', '.join(missing)} too; it holds {there}"
        )
    names = (*NEEDED, "mask", "scores", "weights")
    return {name: arrays[name] for name in names if name in arrays}


def read_probes(folder: Path) -> Report:
    """Read the outputs that a program wrote beside the probes, and put them together.

    Raises
    ------
    ValueError
        If there is no manifest, or an output has the wrong size.
    """
    if not (folder / MEANT).exists():
        raise ValueError(f"read: no {MEANT} in {folder}: `probes` writes it")
    told = json.loads((folder / MEANT).read_text(encoding="utf-8"))
    dtype, form, meant = told["dtype"], told["form"], told["meant"]
    reports: dict[str, Report] = {}
    missing = []
    for number, probe in enumerate(PROBES):
        output = _load_output(folder, probe, dtype, form)
        if output is None:
            missing.append(probe.name)
            continue
        arrays = _draw(probe, dtype, number)
        reports[probe.name] = read_run(**arrays, output=output, dtype=dtype, **meant)
    return _join(reports, missing)


def _join(reports: dict[str, Report], missing: list[str]) -> Report:
    """Make one report: each problem once, with the probes that show it."""
    whole = Report("This program")
    if not reports:
        whole.unexplained = "There are no outputs to read."
        return whole
    shown: dict[str, list[str]] = {}
    last = sorted(reports.items(), key=lambda item: item[0] == "one")
    for name, report in last:
        for problem in report.problems:
            if name == "one" and problem.code in {p.code for p in whole.problems}:
                continue  # a single query fits several alignments
            shown.setdefault(problem.sentence, []).append(name)
            whole.problems += [problem] if len(shown[problem.sentence]) == 1 else []
    for sentence, names in shown.items():
        whole.notes.append(f"{', '.join(names)}: {sentence}")
    _join_facts(whole, reports)
    unclear = {n: r.unexplained for n, r in reports.items() if r.unexplained}
    whole.unexplained = "; ".join(f"{n}: {words}" for n, words in unclear.items())
    right = [name for name, report in reports.items() if report.status == 0]
    if right:
        whole.sentences.append(f"Right: {', '.join(right)}.")
    if missing:
        whole.notes.append(f"No output was found for: {', '.join(missing)}.")
    whole.details["probes"] = {
        name: report.as_dict() for name, report in reports.items()
    }
    return whole


def _join_facts(whole: Report, reports: dict[str, Report]) -> None:
    """Take each fact from the probe that can tell it."""
    first = next(iter(reports.values()))
    whole.facts = dict(first.facts)
    sources = {"alignment": "wide", "window": "wide", "empty_row": "tall"}
    sources |= {"grouping": "groups", "large_scores": "large"}
    for fact, name in sources.items():
        report = reports.get(name)
        if report is not None and report.facts[fact] is not None:
            whole.facts[fact] = report.facts[fact]
