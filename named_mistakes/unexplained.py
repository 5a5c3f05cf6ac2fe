"""Wrong numbers that no mistake explains: what they share, or where to begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from named_mistakes import patterns
from named_mistakes.compare import Judged
from named_mistakes.describe import difference, example, largest_difference
from named_mistakes.exercise import Exercise
from named_mistakes.report import Finding
from named_mistakes.trial import AGAIN, Trial, smallest

DIFFERS = (
    "Called twice with the same inputs, your function gave different numbers. Look for "
    "random numbers, for np.empty that is not filled, or for something that is kept "
    "from one call to the next."
)


def one_step_more(trial: Trial) -> Iterator[Finding]:
    """Find an extra step applied to the right numbers."""
    if trial.unexplained:
        yield from _seen(trial, patterns.one_step_more)


def in_all(trial: Trial) -> Iterator[Finding]:
    """Find what all wrong numbers share."""
    if trial.unexplained:
        yield from _seen(trial, patterns.pattern)


def _seen(
    trial: Trial, look: Callable[[Exercise, list[Judged]], patterns.Pattern | None]
) -> Iterator[Finding]:
    """Say what all wrong numbers share, if those of other draws share it too."""
    found = look(trial.exercise, trial.judged)
    others = (look(trial.exercise, judged) for judged in trial.others() if found)
    if found and all(other and other.code == found.code for other in others):
        one, code, said = found
        shown = example(trial.exercise, one)
        yield Finding(code, f"For {one.case.described()}, {said}", shown)


def differs(trial: Trial) -> Iterator[Finding]:
    """Call the answer again with the same inputs, and compare."""
    quick = [one for one in trial.unexplained if one.case.room is None]
    for one in quick[-AGAIN:]:  # in a small case, random choices may coincide
        again, values = trial.call(one.case).outcome.values, one.outcome.values
        if again is None or values is None or not all(map(_equal, again, values)):
            yield Finding("differs-each-time", DIFFERS)
            return


def _equal(x: np.ndarray, y: np.ndarray) -> bool:
    return np.array_equal(x, y, equal_nan=True)


def numbers(trial: Trial) -> Iterator[Finding]:
    """Show the smallest failing case, where nothing explains it."""
    if trial.unexplained:
        one, exercise = smallest(trial.unexplained), trial.exercise
        more = "What is said above does not give" if trial.named else ""
        yield Finding(
            "wrong-numbers",
            f"{difference(exercise, one, largest_difference(one))}. "
            f"{more or 'No mistake known here gives'} these numbers: compare the two "
            "step by step.",
            example(exercise, one),
        )
