"""What a program wrote is read, probe by probe."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from attncheck.exchange.files import load_output
from attncheck.exchange.joining import join
from attncheck.exchange.probes import PROBES, draw
from attncheck.exchange.writing import MEANT
from attncheck.reading.meant import meant_model
from attncheck.reading.read import read_arrays
from attncheck.report import Report


def read_probes(folder: Path, began: Callable[[str], object] | None = None) -> Report:
    """Read the outputs that a program wrote beside the probes, and put them together.

    `began` is called with the name of each probe before it is read. Once no known
    mistake explains a probe, pairs of mistakes are not tried with the others.

    Raises
    ------
    ValueError
        If there is no manifest, or an output has the wrong size.
    """
    if not (folder / MEANT).exists():
        raise ValueError(f"read: no {MEANT} in {folder}: `probes` writes it")
    told = json.loads((folder / MEANT).read_text(encoding="utf-8"))
    dtype, meant = told["dtype"], meant_model(**told["meant"])
    reports: dict[str, Report] = {}
    missing, pairs = [], True
    for number, probe in enumerate(PROBES):
        output = load_output(folder, probe, dtype, told["form"])
        if output is None:
            missing.append(probe.name)
            continue
        if began is not None:
            began(probe.name)
        arrays = {**draw(probe, dtype, number), "output": output}
        report = read_arrays(arrays, meant, dtype=dtype, pairs=pairs)
        reports[probe.name] = report
        pairs = pairs and "unknown" not in {problem.code for problem in report.problems}
    return join(reports, missing)
