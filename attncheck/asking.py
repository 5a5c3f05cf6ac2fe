"""Ask any attention what it computes, from calls alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.comparing import compare
from attncheck.libraries import check_arrays
from attncheck.meaning import check_meant, in_our_spelling
from attncheck.questions import QUESTIONS
from attncheck.questions.confirm import confirm
from attncheck.questions.fallback import ask_known_mistakes
from attncheck.report import Report
from attncheck.subject import Refused, Subject


def ask(
    function: Callable[..., Any],
    *,
    meant: dict[str, Any] | None = None,
    layout: str | None = "bhnd",
    dtype: str = "float32",
    arrays: str | None = None,
    **extra: Any,
) -> Report:
    """Ask an attention function what it computes; its source is never read.

    It is called with probes. With the identity for values, the output is the weights;
    with queries of 0, the weights are the mask. The rest is reading.

    Parameters
    ----------
    function : callable
        Called as ``function(query, key, value, **extra)``; gives the output, or a tuple
        that begins with it.
    meant : dict, optional
        Facts that should hold: ``{"alignment": "end", "window": (3, 0)}``, or
        ``{"scale": "1/sqrt(d_k)"}``, which is read as 1/√d_k. A fact that
        differs is a problem. Of positions, it may say more:
        ``{"rotary": {"base": 5e5, "interleaved": True}}``, with a configuration's
        `rope_scaling` as `scaling`; ``{"slopes": "published"}`` or a slope for each
        of 8 or 6 heads. Without it, only what nobody can mean is one: NaN on ordinary
        numbers, rows that do not add up, dropped tails, changed arguments, two
        answers to one question.
    layout : str, optional
        The order of the axes: batch, heads, n (tokens), d. "bnhd", "hnd" and "nd" are
        others. If it turns out to be another, the report says which.
    dtype : str
        "float32", "float64", "float16" or "bfloat16".
    arrays : str, optional
        "numpy", "torch", "torch:cuda", "jax" (on its default device) or "cupy". By
        default, what the function takes.
    **extra
        Passed on in every call: ``is_causal=True``. An array that fits no probe is left
        out, and the report says so; of masks, `ask` passes its own.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If meant names an unknown fact or gives it an unknown value, if layout or dtype
        is not one of ours, or if there are no such arrays on this machine. Whatever the
        function itself does ends up in the report.

    Examples
    --------
    >>> from attnlib import scaled_dot_product_attention
    >>> report = ask(scaled_dot_product_attention, is_causal=True)
    >>> report.facts["alignment"], report.facts["scale_name"], report.problems
    ('start', '1/√d_k', [])
    """
    meant = in_our_spelling(meant or {})
    check_meant(meant)
    check_arrays(arrays)
    subject = Subject(function, layout or "bhnd", dtype, extra, arrays)
    name = getattr(function, "__name__", type(function).__name__)
    report = Report("This function" if name == "<lambda>" else name)
    left, right = meant.get("window") or (None, None)
    if left is not None and meant.get("alignment") in ("start", "end"):
        right = right or 0
    case = Case(subject, report, window_meant=(left, right))
    case.rotary_meant = meant.get("rotary", {})
    _examine(case)
    compare(report, meant, layout or "bhnd")
    return report


def _find_sizes(case: Case) -> None:
    """Find sizes that it takes; without arrays that are passed, if they fit none."""
    try:
        case.find_sizes()
        return
    except Refused:
        extra = case.subject.extra
        arrays = [name for name, x in extra.items() if np.ndim(x)]
        if not arrays:
            raise
    case.subject.extra = {name: x for name, x in extra.items() if name not in arrays}
    try:
        case.find_sizes()
    except Refused as error:
        case.report.unexplained = (
            f"With {' and '.join(arrays)} it takes none of the probes, and none "
            f"without: {error}."
        )
        return
    case.report.but.append(f"{' and '.join(arrays)} was left out: it fits no probe")


def _examine(case: Case) -> None:
    try:
        _find_sizes(case)
    except Refused as error:
        case.report.add("refused", f"It takes none of the probes: {error}.")
        return
    if case.report.unexplained:
        return
    for question in QUESTIONS:
        if case.done:
            case.report.unexplained = case.report.unexplained or case.done
            break
        case.probes.begin(question.__name__)
        try:
            with np.errstate(all="ignore"):
                question(case)
        except Exception as error:  # whatever it gives, there is a report
            topic = question.__name__.removeprefix("ask_").replace("_", " ")
            name = "" if isinstance(error, Refused) else f"{type(error).__name__}: "
            case.report.notes.append(f"Not asked about {topic}: {name}{error}.")
    with np.errstate(all="ignore"):
        for last in (ask_known_mistakes, confirm):
            case.probes.begin(last.__name__)
            last(case)
    if "mistakes" not in case.report.details:
        case.report.unexplained = case.report.unexplained or case.unnamed
    case.report.details["calls"] = case.subject.n_calls
    case.report.details["arrays"] = case.subject.arrays
    case.report.details["device"] = case.subject.places[0]
