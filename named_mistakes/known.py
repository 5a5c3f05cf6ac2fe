"""Find out which known mistakes give exactly what an answer gave."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import difference
from named_mistakes.exercise import Case, Mistake
from named_mistakes.fitting import (
    Candidate,
    Fitting,
    as_written,
    confirmed,
    consequences,
    fitting,
    likeliest,
    not_hidden,
    steps_of,
)
from named_mistakes.formula import pairs_in_a_step
from named_mistakes.inputs import constant_number
from named_mistakes.report import Finding
from named_mistakes.trial import Trial, ordinary

LISTED = 3  # cases that are named before the others are counted


def known_mistakes(trial: Trial) -> Iterator[Finding]:
    """Name the mistakes that fit every case; else two at once; else one in some cases.

    The last is an answer with a branch: the scale is forgotten for batches alone, say.
    """
    exercise = trial.exercise
    judged = [one for one in trial.judged if one.got is not None]
    if all(one.is_explained_by(one.wanted)[0] for one in judged):
        return  # no number is wrong: there is nothing that could tell
    # A small case that fails rules most mistakes out at once.
    judged.sort(key=lambda one: (one.right, one.case.order))
    singles: list[Candidate] = [(one,) for one in exercise.mistakes]
    fits = confirmed(trial, fitting(exercise, judged, singles))
    found = likeliest(trial, fits)
    condition = ""
    if not found:
        found = _two_at_once(trial, judged)
    if not found:
        found, condition = _in_some_cases(trial, judged, singles)
    found = not_hidden(as_written(trial, found))
    if _never_computed(trial, found):
        return
    for k, (candidate, at) in enumerate(found):
        yield from _said(trial, candidate, at, condition, is_first=k == 0)


def _two_at_once(trial: Trial, judged: list[Judged]) -> Fitting:
    if all(w.dtype.kind in "biu" for one in judged for w in one.wanted):
        return []  # few whole numbers fit many pairs by chance
    pairs = (
        pair
        for pair in combinations(trial.exercise.mistakes, 2)
        if pair[0].steps.keys().isdisjoint(pair[1].steps)
    )
    found = confirmed(trial, fitting(trial.exercise, judged, pairs))
    if not found:
        at_once = pairs_in_a_step(trial.exercise)
        found = confirmed(trial, fitting(trial.exercise, judged, at_once))
    return likeliest(trial, as_written(trial, found))[:1]


def _in_some_cases(
    trial: Trial, judged: list[Judged], singles: list[Candidate]
) -> tuple[Fitting, str]:
    """Find one that fits wherever the answer is wrong, and say where that is.

    Find none if only large numbers are wrong, where many mistakes give the same, or if
    only one call is wrong and others gave no array: a fit may then be chance.
    """
    failing = [one for one in judged if not one.right]
    alone = len(failing) == 1 and len(judged) < len(trial.judged)
    if alone or not ordinary(failing) or constant_number(trial):
        return [], ""
    right = [one for one in judged if one.right]
    found = fitting(trial.exercise, failing, singles)
    found = as_written(trial, confirmed(trial, found, in_part=True))[:1]
    return found, _condition(failing, right)


def _never_computed(trial: Trial, found: Fitting) -> bool:
    """Tell whether the answer's zeros were never computed, unlike the mistake's.

    A result computed from an input turns into NaN if that input does.
    """
    returned = [one.got[0] for one in trial.judged if one.got is not None]
    if not found or any(x.dtype.kind != "f" or np.any(x) for x in returned):
        return False
    (candidate, at), *_ = found
    names = [name for name, x in at.case.inputs.items() if _is_real(x)]
    return any(_parts_ways(trial, at.case, candidate, name) for name in names)


def _parts_ways(trial: Trial, case: Case, candidate: Candidate, name: str) -> bool:
    """Tell whether NaN in one input reaches only one of the answer and the mistake."""
    lost = np.full_like(case.inputs[name], np.nan)
    case = replace(case, inputs={**case.inputs, name: lost})
    got, given = (
        trial.call(case).got,
        trial.exercise.mistaken(case, steps_of(candidate)),
    )
    return got is None or bool(np.isnan(got[0]).any() != np.isnan(given[0]).any())


def _is_real(x: object) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def _condition(failing: list[Judged], right: list[Judged]) -> str:
    """Name the cases in which the mistake shows, and those in which it does not."""
    shows = dict.fromkeys(one.case.label for one in failing)
    hides = dict.fromkeys(
        one.case.label for one in right if one.case.label not in shows
    )
    if not hides:
        return ""
    if len(hides) < LISTED < len(shows):
        return f" It shows everywhere but with {_listed(hides)}."
    told = f" It shows only with {_listed(shows)}"
    return f"{told}; with {_listed(hides)} your answer is right."


def _listed(labels: Collection[str]) -> str:
    more = len(labels) - LISTED
    some = ", ".join([*labels][:LISTED])
    return f"{some} and {more} more" if more > 0 else some


def _said(
    trial: Trial, candidate: Candidate, at: Judged, condition: str, *, is_first: bool
) -> Iterator[Finding]:
    """Yield the finding for one mistake, or those for two that fit only together."""
    exercise, (one, *others) = trial.exercise, candidate
    seen = difference(exercise, at)
    told = f"{seen}: exactly what you get from"
    if others and others[0].code == one.code:
        (other,), others = others, []
        message = f"{told} {one.cause} and, at once, {other.cause}.{condition}"
    elif others:
        message = f"{told} two mistakes at once. One is {one.cause}.{condition}"
    elif is_first:
        message = f"{told} {one.cause}.{condition}"
    else:
        message = f"The same numbers come from {one.cause}.{condition}"
    explains = consequences(trial, steps_of(candidate))
    yield Finding(one.code, f"{message} {_look(one)}", explains=explains)
    for other in others:
        yield Finding(other.code, f"The other is {other.cause}. {_look(other)}")


def _look(one: Mistake) -> str:
    return f"Look at {one.look}" + ("" if one.look.endswith("?") else ".")
