"""Probes: inputs for a program on file, with what was expected; and its outputs."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attncheck.exchange.files import STORED, load_output, save
from attncheck.formats import FORMATS, find_format
from attncheck.plan import Call, row
from attncheck.run import Run
from attncheck.runs import draw

MANIFEST, EXPECTED = "manifest.txt", "expected.json"
PROBES = (
    row("square", (2, 2, 2, 24, 24), "as many queries as keys"),
    row("wide", (1, 2, 2, 16, 48), "fewer queries than keys"),
    row("tall", (1, 2, 2, 48, 16), "more queries than keys"),
    row("one", (1, 2, 2, 1, 33), "a single query"),
    row("groups", (1, 6, 2, 24, 24), "six query heads on two key heads"),
    row("block", (1, 1, 1, 128, 128), "one full block of 128"),
    row("tail", (1, 1, 1, 300, 300), "a multiple of no block"),
    row("far", (1, 1, 1, 32, 32), "scores of tens: a cap", size=6.0),
    row("large", (1, 1, 1, 16, 16), "scores of a thousand", size=300.0),
    row("low", (1, 1, 1, 16, 16), "every score far below 0", size=16.0, kind="low"),
    row("low-tail", (1, 1, 1, 300, 300), "the same, and blocks", size=16.0, kind="low"),
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
    """
    if dtype not in STORED:
        known = ", ".join(STORED)
        raise ValueError(f"probes: dtype must be one of {known}, got {dtype}")
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, call in enumerate(PROBES):
        save(folder, call.id, draw_probe(number, dtype), dtype, form)
        lines.append(" ".join(map(str, call[:7])))
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {"dtype": dtype, "form": form, "expected": expected}
    (folder / EXPECTED).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [call.id for call in PROBES]


def read_outputs(folder: Path) -> Outputs:
    """Read the outputs that a program wrote beside the probes."""
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
