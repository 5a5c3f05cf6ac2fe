"""What is wrong with many tokens alone: blocks of keys, and how they are merged."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.mistakes import Mistake, catalogue
from attncheck.model import BLOCKS, Model
from attncheck.questions.last_check import NEAR, deviation
from attncheck.questions.random_runs import also_explains, run_of
from attncheck.reading.run import Run
from attncheck.reading.search import Found, search
from attncheck.subject import Refused

LONG = 300  # tokens: a multiple of no block
SHORTER = 187  # where the same mistake has to explain all numbers too


def tell_long(case: Case, n: int, where: str, **numbers: float) -> None:
    """Name the known mistake that shows with n tokens; else say where one does."""
    found = _find(case, n)
    if found is None:
        fewer = _explained(case)
        explain = f", which explain all of {fewer}" if fewer else ""
        words = f"With {n} tokens its outputs do not follow from the facts below"
        case.report.add("wrong-when-long", f"{words}{explain}: {where}.", **numbers)
        return
    for mistake in found.mistakes:
        merged = f"normalized: {found.model.normalized}" == mistake.code
        code = "tail-dropped" if mistake.group == "tail" else mistake.group
        code = "blocks" if merged and found.model.normalized in BLOCKS else code
        sentence = mistake.sentence[:1].upper() + mistake.sentence[1:] + "."
        case.report.add(code, sentence, n_tokens=LONG)
    case.report.details["mistakes"] = [mistake.code for mistake in found.mistakes]


def _explained(case: Case) -> int:
    """Return a number of tokens that the facts explain, a large one; 0 if none is."""
    for n in (4 * case.n, 2 * case.n, case.n):
        try:
            off = deviation(case, b=1, heads=case.heads, n=n, m=n)
        except Refused:
            continue
        if off.max() <= NEAR:
            return n
    return 0


def _find(case: Case, n: int) -> Found | None:
    """Look for one mistake, alone or beside a tail that is dropped.

    It has to explain n tokens too, where something was seen to be wrong.
    """
    runs = [run_of(case, (1, 1, size), size) for size in (LONG, SHORTER, n)]
    known = [run for run in runs if run is not None]
    if len(known) < len(runs):
        return None
    long, *others = known
    for tail in (None, *(one for one in catalogue() if one.group == "tail")):
        for found in _explain(long, case.model, tail):
            if all(also_explains(run, case.model, found) for run in others):
                return found
    return None


def _explain(run: Run, model: Model, tail: Mistake | None) -> list[Found]:
    if tail is None:
        return search(run, model, run.format, pairs=False)[:4]
    without = tail.change(model, run.sizes)
    if without is None:
        return []
    both = search(run, without, run.format, pairs=False)[:4]
    return [found._replace(mistakes=(tail, *found.mistakes)) for found in both]
