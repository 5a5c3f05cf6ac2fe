"""The detectors that apply to any function, in the order in which they run.

Each takes a trial and yields findings, if any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from named_mistakes import batches, came, unexplained
from named_mistakes.constants import constant_numbers
from named_mistakes.faded import filled_in
from named_mistakes.first_of_batch import first_for_all
from named_mistakes.ignored import ignored
from named_mistakes.near_miss import near_miss, shared_rows, slip
from named_mistakes.report import Finding
from named_mistakes.rounds import only_last
from named_mistakes.trial import Trial
from named_mistakes.unused import unused


class Detector(NamedTuple):
    """One thing to look for, and why it has this place in the order."""

    find: Callable[[Trial], Iterator[Finding]]
    why: str


# Each of these says what it sees, whatever else is known.
PLAIN = (
    Detector(unused, "a line that does nothing is wrong whatever it was meant to do"),
    Detector(shared_rows, "certain: with rows of their own, all is right"),
    Detector(came.nothing_came, "where no array came, nothing can be compared"),
    Detector(came.shapes, "numbers in the wrong places need no comparing"),
    Detector(came.dtypes, "of the right shape; but True is no number"),
    Detector(came.not_finite, "of the right kind; but NaN compares with nothing"),
    Detector(came.changed, "all may be right, and the caller's arrays are spoiled"),
)
# What nothing has explained so far gets one explanation: the first that holds.
EXPLANATIONS = (
    Detector(only_last, "certain from the text alone, whatever came of it"),
    Detector(slip, "tried: with that change all is right, so nothing is surer"),
    Detector(filled_in, "tried: of lines filled in, says which; else it is a guess"),
    Detector(
        unexplained.one_step_more, "a formula for all numbers; one may fit by chance"
    ),
    Detector(first_for_all, "computed: which input it is; the next says only where"),
    Detector(batches.no_batch, "right without a batch: the formula is, the axes not"),
    Detector(batches.number_of_axes, "the same for other numbers of axes"),
    Detector(near_miss, "tried, too; but of these changes one may fit by chance"),
    Detector(batches.sizes_agree, "right where two lengths agree; before one number,"),
    Detector(constant_numbers, "which may agree with a length by chance"),
    Detector(ignored, "tried: says of which input, where a pattern says only where"),
    Detector(unexplained.in_all, "what all wrong numbers share, by how sure it is"),
    Detector(
        unexplained.numbers, "nothing is known: the smallest case, to compute by hand"
    ),
)


def findings(trial: Trial) -> Iterator[Finding]:
    """Yield the findings that need no known mistake."""
    for detector in PLAIN:
        yield from detector.find(trial)
    if trial.failing and trial.ended and "" not in trial.parts:
        found = (finding for one in EXPLANATIONS for finding in one.find(trial))
        yield from islice(found, 1)
