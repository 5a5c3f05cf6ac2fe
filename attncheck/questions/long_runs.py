"""What is wrong with many tokens alone: blocks of keys, and how they are merged."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.mistakes import Mistake, catalogue
from attncheck.model import BLOCKS, Model
from attncheck.questions.last_check import deviation, surely_near
from attncheck.questions.random_runs import also_explains, run_of, with_ordinary_scores
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found, search
from attncheck.report import Report, lowered
from attncheck.subject import Refused

LONG = 300  # tokens: a multiple of no block
SHORTER = 187  # where the same mistake has to explain all numbers too


def tell_long(case: Case, n: int, where: str, **numbers: float) -> None:
    """Name the known mistake that shows with n tokens; else say where one does."""
    found, fewer = _find(case, n), _explained(case)
    if fewer:
        case.report.details["facts_of_tokens"] = fewer
        if fewer < case.many:
            _take_back(case.report)
    if found is None:
        explain = f", which explain all of {fewer}" if fewer else ""
        words = f"With {n} tokens its outputs do not follow from the facts below"
        case.report.add("wrong-when-long", f"{words}{explain}: {where}.", **numbers)
        return
    for mistake in found.mistakes:
        merged = f"normalized: {found.model.normalized}" == mistake.code
        code = "tail-dropped" if mistake.group == "tail" else mistake.group
        code = "blocks" if merged and found.model.normalized in BLOCKS else code
        shape = (1, 1, SHORTER), SHORTER
        words = mistake.sentence
        sentence = with_ordinary_scores(case, case.model, found, words, shape)
        sentence = _with_many(case, found, fewer, sentence)
        case.report.add(code, sentence, n_tokens=LONG)
    case.report.details["mistakes"] = [mistake.code for mistake in found.mistakes]


def _take_back(report: Report) -> None:
    """Take back how exact its numbers are, with more tokens than the facts hold for."""
    of_more = ("Its outputs agree", "Its numbers are right", "Far from 0")
    for told in (report.sentences, report.notes):
        told[:] = [line for line in told if not line.startswith(of_more)]
    report.but[:] = [x for x in report.but if not x.startswith("its numbers are right")]
    report.details.pop("bits", None)


def _with_many(case: Case, found: Found, fewer: int, sentence: str) -> str:
    """Say that a mistake holds with many tokens only, if few tokens are without it."""
    run = run_of(case, (1, 1, fewer), fewer) if fewer else None
    if run is None or also_explains(run, case.model, found):
        return sentence
    begins = f"With {LONG} tokens, and not with {fewer}: "
    return begins + lowered(sentence)


def _explained(case: Case) -> int:
    """Return a number of tokens that the facts explain, a large one; 0 if none is."""
    for n in (4 * case.n, 2 * case.n, case.n):
        try:
            off = deviation(case, b=1, heads=case.heads, n=n, m=n)
        except Refused:
            continue
        if off.max() <= surely_near(case):
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
    if long.error(case.model, most=EXPLAINED) <= 1:
        return None  # nothing is wrong with one head
    tails = (one for one in catalogue() if one.group == "tail" and case.model.pad == 1)
    for tail in (None, *(tail for tail in tails if _is_dropped(case, tail, long))):
        for found in _explain(long, case.model, tail):
            if all(also_explains(run, case.model, found) for run in others):
                return found
    return None


def _is_dropped(case: Case, tail: Mistake, run: Run) -> bool:
    """Say whether the keys of a tail reach no output, in a run of such sizes."""
    without = tail.change(case.model, run.sizes)
    if without is None:
        return False
    lost = np.flatnonzero(~np.atleast_2d(without.allowed).any(0))
    return are_unseen(case, run.sizes.m, lost)


def _explain(run: Run, model: Model, tail: Mistake | None) -> list[Found]:
    if tail is None:
        return search(run, model, run.format, pairs=False)[:4]
    without = tail.change(model, run.sizes)
    if without is None:
        return []
    both = search(run, without, run.format, pairs=False)[:4]
    return [found._replace(mistakes=(tail, *found.mistakes)) for found in both]


def are_unseen(case: Case, n: int, keys: np.ndarray) -> bool:
    """Say whether no query gets anything of these keys."""
    value = np.zeros((1, 1, n, case.d))
    value[..., keys, :] = 1
    q, k = even_scores(case, n)
    return not np.nan_to_num(case.subject(q, k, value)).any()


def even_scores(case: Case, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return queries and keys whose scores are the same in a row."""
    drawn = case.probes.draw(1, 1, n, case.d)
    if case.probes.of_zero and case.model.rotary is None:
        return drawn, np.ones_like(drawn)
    return np.zeros_like(drawn), drawn
