"""Probes are written for a program, with what was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attncheck.exchange.files import SAVE
from attncheck.exchange.numbers import STORED
from attncheck.exchange.probes import PROBES, draw

MANIFEST, MEANT = "manifest.txt", "meant.json"


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
        arrays = draw(probe, dtype, number)
        SAVE[form](folder, probe.name, arrays, dtype)
        lines.append(" ".join([probe.name, *map(str, probe.shape)]))
    (folder / MANIFEST).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {"dtype": dtype, "form": form, "meant": meant}
    (folder / MEANT).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return [probe.name for probe in PROBES]
