"""Ask any attention what it computes, from calls alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from attncheck.claim import Claimed, Run
from attncheck.facts import check_expected, in_our_spelling, render
from attncheck.guess import Readings, guess
from attncheck.plan import MASKS, NAMES, Shapes, check_shapes
from attncheck.report import Report
from attncheck.runs import Runs, as_passed, call_all, draw, draw_mask
from attncheck.search import search
from attncheck.subject import (
    Refused,
    Subject,
    check_arrays,
    find_layout,
    instead_of_a_module,
)
from attncheck.verify import Verdict, judge, one_kind
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
        module = instead_of_a_module(subject.function)
        report.faults["refused"] = module or f"{few} call is refused: {why}"
        report.unseen = []
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
    facts, kind = report.facts, report.facts["empty_row"]
    if any(part.base.places is not None for part in claim.parts):
        report.notes.append(NOT_ASKED)
    elif asked := ask_masks(subject, claim, d):
        report.calls += asked.rows
        facts["mask"] = asked.meaning if asked.explained else None
        if asked.instead and asked.explained:
            report.notes.append(INSTEAD.format(asked.name))
        kind = kind or one_kind(asked.kinds)
    facts["empty_row"] = kind or "not reached"


# Masks that are passed: under which name, with which meaning, and where not.

MASKED = 3000  # where the numbers of their draws begin


# What a mask means, and the field of a model that it sets.
MEANINGS = {
    "may attend": "allowed",
    "may not attend": "allowed",
    "added": "bias",
    "multiplied after": "kept",
}


class Asked(NamedTuple):
    """The rows of the calls with one name and meaning.

    `instead`: the mask takes the place of the causal mask or window.
    """

    name: str
    meaning: str
    instead: bool
    rows: list[dict[str, Any]]
    kinds: set[str]  # what fully masked rows get

    @property
    def explained(self) -> int:
        """How many calls it explains."""
        return sum(row["explained"] for row in self.rows)


def ask_masks(subject: Subject, claim: Claimed, d: int) -> Asked | None:
    """Return the name and the meaning that explain most calls; None: it takes none."""
    tried: list[Asked] = []
    own = any(part.base.window != (None, None) for part in claim.parts)
    for name in names_of(subject):
        for meaning, instead in product(MEANINGS, (False, True) if own else (False,)):
            asked = _ask(subject, claim, Asked(name, meaning, instead, [], set()), d)
            if asked is None:
                break
            tried += [asked] if asked.rows else []  # (or booleans alone are refused)
            if asked.rows and asked.explained == len(asked.rows):
                return asked
        best = max(tried, key=lambda asked: asked.explained, default=None)
        if best is not None and best.explained:
            return best
    return tried[0] if tried else None


def names_of(subject: Subject) -> list[str]:
    """Return the names under which it may take a mask."""
    try:
        parameters = inspect.signature(subject.function).parameters
    except (TypeError, ValueError):
        return [name for name in NAMES if name not in subject.extra]
    own = [name for name in parameters if name.endswith("mask")]
    usual = [name for name in NAMES if name in own]
    open_ended = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    found = dict.fromkeys((*usual, *own, *(NAMES if open_ended else ())))
    named = [name for name in found if name not in subject.extra]
    return [name for name in named if name in own or _is_read(subject, name)]


def _is_read(subject: Subject, name: str) -> bool:
    """Say whether a keyword that is merely let through changes anything."""
    rng = np.random.default_rng(3)
    q, k, v = (subject.round(rng.standard_normal((1, 2, 12, 64))) for _ in range(3))
    mask = np.tril(np.ones((1, 1, 12, 12), bool))
    try:
        same = np.array_equal(subject(q, k, v), subject(q, k, v, **{name: mask}))
    except Refused:
        return True
    return not same


def _ask(subject: Subject, claim: Claimed, asked: Asked, d: int) -> Asked | None:
    """Make all calls with one name and meaning; None where it has no such name.

    Where a mask of pairs without other axes is refused, two axes are items and keys.
    """
    by_pairs = True
    for number, row in enumerate(MASKS):
        if row.mask == "nm" and not by_pairs:
            continue
        call, seen = row._replace(d=d, d_v=d), draw_mask(row, number)
        low = -1.5 if row.hides == "some" else -np.inf  # (−∞ for whole rows)
        mask = np.where(seen, 0.5, low) if asked.meaning == "added" else seen
        passed = as_passed(~mask if asked.meaning == "may not attend" else mask, row)
        arrays = draw(call, MASKED + number, subject.format)
        try:
            output = subject(*arrays, **{asked.name: passed})
        except Refused as error:
            if "unexpected keyword" in str(error):
                return None
            by_pairs &= row.mask != "nm"
            if call.id == "mask-empty":
                asked.kinds.add("refused")
            continue
        run = Run(*arrays, output, subject.format)
        part = claim.of(run)
        part = part.on(window=(None, None), picture=None) if asked.instead else part
        verdict = judge(run, part.plus(**{MEANINGS[asked.meaning]: mask}))
        if verdict.ok and verdict.empty:
            asked.kinds.add(verdict.empty)
        asked.rows.append(rows_of([call], [run], [verdict])[0] | {"mask": asked.name})
    return asked
