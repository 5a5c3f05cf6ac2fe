"""Read runs of attention, of any program in any language: numbers alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from attncheck.claim import Claim, Claimed, Run
from attncheck.exchange import (
    PROBES,
    expected_model,
    guess_formats,
    prepare,
    read_outputs,
)
from attncheck.facts import render
from attncheck.formats import find_format
from attncheck.model.fields import Model
from attncheck.plan import Call
from attncheck.report import Report
from attncheck.search import search
from attncheck.subject import CANONICAL, to_numpy
from attncheck.verify import Scored, judge


def read_run(
    query: Any,
    key: Any,
    value: Any,
    output: Any,
    *,
    dtype: str | None = None,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    window: tuple[int | None, int | None] | None = None,
    query_offset: int = 0,
    layout: str | None = None,
) -> Report:
    """Read one run of attention, of any program in any language.

    What was expected is judged first; then known values of each field, fitted numbers,
    and two values at once: one counts if it explains every number to rounding.

    Parameters
    ----------
    query : array, (..., n_heads, n_queries, d_k)
    key : array, (..., n_kv_heads, n_keys, d_k)
    value : array, (..., n_kv_heads, n_keys, d_v)
    output : array, (..., n_heads, n_queries, d_v)
    dtype : str, optional
        What it computed in: "float32", "tfloat32", "float16", "bfloat16" … By default
        the narrowest format that holds the numbers.
    mask, is_causal, scale, softcap, window, query_offset
        What was expected; as in `attnlib.scaled_dot_product_attention`.
    layout : str, optional
        Of the arrays, "bhnd" by default, or "hnd" or "nd" where there are fewer axes.

    Returns
    -------
    Report
        Facts are those of the model that explains the run.

    Raises
    ------
    ValueError
        If shapes do not go together, or dtype is not a format of ours.

    Examples
    --------
    >>> import numpy as np
    >>> from attnlib import scaled_dot_product_attention
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 2, 9, 8))
    >>> output = scaled_dot_product_attention(q, k, v, scale=1.0)
    >>> print(read_run(q, k, v, output).problems[0].code)
    scale
    """
    told = {"mask": mask, "is_causal": is_causal, "query_offset": query_offset}
    model = expected_model(**told, scale=scale, softcap=softcap, window=window)
    arrays = {"query": query, "key": key, "value": value, "output": output}
    q, k, v, out = prepare(arrays, layout)
    given = [] if dtype is None else [find_format(dtype, "read_run")]
    formats = given or guess_formats(output, q, k, v, out)
    runs = [[Run(q, k, v, out, fmt)] for fmt in formats]
    call = Call("run", len(q), *runs[0][0].sizes)
    report = Report("this run", of="runs")
    layout = layout or CANONICAL[-to_numpy(query).ndim :]
    _read(report, [call], runs, model, layout)
    return report


def read_probes(folder: Path) -> Report:
    """Read what a program wrote beside the probes: all its runs by one model."""
    expected, runs = read_outputs(folder)
    report = Report("this program", of="probes")
    if missing := ", ".join(call.id for call in PROBES if call not in runs):
        report.notes.append(f"No output was found for: {missing}.")
    if not runs:
        report.faults["refused"] = "there are no outputs to read"
        return report
    _read(report, [*runs], [[*runs.values()]], expected_model(**expected))
    return report


def _read(
    report: Report,
    calls: list[Call],
    formats: list[list[Run]],
    model: Model,
    layout: str = CANONICAL,
) -> None:
    """Judge what was expected; look for what else explains all runs.

    `formats` are the same runs, as rounded to one format or another.
    """
    expected = Claim(model)
    with np.errstate(all="ignore"):
        runs, best = _explained(formats, expected)
        report.expected_claim = expected
        render(report, best, calls, runs, layout)
        if not any(run.output.any() for run in runs):
            report.faults["zeros"] = "every number is 0"
        if report.explained:
            report.facts["mask"] = _mask(best.claim, runs[0])


def _explained(formats: list[list[Run]], expected: Claim) -> tuple[list[Run], Scored]:
    """Return the runs in a format in which a claim explains them, and that claim."""
    for runs in formats:
        found = Scored(expected, [judge(run, expected, most=np.inf) for run in runs])
        if found.whole:
            return runs, found
    found = search(formats[0], [expected], None)
    if found.whole or len(formats) == 1:
        return formats[0], found
    return formats[1], search(formats[1], [expected], None)


def _mask(claim: Claimed, run: Run) -> str | None:
    """Say what a mask that was passed means to a claim."""
    codes = {value.code for part in claim.parts for value in part.values}
    if "allowed: may not attend" in codes:
        return "may not attend"
    model = claim.of(run).at(run)
    if model.masked == "after":
        return "multiplied after"
    if claim.parts[0].base.allowed is not None:
        return "may attend"
    return "added" if claim.parts[0].base.bias is not None else None
