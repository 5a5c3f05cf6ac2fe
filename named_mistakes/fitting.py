"""Known mistakes that fit an answer: the likely ones, and what follows from them."""

from collections.abc import Iterable

import numpy as np

from named_mistakes.compare import Arrays, Judged
from named_mistakes.exercise import Exercise, Mistake, Steps
from named_mistakes.trial import Trial

Candidate = tuple[Mistake, ...]  # one mistake, or two at once
Fitting = list[tuple[Candidate, Judged]]  # with the first case that tells
IMPOSSIBLE = (ValueError, IndexError, ZeroDivisionError, OverflowError)


def fitting(
    exercise: Exercise, judged: list[Judged], candidates: Iterable[Candidate]
) -> Fitting:
    """List the candidates that give, in every case, what the answer gave."""
    tried = ((one, _fits(exercise, judged, one)) for one in candidates)
    return [(candidate, telling) for candidate, telling in tried if telling]


def confirmed(trial: Trial, found: Fitting, *, in_part: bool = False) -> Fitting:
    """Keep those that fit other draws too; with `in_part`, where the answer is wrong.

    One draw may agree with a mistake by luck, and more easily with two at once.
    """
    for judged in trial.others() if found else ():
        returned = [
            j for j in judged if j.got is not None and not (in_part and j.right)
        ]
        found = [(c, at) for c, at in found if _agrees(trial.exercise, returned, c)]
    return found


def _agrees(exercise: Exercise, judged: list[Judged], candidate: Candidate) -> bool:
    """Tell whether the mistake fits wherever it can be computed."""
    steps = steps_of(candidate)
    for one in judged:
        try:
            given = exercise.mistaken(one.case, steps, is_kept=False)
        except IMPOSSIBLE:
            if one.right:
                return False
            continue
        if not one.is_explained_by(given)[0]:
            return False
    return True


def likeliest(trial: Trial, found: Fitting) -> Fitting:
    """Of several that fit, keep those that raise an error where the answer did.

    A reshape never fails; a product of two arrays as they are may. Where the arrays are
    square, both give the same numbers.
    """
    if len(found) < 2:
        return found
    points = [
        sum(
            (1 if one.got is not None else -1) * _can_be_made(trial, one, candidate)
            for one in trial.judged
        )
        for candidate, _ in found
    ]
    return [f for f, n in zip(found, points, strict=True) if n == max(points)]


def steps_of(candidate: Candidate) -> Steps:
    """Merge the steps of mistakes that were made together."""
    return {name: step for one in candidate for name, step in one.steps.items()}


def _can_be_made(trial: Trial, one: Judged, candidate: Candidate) -> bool:
    try:
        trial.exercise.mistaken(one.case, steps_of(candidate))
    except IMPOSSIBLE:
        return False
    return True


def _fits(
    exercise: Exercise, judged: list[Judged], candidate: Candidate
) -> Judged | None:
    """Return the first case that tells the mistake from a right answer, if it fits."""
    steps, first = steps_of(candidate), None
    for one in judged:
        try:
            given = exercise.mistaken(one.case, steps, is_kept=len(candidate) == 1)
        except IMPOSSIBLE:
            # The mistake raises an error here, so it cannot give a right answer.
            if one.right:
                return None
            continue
        possible, telling = one.is_explained_by(given)
        if not possible or (telling and not first and _gaps_differ(one, given)):
            return None
        first = first or (one if telling else None)
    return first


def _gaps_differ(one: Judged, given: Arrays) -> bool:
    """Tell whether large numbers gave NaN or ∞ where the mistake gives a number.

    The answer lost those numbers in another way, and the rest fits by chance.
    """
    pairs = [*zip(one.got, given, strict=True)] if one.case.is_large else []
    return any(bool(np.any(np.isfinite(g) & ~np.isfinite(x))) for x, g in pairs)


def as_written(trial: Trial, found: Fitting) -> Fitting:
    """Keep those whose code occurs in the answer, if there are any."""
    likely = [
        (candidate, at)
        for candidate, at in found
        if all(trial.answer.holds(one.written) for one in candidate)
    ]
    return likely or found


def not_hidden(found: Fitting) -> Fitting:
    """Leave out those that another one hides."""
    hidden = {code for mistakes, _ in found for one in mistakes for code in one.hides}
    return [(m, at) for m, at in found if not hidden & {one.code for one in m}]


def consequences(trial: Trial, steps: Steps) -> tuple[str, ...]:
    """List the codes of findings that the mistake itself brings about."""
    made = [(one, _made(trial, one, steps)) for one in trial.judged]
    stopped = [given for one, given in made if one.got is None]
    returned = [(one, given) for one, given in made if one.got is not None and given]
    signs = {
        "crashed": all(given is None for given in stopped),
        "wrong-shape": all(
            _same_shapes(*pair) for pair in returned if not pair[0].fits
        ),
        "wrong-dtype": all(_same_kinds(*pair) for pair in returned),
        "nan": all(_same_gaps(*pair) for pair in returned if not pair[0].case.is_large),
    }
    return tuple(code for code, follows in signs.items() if follows)


def _made(trial: Trial, one: Judged, steps: Steps) -> Arrays | None:
    try:
        return trial.exercise.mistaken(one.case, steps)
    except (ValueError, IndexError, ArithmeticError):
        return None


def _same_shapes(one: Judged, given: Arrays) -> bool:
    return [x.shape for x in one.got] == [g.shape for g in given]


def _same_kinds(one: Judged, given: Arrays) -> bool:
    values = one.outcome.values or ()
    return [x.dtype.kind for x in values] == [g.dtype.kind for g in given]


def _same_gaps(one: Judged, given: Arrays) -> bool:
    pairs = zip(one.got, given, strict=True)
    return all(np.array_equal(np.isfinite(x), np.isfinite(g)) for x, g in pairs)
