"""Turn the outcomes of an answer into findings.

The exercise's known mistakes are tried first. If none fits, the answer is called again:
if its results vary, no other finding would hold. Then come the exercise's own detectors
(`signs`), then those for any function. Each sees the findings before it; findings that
only follow from another are dropped. A detector takes a trial and yields findings, if
any; `PLAIN` and `EXPLANATIONS` have them in the order in which they run.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from named_mistakes import basic_checks, batches, patterns
from named_mistakes.answer import Answer
from named_mistakes.batches import first_for_all
from named_mistakes.compare import Judged, judge
from named_mistakes.describe import difference, example
from named_mistakes.exercise import Exercise
from named_mistakes.faded import filled_in, own_lines
from named_mistakes.inputs import constant_numbers, ignored
from named_mistakes.known import known_mistakes
from named_mistakes.near_miss import near_miss, shared_rows, slip
from named_mistakes.report import Finding
from named_mistakes.runner import Outcome
from named_mistakes.static import only_last, unused
from named_mistakes.trial import AGAIN, Trial, smallest

# Wrong numbers that no mistake explains: what they share, or where to begin.

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
            f"{difference(exercise, one)}. "
            f"{more or 'No mistake known here gives'} these numbers: compare the two "
            "step by step.",
            example(exercise, one),
        )


class Detector(NamedTuple):
    """One thing to look for, and why it has this place in the order."""

    find: Callable[[Trial], Iterator[Finding]]
    why: str


# Each of these says what it sees, whatever else is known.
PLAIN = (
    Detector(unused, "a line that does nothing is wrong whatever it was meant to do"),
    Detector(shared_rows, "certain: with rows of their own, all is right"),
    Detector(basic_checks.no_result, "where no array came, nothing can be compared"),
    Detector(basic_checks.shapes, "numbers in the wrong places need no comparing"),
    Detector(basic_checks.dtypes, "of the right shape; but True is no number"),
    Detector(
        basic_checks.not_finite, "of the right kind; but NaN compares with nothing"
    ),
    Detector(
        basic_checks.changed, "all may be right, and the caller's arrays are spoiled"
    ),
)
# What nothing has explained so far gets one explanation: the first that holds.
EXPLANATIONS = (
    Detector(only_last, "certain from the text alone, whatever came of it"),
    Detector(slip, "tried: with that change all is right, so nothing is surer"),
    Detector(filled_in, "tried: of lines filled in, says which; else it is a guess"),
    Detector(one_step_more, "a formula for all numbers; one may fit by chance"),
    Detector(first_for_all, "computed: which input it is; the next says only where"),
    Detector(batches.no_batch, "right without a batch: the formula is, the axes not"),
    Detector(batches.number_of_axes, "the same for other numbers of axes"),
    Detector(near_miss, "tried, too; but of these changes one may fit by chance"),
    Detector(batches.sizes_agree, "right where two lengths agree; before one number,"),
    Detector(constant_numbers, "which may agree with a length by chance"),
    Detector(ignored, "tried: says of which input, where a pattern says only where"),
    Detector(in_all, "what all wrong numbers share, by how sure it is"),
    Detector(numbers, "nothing is known: the smallest case, to compute by hand"),
)


def findings(trial: Trial) -> Iterator[Finding]:
    """Yield the findings that need no known mistake."""
    for detector in PLAIN:
        yield from detector.find(trial)
    if trial.failing and trial.ended and "" not in trial.parts:
        found = (finding for one in EXPLANATIONS for finding in one.find(trial))
        yield from islice(found, 1)


def diagnose(
    exercise: Exercise,
    outcomes: list[Outcome],
    answer: Answer,
    rng: np.random.Generator,
) -> tuple[Finding, ...]:
    """List what is wrong with an answer, the most telling first."""
    judged = [judge(exercise, outcome) for outcome in outcomes]
    trial = Trial(exercise, judged, answer, rng)
    named = [*known_mistakes(trial)] or [*differs(trial)]
    # In a filled-in solution the wrong line can be found; signs would only guess.
    is_filled = bool(own_lines(exercise, answer.quiet))
    is_settled = is_filled or "differs-each-time" in {found.code for found in named}
    for sign in () if is_settled else exercise.signs:
        named += sign(exercise, judged, [finding.code for finding in named])
    named += findings(replace(trial, named=tuple(named)))
    follows = {code for finding in named for code in finding.explains}
    first = {finding.code: finding for finding in reversed(named)}
    return tuple(one for code, one in first.items() if code not in follows)[::-1]
