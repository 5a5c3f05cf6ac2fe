"""Find out which known mistakes give exactly what an answer gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from attncourse.practice.engine import findings as general
from attncourse.practice.engine.compare import Judged, judge
from attncourse.practice.engine.constants import constant_number
from attncourse.practice.engine.describe import difference, largest_difference
from attncourse.practice.engine.exercise import Exercise, Mistake
from attncourse.practice.engine.report import Finding
from attncourse.practice.engine.runner import Outcome
from attncourse.practice.engine.unused import holds


def diagnose(
    exercise: Exercise, outcomes: list[Outcome], answer: object = None
) -> tuple[Finding, ...]:
    """List the mistakes by name, then what can be said of any function."""
    judged = [judge(exercise, outcome) for outcome in outcomes]
    named = list(known_mistakes(exercise, judged, answer))
    for sign in exercise.signs:
        named += sign(exercise, judged, [finding.code for finding in named])
    codes = [finding.code for finding in named]
    named += general.findings(exercise, judged, codes, answer)
    return tuple({finding.code: finding for finding in reversed(named)}.values())[::-1]


def known_mistakes(
    exercise: Exercise, judged: list[Judged], answer: object = None
) -> Iterator[Finding]:
    """Name the mistakes that fit every case; else two at once; else one in some cases.

    The last is an answer with a branch: the scale is forgotten for batches alone, say.
    """
    crashed = [one for one in judged if one.got is None]
    judged = [one for one in judged if one.got is not None]
    if all(one.is_explained_by(one.wanted)[0] for one in judged):
        return  # no number is wrong: there is nothing that could tell
    # A small case that fails rules most mistakes out at once.
    judged.sort(key=lambda one: (one.right, one.case.order))
    singles = [(one,) for one in exercise.mistakes]
    pairs = (
        pair
        for pair in combinations(exercise.mistakes, 2)
        if pair[0].steps.keys().isdisjoint(pair[1].steps)
    )
    found = _likeliest(exercise, crashed, judged, _fitting(exercise, judged, singles))
    whole = all(w.dtype.kind in "biu" for one in judged for w in one.wanted)
    if not found and not whole:  # few whole numbers fit many pairs by chance
        found = _fitting(exercise, judged, pairs)
        found = _likeliest(exercise, crashed, judged, found)[:1]
    condition = ""
    if not found and not constant_number([*crashed, *judged]):
        failing = [one for one in judged if not one.right]
        found = _fitting(exercise, failing, singles)[:1]
        condition = _condition(failing, [one for one in judged if one.right])
    likely = [
        (m, at) for m, at in found if all(holds(answer, one.written) for one in m)
    ]
    found = likely or found
    hidden = {code for mistakes, _ in found for one in mistakes for code in one.hides}
    found = [(m, at) for m, at in found if not hidden & {one.code for one in m}]
    for mistakes, telling in found:
        for one in mistakes:
            yield Finding(one.code, _message(exercise, one, telling, condition))


Candidate = tuple[Mistake, ...]


def _fitting(
    exercise: Exercise, judged: list[Judged], candidates: Iterable[Candidate]
) -> list[tuple[Candidate, Judged]]:
    fitting = []
    for candidate in candidates:
        telling = _fits(exercise, judged, candidate)
        if telling is not None:
            fitting.append((candidate, telling))
    return fitting


def _likeliest(
    exercise: Exercise,
    crashed: list[Judged],
    judged: list[Judged],
    found: list[tuple[Candidate, Judged]],
) -> list[tuple[Candidate, Judged]]:
    """Of several that fit, keep those that can be made where an array came back.

    And that cannot where none did: a reshape never stops, a product of two arrays as
    they are does, and where they are square both give the same numbers.
    """
    if len(found) < 2:
        return found
    points = [
        sum(_can_be_made(exercise, one, candidate) for one in judged)
        - sum(_can_be_made(exercise, one, candidate) for one in crashed)
        for candidate, _ in found
    ]
    return [f for f, n in zip(found, points, strict=True) if n == max(points)]


def _can_be_made(exercise: Exercise, one: Judged, candidate: Candidate) -> bool:
    steps = {name: step for each in candidate for name, step in each.steps.items()}
    try:
        exercise.mistaken(one.case, steps)
    except (ValueError, IndexError, ZeroDivisionError, OverflowError):
        return False
    return True


def _fits(
    exercise: Exercise, judged: list[Judged], candidate: Candidate
) -> Judged | None:
    """Return the first case that tells the mistake from a right answer, if it fits."""
    steps = {name: step for one in candidate for name, step in one.steps.items()}
    first = None
    for one in judged:
        try:
            given = exercise.mistaken(one.case, steps, is_kept=len(candidate) == 1)
        except (ValueError, IndexError, ZeroDivisionError, OverflowError):
            # The mistake cannot be made here; whoever made it got something wrong.
            if one.right:
                return None
            continue
        possible, telling = one.is_explained_by(given)
        if not possible:
            return None
        first = first or (one if telling else None)
    return first


def _condition(failing: list[Judged], right: list[Judged]) -> str:
    """Name the cases in which the mistake shows, and those in which it does not."""
    shows = dict.fromkeys(one.case.label for one in failing)
    hides = dict.fromkeys(
        one.case.label for one in right if one.case.label not in shows
    )
    said = f" It shows only with {', '.join(shows)}"
    return f"{said}; with {', '.join(hides)} your answer is right." if hides else ""


def _message(exercise: Exercise, one: Mistake, at: Judged, condition: str) -> str:
    seen = difference(exercise, at, largest_difference(at))
    end = "" if one.look.endswith("?") else "."
    told = f"exactly what you get from {one.cause}.{condition}"
    return f"{seen}: {told} Look at {one.look}{end}"
