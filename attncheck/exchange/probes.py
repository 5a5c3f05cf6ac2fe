"""Probes: inputs for a program on file, with what was expected; and its outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attncheck.exchange.files import SAVE, STORED, load_output
from attncheck.formats import FORMATS, find_format
from attncheck.plan import Call
from attncheck.run import Run
from attncheck.runs import draw

MANIFEST, EXPECTED = "manifest.txt", "expected.json"
PROBES = (
    Call("square", 2, 2, 2, 24, 24, shows="as many queries as keys"),
    Call("wide", 1, 2, 2, 16, 48, shows="fewer queries than keys"),
    Call("tall", 1, 2, 2, 48, 16, shows="more queries than keys"),
    Call("one", 1, 2, 2, 1, 33, shows="a single query"),
    Call("groups", 1, 6, 2, 24, 24, shows="six query heads on two key heads"),
    Call("block", 1, 1, 1, 128, 128, shows="one full block of 128"),
    Call("tail", 1, 1, 1, 300, 300, shows="a multiple of no block"),
    Call("far", 1, 1, 1, 32, 32, size=6.0, shows="scores of tens: a cap"),
    Call("large", 1, 1, 1, 16, 16, size=300.0, shows="scores of a thousand"),
    Call(
        "low", 1, 1, 1, 16, 16, size=16.0, kind="low", shows="every score far below 0"
    ),
    Call(
        "low-tail",
        1,
        1,
        1,
        300,
        300,
        size=16.0,
        kind="low",
        shows="the same, and blocks",
    ),
)


class Outputs(NamedTuple):
    """What a program wrote: the probes, their runs, what is missing, what was said."""

    calls: list[Call]
    runs: list[Run]
    missing: list[str]
    expected: dict[str, Any]


def draw_probe(number: int, dtype: str) -> dict[str, np.ndarray]:
    """Draw the inputs of a probe, rounded to a format."""
    arrays = draw(PROBES[number], 1000 + number, FORMATS[dtype])
    return dict(zip(("query", "key", "value"), arrays, strict=True))


def write_probes(
    folder: Path, dtype: str = "float32", form: str = "raw", **expected: Any
) -> list[str]:
    """Write inputs, a manifest, and what is expected; return the names of the probes.

    ``manifest.txt`` has a line for each probe: its name and the numbers b h g n m d.

    Raises
    ------
    ValueError
        If arrays of this dtype cannot be written.
    """
    if dtype not in STORED:
        known = ", ".join(STORED)
        raise ValueError(f"probes: dtype must be one of {known}, got {dtype}")
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, call in enumerate(PROBES):
        SAVE[form](folder, call.id, draw_probe(number, dtype), dtype)
        lines.append(" ".join(map(str, call[:7])))
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {"dtype": dtype, "form": form, "expected": expected}
    (folder / EXPECTED).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [call.id for call in PROBES]


def read_outputs(folder: Path) -> Outputs:
    """Read the outputs that a program wrote beside the probes.

    Raises
    ------
    ValueError
        If there are no probes, or an output has the wrong size.
    """
    if not (folder / EXPECTED).exists():
        raise ValueError(f"read: no {EXPECTED} in {folder}: `probes` writes it")
    told = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
    dtype, found = told["dtype"], Outputs([], [], [], told["expected"])
    for number, call in enumerate(PROBES):
        output = load_output(folder, call, dtype, told["form"])
        if output is None:
            found.missing.append(call.id)
            continue
        q, k, v = draw_probe(number, dtype).values()
        found.calls.append(call)
        found.runs.append(Run(q, k, v, output, find_format(dtype, "read")))
    return found
