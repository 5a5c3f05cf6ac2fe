"""Read runs of attention, of any program in any language: numbers alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.claim import Claim
from attncheck.exchange import expected_model, guess_format, prepare, read_outputs
from attncheck.facts import facts_of
from attncheck.formats import Format
from attncheck.layouts import CANONICAL
from attncheck.libraries import to_numpy
from attncheck.model import Model
from attncheck.plan import Call
from attncheck.report import Report
from attncheck.run import Run
from attncheck.search import search
from attncheck.stages import first_wrong
from attncheck.verify import Verdict, judge
from attncheck.where import rows_of


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
    scores: Any = None,
    weights: Any = None,
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
    scores, weights : array, (..., n_heads, n_queries, n_keys), optional
        What it computed on the way: scores after the scale (and the cap), weights after
        the softmax. The first stage that differs is named.

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
    model = expected_model(
        mask=mask,
        is_causal=is_causal,
        scale=scale,
        softcap=softcap,
        window=window,
        query_offset=query_offset,
    )
    arrays = {"query": query, "key": key, "value": value, "output": output}
    q, k, v, out = prepare(arrays, layout)
    fmt = guess_format(dtype, [out], out, output if dtype is None else None)
    of_inputs = guess_format(dtype, [q, k, v], out, None)
    run = Run(q, k, v, out, fmt)
    b, h, n, d = q.shape
    call = Call("run", b, h, k.shape[1], n, k.shape[2], d, v.shape[3])
    report = Report("this run", of="runs")
    _read(
        report, [call], [run], model, [of_inputs] if of_inputs.bits < fmt.bits else []
    )
    axes = np.ndim(to_numpy(query))
    if report.explained:
        report.facts["layout"] = layout or CANONICAL[-axes:]
    if report.problems:
        ways = {"scores": scores, "weights": weights}
        given = {name: to_numpy(x) for name, x in ways.items() if x is not None}
        report.notes += first_wrong(run, model, given)
    return report


def read_probes(folder: Path) -> Report:
    """Read what a program wrote beside the probes: all its runs by one model."""
    found = read_outputs(folder)
    report = Report("this program", of="probes")
    if found.missing:
        report.notes.append(f"No output was found for: {', '.join(found.missing)}.")
    if not found.runs:
        report.faults["refused"] = "there are no outputs to read"
        return report
    _read(report, found.calls, found.runs, expected_model(**found.expected), [])
    return report


def _read(
    report: Report,
    calls: list[Call],
    runs: list[Run],
    model: Model,
    narrower: list[Format],
) -> None:
    """Judge what was expected; look for what else explains all runs."""
    expected = Claim(model)
    report.expected_claim = report.claim = expected
    with np.errstate(all="ignore"):
        some, verdicts = _explain(report, runs, expected, narrower)
        report.calls = rows_of(calls, some, verdicts, report.claim)
        if not any(run.output.any() for run in runs):
            report.faults["zeros"] = "every number is 0"
        if report.explained and report.claim is not None:
            found = facts_of(report.claim, calls, some, verdicts)
            report.facts, report.apart = found
            report.facts["mask"] = _mask(report.claim, runs[0])


def _explain(
    report: Report, runs: list[Run], expected: Claim, narrower: list[Format]
) -> tuple[list[Run], list[Verdict]]:
    """Fill in the claim; return the runs in the format in which they were judged."""
    for some in (runs, *([replace(r, format=fmt) for r in runs] for fmt in narrower)):
        verdicts = [judge(run, expected, most=np.inf) for run in some]
        if all(verdict.ok for verdict in verdicts):
            report.claim, report.explained = expected, True
            return some, verdicts
    some, found = runs, search(runs, [expected], None)
    if narrower and not found.whole:
        some = [replace(run, format=narrower[0]) for run in runs]
        found = search(some, [expected], None)
    report.claim, report.explained = found.claim, found.whole
    return some, found.verdicts


def _mask(claim: Any, run: Run) -> str | None:
    """Say what a mask that was passed means to a claim."""
    codes = {value.code for part in claim.parts for value in part.values}
    if "allowed: may not attend" in codes:
        return "may not attend"
    model = claim.at(run)
    if model.masked == "after":
        return "multiplied after"
    if claim.parts[0].base.allowed is not None:
        return "may attend"
    return "added" if claim.parts[0].base.bias is not None else None
