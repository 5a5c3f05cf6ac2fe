"""Where the questions leave something open: one run, and the known mistakes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.mistakes import Mistake
from attncheck.model import BLOCKS, Model, scale_of
from attncheck.questions.beside_mistakes import ask_beside
from attncheck.questions.random_runs import (
    SHAPES,
    also_explains,
    run_of,
    with_ordinary_scores,
)
from attncheck.questions.withdrawing import withdraw
from attncheck.reading.facts import facts_of
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found, search
from attncheck.report import Report, lowered

SEES = ("Query i sees", "Every query sees every key")  # so a mask is told
# What may be meant is a fact, and no problem.
FACTS = ("scale", "alignment", "window", "offset", "softcap", "position")
MOST = 64  # of what explains one run: so many are tried on the others
# These are no mistakes of softmax attention: something else is computed.
PRODUCTS = ("cosine", "distance", "squared distance")
NO_SOFTMAX = (
    *("normalized: relu", "normalized: linear"),
    *(f"product: {name}" for name in PRODUCTS),
)


def ask_known_mistakes(case: Case) -> None:
    """Call it on random numbers, and look for what gives just its outputs."""
    random = "not-the-same-twice" in {problem.code for problem in case.report.problems}
    open_yet = case.report.unexplained or case.unnamed
    if not open_yet or random or case.hopeless:
        return
    if case.subject.orders:  # outputs were put in another order, to ask the rest
        return
    called = [run_of(case, *shape) for shape in SHAPES]
    if case.report.facts["grouping"] != "refused" and case.sharing:
        called.append(run_of(case, (1, 6, 14), 14, kv_heads=2))
    runs = [run for run in called if run is not None]
    for base in dict.fromkeys((_base(case), Model())):
        found = _explain(runs, base)
        if found is not None:
            base = _whole(case, runs, base, found)
            told = _tell(case, base, found)
            if ask_beside(case, base, found):
                _limit(case.report, told)
            return


def _limit(report: Report, told: list[str]) -> None:
    """Say of what few tokens showed, where many do not follow from it, that it did."""
    most = max(m for _, m in SHAPES)
    report.details["facts_of_tokens"] = most
    report.problems = [
        replace(one, sentence=f"With {most} tokens: {lowered(one.sentence)}")
        if one.sentence in told
        else one
        for one in report.problems
    ]


def _base(case: Case) -> Model:
    """Keep what is known of the mask; all else as it is everywhere."""
    kept = ("window", "corner", "lost")
    known = {name: getattr(case.model, name) for name in kept}
    return Model(**known)


def _explain(runs: list[Run], base: Model) -> Found | None:
    """Find mistakes that explain all runs; none if there was no mistake to see."""
    telling = [run for run in runs if run.error(base, most=EXPLAINED) > 1]
    found: list[Found] = []
    # What is the same in the first run may differ in the last, with shared heads. (A
    # pair of which one alone is seen in the first, was found there as a single one.)
    for asked in dict.fromkeys((0, -1) if telling else ()):
        run, pairs = telling[asked], asked == 0 or _is_single(found)
        found = search(run, base, run.format, large=False, pairs=pairs, alike=True)
        for one in found[:MOST]:
            if all(also_explains(other, base, one) for other in runs):
                return one
    return None


def _is_single(found: list[Found]) -> bool:
    return any(len(one.mistakes) == 1 for one in found)


def _whole(case: Case, runs: list[Run], base: Model, found: Found) -> Model:
    """Take back a dropped tail, if the mistake alone explains what is not seen."""
    whole = base.change(lost=None)
    if whole == base or not all(also_explains(run, whole, found) for run in runs):
        return base
    told = case.report.problems
    told[:] = [problem for problem in told if problem.code != "tail-dropped"]
    return whole


def _is_told(report: Report, mistake: Mistake) -> bool:
    """Say whether the sums of the weights told a mistake already."""
    words = [problem.sentence for problem in report.problems if problem.code == "rows"]
    sentence = mistake.sentence[:1].upper() + mistake.sentence[1:]
    return any(line.startswith(sentence) for line in words)


def _tell_scale_anew(case: Case, facts: dict[str, Any]) -> None:
    """Correct the scale in words, if it was read off weights of no softmax."""
    begins = "Scores are query · key times"
    told = [line for line in case.report.sentences if line.startswith(begins)]
    value = f"{facts['scale']:.4g}"
    if not told or told[0].split()[6] == value:
        return
    words = f"{begins} {value} at d_k = {case.d}: {facts['scale_name']}."
    case.report.sentences[case.report.sentences.index(told[0])] = words


def _tell_scale_by_length(report: Report, found: Found) -> None:
    """Take back a scale that was read off so many tokens, and holds for no others."""
    codes = [mistake.code for mistake in found.mistakes]
    if not any("n_keys" in code or "n_queries" in code for code in codes):
        return
    of_keys = any("n_keys" in code for code in codes)
    report.details["scale_depends_on"] = "keys" if of_keys else "queries"
    begins = "Scores are query · key times"
    report.sentences[:] = [x for x in report.sentences if not x.startswith(begins)]
    report.facts["scale"] = report.facts["scale_name"] = None
    report.details["scale_by_length"] = {}


def _keep_rotary(report: Report, rotary: dict[str, Any], d: int) -> None:
    """Note the rotary positions of a known mistake, as those that were measured are."""
    usual = {"base": 10_000.0, "rotary_dim": d, "interleaved": False}
    report.details["rotary"] = usual | rotary
    report.details["columns"] = d


def _band_of(model: Model) -> tuple[Any, ...]:
    return model.window, model.corner, model.lost


def _tell(case: Case, base: Model, found: Found) -> list[str]:
    """Tell the mistakes, as facts or as problems; return the words of the problems."""
    report, told = case.report, []
    scaled = [x for x in report.sentences if x.startswith("Scores are query")]
    kept = [x for x in report.sentences if "query heads" in x]
    if any(mistake.code in NO_SOFTMAX for mistake in found.mistakes):
        kept = []  # of weights that may be negative, it was not asked
    grouping = report.facts["grouping"] if kept else None
    measured = report.facts["scale"], report.facts["scale_name"]
    mask = [x for x in report.sentences if x.startswith(SEES)]
    banded = any(one.group == "band" for one in found.mistakes)
    if banded or _band_of(base) != _band_of(case.model):
        mask = []
    withdraw(report)
    report.sentences += [*scaled, *mask, *kept]
    report.facts["grouping"] = grouping
    report.unexplained = ""
    if found.model.rotary is not None:
        _keep_rotary(report, found.model.rotary, case.d)
    known = {problem.code for problem in report.problems}
    facts = facts_of(found.model, case.heads, case.heads, case.d)
    names = ("scale", "scale_name", "softcap", "alignment", "window", "normalized")
    if scaled and measured[0] is not None and np.isclose(facts["scale"], measured[0]):
        facts["scale_name"] = measured[1]  # by other columns, too
    report.facts.update({name: facts[name] for name in names})
    _tell_scale_anew(case, facts)
    for mistake in found.mistakes:
        words = with_ordinary_scores(case, base, found, mistake.sentence, SHAPES[1])
        group = mistake.code.partition(":")[0]
        if group == "scale":
            report.facts["scale_name"] = mistake.code.partition(": ")[2]
        if group in ("position", "rotary"):
            report.facts["position"] = "alibi" if "alibi" in mistake.code else "rotary"
        if found.model.normalized in BLOCKS:
            group = "blocks"
        elif group == "normalized" and facts["normalized"] == "no":
            group = "rows"
        if mistake.code == "mask: −10,000 for −∞":
            report.facts["empty_row"] = "mean"
            report.sentences.append("A query that may attend to nothing gets a mean.")
        elif mistake.code in NO_SOFTMAX:
            report.unexplained = words
            report.facts["scale"] = report.facts["scale_name"] = None
        elif group in FACTS or group in known or _is_told(report, mistake):
            report.sentences.append(words)
        else:
            report.add(group, words, **{"share of rounding": found.share})
            told.append(words)
    report.details["mistakes"] = [mistake.code for mistake in found.mistakes]
    _tell_scale_by_length(report, found)
    scale = scale_of(found.model.scale, case.d, case.heads)
    report.details["scale"] = float(np.round(scale, 9))
    return told
