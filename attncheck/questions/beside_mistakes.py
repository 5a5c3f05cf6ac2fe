"""Beside a known mistake: many tokens, other columns of values and of queries."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.model import Model
from attncheck.questions.random_runs import SHAPES, also_explains, run_of
from attncheck.questions.scale import ODD
from attncheck.questions.value_columns import name_scale
from attncheck.reading.search import Found

LONG = 300  # tokens


def ask_beside(case: Case, base: Model, found: Found) -> bool:
    """Ask whether the mistake explains these too; where not, say so.

    Return whether it explains few tokens alone.
    """
    few = _is_of_few(case, base, found)
    _ask_value_columns(case, base, found)
    _ask_columns(case, base, found)
    return few


def _is_of_few(case: Case, base: Model, found: Found) -> bool:
    """Ask whether the mistake explains a long run too; where not, say so."""
    run = run_of(case, (1, 1, LONG), LONG)
    if run is None or also_explains(run, base, found):
        return False
    words = (
        f"ith {LONG} tokens its outputs do not follow from what is said here, "
        f"which explains all of {max(m for _, m in SHAPES)}"
    )
    if found.model.rotary is None:
        case.report.add("wrong-when-long", f"W{words}.")
    else:  # angles may be meant to change with the number of tokens
        case.report.but.append(f"w{words}")
        case.report.details["few_tokens_only"] = True
    return True


def _ask_value_columns(case: Case, base: Model, found: Found) -> None:
    """Ask whether the mistake explains other columns of values; or else √d_v."""
    d, d_v, named = case.d, case.d // 2, case.report.facts["scale_name"]
    run = run_of(case, (1, case.heads, case.many), case.many, d_v=d_v)
    if run is None or also_explains(run, base, found):
        return
    by_values = base.change(scale=d_v**-0.5)
    words = "outputs do not follow from what is said here"
    if named == "1/√d_k" and also_explains(run, by_values, found):
        words = "scores are divided by √d_v, not by √d_k"
        name_scale(case, "1/√d_v")
    begins = f"With {d} columns of queries and keys, and {d_v} of values,"
    case.report.add("value-columns", f"{begins} {words}.")


def _ask_columns(case: Case, base: Model, found: Found) -> None:
    """Ask whether the mistake explains other columns: the scale has a name there."""
    if f"{case.report.facts['scale_name']}".endswith("whatever d_k is"):
        base = base.change(scale=case.report.facts["scale"])
    for d in (case.d // 2, *ODD):
        if d % 2 and found.model.rotary is not None:
            continue  # one column has no other to be rotated with
        run = run_of(case, (1, case.heads, case.many), case.many, d=d)
        if run is not None and not also_explains(run, base, found):
            scale = case.report.facts["scale"]
            said = f" and a scale of {scale:.4g}, which explain" if scale else ""
            case.report.facts["scale"] = case.report.facts["scale_name"] = None
            case.report.add(
                "columns",
                f"With {d} columns its outputs do not follow from what is said here"
                f"{said or ', which explains'} those with {case.d}.",
            )
            return
