"""Ask any attention what it computes, from calls alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.fallback import ask_known_mistakes
from attncheck.first_calls import ask_keys, ask_layout, ask_roles, ask_twice
from attncheck.given_masks import ask_mask
from attncheck.habits import ask_arguments, ask_large, ask_tails
from attncheck.last_check import ask_all_at_once
from attncheck.places import ask_position
from attncheck.report import FACTS, Report
from attncheck.scores_of import ask_cap, ask_scale
from attncheck.sharing import ask_grouping
from attncheck.subject import Refused, Subject
from attncheck.sums import ask_sums
from attncheck.who_sees_whom import ask_axis, ask_band

QUESTIONS = (
    *(ask_twice, ask_roles, ask_layout, ask_axis, ask_keys, ask_band, ask_position),
    *(ask_scale, ask_cap, ask_sums, ask_grouping, ask_mask, ask_tails, ask_large),
    *(ask_all_at_once, ask_arguments),
)
# A fact of None may say that there is none, or that it could not be told.
MAY_BE_NONE = ("softcap", "window", "position", "mask")


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
        Facts that should hold: ``{"alignment": "end", "window": (3, 0)}``. A fact that
        differs is a problem. Without it, only what nobody can mean is one: NaN on
        ordinary numbers, rows that do not add up, dropped tails, changed arguments,
        two answers to one question.
    layout : str, optional
        The order of the axes: batch, heads, n (tokens), d. "bnhd", "hnd" and "nd" are
        others. If it turns out to be another, the report says which.
    dtype : str
        "float32", "float64", "float16" or "bfloat16".
    arrays : str, optional
        "numpy", "torch", "torch:cuda" or "jax". By default, what the function takes.
    **extra
        Passed on in every call: ``is_causal=True``.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If meant names an unknown fact, or layout or dtype is not one of ours. Whatever
        the function itself does ends up in the report.

    Examples
    --------
    >>> from attnlib import scaled_dot_product_attention
    >>> report = ask(scaled_dot_product_attention, is_causal=True)
    >>> report.facts["alignment"], report.facts["scale_name"], report.problems
    ('start', '1/√d_k', [])
    """
    unknown = set(meant or {}) - set(FACTS)
    if unknown:
        rule = f"meant names facts: {', '.join(FACTS)}"
        raise ValueError(f"ask: {rule}, got {', '.join(map(repr, sorted(unknown)))}")
    subject = Subject(function, layout or "bhnd", dtype, extra, arrays)
    name = getattr(function, "__name__", type(function).__name__)
    report = Report("This function" if name == "<lambda>" else name)
    _examine(Case(subject, report))
    _compare(report, meant or {}, layout or "bhnd")
    return report


def _examine(case: Case) -> None:
    try:
        case.find_sizes()
    except Refused as error:
        case.report.add("refused", f"It takes none of the probes: {error}.")
        return
    for question in QUESTIONS:
        if case.done:
            case.report.unexplained = case.report.unexplained or case.done
            break
        try:
            with np.errstate(all="ignore"):
                question(case)
        except Exception as error:  # whatever it gives, there is a report
            topic = question.__name__.removeprefix("ask_").replace("_", " ")
            name = "" if isinstance(error, Refused) else f"{type(error).__name__}: "
            case.report.notes.append(f"Not asked about {topic}: {name}{error}.")
    with np.errstate(all="ignore"):
        ask_known_mistakes(case)
    case.report.details["calls"] = case.subject.n_calls
    case.report.details["arrays"] = case.subject.arrays


def _compare(report: Report, meant: dict[str, Any], layout: str) -> None:
    """Put what differs from what was meant first; drop what was meant after all."""
    if meant:
        meant = {"layout": layout, **meant}
    wrong = [name for name in meant if not _agrees(report.facts, name, meant[name])]
    if "normalized" in meant and "normalized" not in wrong:
        report.problems = [p for p in report.problems if p.code != "rows"]
    universal, report.problems = report.problems, []
    told = [name for name in wrong if _is_told(report, name)]
    for name in told:
        report.add(
            name.replace("_", "-"),
            f"{name} was meant to be {meant[name]!r}; it is {report.facts[name]!r}.",
            **_numbers(report, name),
        )
    report.problems += universal
    if untold := [name for name in wrong if name not in told]:
        words = f"Could not be told: {', '.join(untold)}."
        report.unexplained = f"{report.unexplained} {words}".strip()


def _is_told(report: Report, name: str) -> bool:
    """Say whether a fact was found out: of some, None says that there is none."""
    if report.facts[name] is not None:
        return True
    if name == "window":
        return report.facts["alignment"] is not None
    known = report.facts["scale"] is not None
    return name in MAY_BE_NONE and known and not report.unexplained


def _agrees(facts: dict[str, Any], name: str, wanted: Any) -> bool:
    found = facts[name]
    if name == "scale" and isinstance(wanted, str):
        return bool(facts["scale_name"] == wanted)
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return list(wanted) == list(found)
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return math.isclose(found, wanted, rel_tol=0.01)
    return bool(found == wanted)


def _numbers(report: Report, name: str) -> dict[str, Any]:
    """Find the numbers that show a fact."""
    shown: dict[str, dict[str, Any]] = {
        "scale": report.details.get("scales", {}),
        "scale_name": report.details.get("scales", {}),
        "normalized": {},
    }
    return shown.get(name, {})
