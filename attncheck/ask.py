"""Ask any attention what it computes, from calls alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.claim import Claimed
from attncheck.facts import check_expected, in_our_spelling, render
from attncheck.guess import Readings, guess
from attncheck.masks import ask_masks
from attncheck.plan import Shapes, check_shapes
from attncheck.report import Report
from attncheck.runs import Runs, call_all
from attncheck.search import search
from attncheck.subject import (
    Subject,
    check_arrays,
    find_layout,
    instead_of_a_module,
    is_module,
)
from attncheck.verify import Verdict
from attncheck.words import rows_of

LEAST = 3  # calls that are answered: fewer tell nothing
NOT_ASKED = "Masks were not asked: the function's own follows no known rule."
INSTEAD = "With {}=, its own mask is left out: the one passed is all."
STOP = {"nan", "zeros", "not-the-same-twice"}  # no model is looked for


def ask(
    function: Callable[..., Any],
    *,
    expected: dict[str, Any] | None = None,
    layout: str = "bhnd",
    dtype: str = "float32",
    arrays: str | None = None,
    shapes: Shapes | None = None,
    **extra: Any,
) -> Report:
    """Ask an attention function what it computes; its source is never read.

    It is called some hundred times. A model is guessed from a few readings (with the
    identity for values, the output is the weights), and judged on every call.

    Parameters
    ----------
    function : callable
        Called as ``function(query, key, value, **extra)``; gives the output, or a tuple
        that begins with it.
    expected : dict, optional
        Facts that should hold: ``{"alignment": "end", "window": (3, 0)}``. A fact that
        differs is a problem.
    layout : str
        The order of the axes: batch, heads, n (tokens), d. "bnhd", "hnd" and "nd" are
        others.
    dtype : str
        "float32", "float64", "float16" or "bfloat16".
    arrays : str, optional
        "numpy", "torch", "torch:cuda", "jax" or "cupy". By default, what the function
        takes.
    shapes : dict, optional
        What it takes: ``{"d": 128, "n": range(64, 513, 64)}``, for the letters b, h, g
        (key heads), n (queries), m (keys), d and d_v. Else it is called with all sizes,
        and may refuse.
    **extra
        Passed on in every call: ``is_causal=True``.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If expected names an unknown fact or value, if layout, dtype or shapes makes no
        sense, or if there are no such arrays on this machine. Whatever the function
        itself does ends up in the report.

    Examples
    --------
    >>> from attnlib import scaled_dot_product_attention
    >>> report = ask(scaled_dot_product_attention, is_causal=True)
    >>> report.facts["alignment"], report.facts["scale_name"], report.problems
    ('start', '1/√d_k', [])
    """
    expected = in_our_spelling(expected or {})
    check_expected(expected)
    check_arrays(arrays)
    check_shapes(shapes or {})
    subject = Subject(function, layout, dtype, extra, arrays)
    name = getattr(function, "__name__", type(function).__name__)
    report = Report("this function" if name == "<lambda>" else name, expected=expected)
    with np.errstate(all="ignore"):
        subject.layout = find_layout(subject)
        found = call_all(subject, shapes)
        _examine(report, subject, found)
    report.n_calls = subject.n_calls
    report.arrays, report.device = subject.arrays or "", subject.places[0]
    report.notes += _of_outputs(subject)
    return report


def _of_outputs(subject: Subject) -> list[str]:
    """Say where outputs are of another dtype, or lie on another device."""
    given, stored = subject.places[0], subject.format.stored
    found = []
    if subject.gives and subject.gives.removeprefix("torch.") != stored:
        found.append(f"Given {stored}, it gives {subject.gives}.")
    if given != subject.places[1]:
        found.append(f"Given arrays on {given}, it gives one on {subject.places[1]}.")
    return found


def _examine(report: Report, subject: Subject, found: Runs) -> None:
    report.refused = [(call.id, why) for call, why in found.refused]
    missing = [*found.unseen, *(call for call, _ in found.refused)]
    report.unseen = [(call.id, call.shows) for call in missing]
    report.faults = dict(found.faults)
    if not found.runs or (found.refused and len(found.runs) < LEAST):
        why = found.refused[0][1] if found.refused else "no call fits the shapes"
        few = "nearly every" if found.runs else "every"
        report.faults["refused"] = f"{few} call is refused: {why}"
        report.unseen = []
        if is_module(subject.function):
            report.faults["refused"] = instead_of_a_module(subject.function)
        return
    if STOP & set(found.faults):
        wrong = [Verdict(False, None) for _ in found.runs]
        report.calls = rows_of(found.calls, found.runs, wrong)
        report.faults["unexplained"] = "no model was looked for"
        return
    readings = Readings(subject, found.calls)
    best = search(found.runs, guess(readings), readings)
    render(report, best, found.calls, found.runs, subject.layout)
    if not report.explained:
        return
    nan = any(verdict.empty == "nan" and verdict.few for verdict in best.verdicts)
    if nan and report.expected.get("empty_row") != "nan":
        report.faults["nan"] = "a query that its own mask hides every key from gets NaN"
    _tell_masks(report, subject, best.claim, readings.d)


def _tell_masks(report: Report, subject: Subject, claim: Claimed, d: int) -> None:
    """Ask about masks, unless its own was read at the sizes of PLAN alone."""
    facts, asked = report.facts, None
    if any(part.base.places is not None for part in claim.parts):
        report.notes.append(NOT_ASKED)
    else:
        asked = ask_masks(subject, claim, d)
    if asked is not None:
        report.calls += asked.rows
        facts["mask"] = asked.meaning if asked.explained else None
        if asked.instead and asked.explained:
            report.notes.append(INSTEAD.format(asked.name))
        if facts["empty_row"] is None and asked.kinds:
            facts["empty_row"] = "other" if len(asked.kinds) > 1 else min(asked.kinds)
    facts["empty_row"] = facts["empty_row"] or "not reached"
