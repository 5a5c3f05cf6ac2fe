"""One answer on trial: the outcome of each call, and the findings so far."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np

from named_mistakes.answer import Answer
from named_mistakes.compare import Judged, judge
from named_mistakes.exercise import Exercise
from named_mistakes.report import Finding
from named_mistakes.runner import run

OTHER_DRAWS = 4
AGAIN = 2  # how many of these confirm what one draw shows


@dataclass(frozen=True)
class Trial:
    """What detectors read: the calls of an answer, and the findings so far.

    Parameters
    ----------
    exercise : Exercise
    judged : list of Judged, one for each call
    answer : Answer
    rng : numpy.random.Generator
        Draws other inputs, where what is seen once might be luck.
    named : tuple of Finding
        The findings so far.
    again : list
        Other draws made so far, kept for later detectors.
    """

    exercise: Exercise
    judged: list[Judged]
    answer: Answer
    rng: np.random.Generator
    named: tuple[Finding, ...] = ()
    again: list[list[Judged]] = field(default_factory=list, repr=False)

    @cached_property
    def codes(self) -> set[str]:
        """The codes of the findings so far."""
        return {finding.code for finding in self.named}

    @cached_property
    def parts(self) -> set[str]:
        """What the findings so far are about: "" is the whole answer."""
        return {finding.about for finding in self.named}

    @cached_property
    def ended(self) -> bool:
        """Whether every call came to an end; if not, none is made again."""
        return all(one.outcome.code != "never-ended" for one in self.judged)

    @cached_property
    def failing(self) -> list[Judged]:
        """All calls that gave something wrong, or nothing."""
        return [one for one in self.judged if not one.right]

    @cached_property
    def unexplained(self) -> list[Judged]:
        """The calls with wrong numbers that no finding accounts for."""
        return [one for one in self.failing if one.fits and not self.explains(one)]

    @cached_property
    def ordinary(self) -> list[Judged]:
        """The calls without large numbers."""
        return ordinary(self.judged)

    @cached_property
    def plain(self) -> set[int]:
        """The positions of the arguments with the same number of axes in every case."""
        counts = zip(*map(axes_of, self.judged), strict=True)
        return {i for i, several in enumerate(counts) if len(set(several)) == 1}

    def draws(self) -> Iterator[list[Judged]]:
        """Yield the calls already made, then other draws as they are needed.

        What was right by luck is rarely right again. The other draws leave out calls
        with measured memory, which are slow and few.
        """
        yield self.judged
        for k in range(OTHER_DRAWS):
            if k == len(self.again):
                self.again.append(self._drawn())
            yield self.again[k]

    def others(self) -> Iterator[list[Judged]]:
        """Yield two other draws, to confirm the first; none if a call never ended.

        The first may agree by luck with a mistake that was not made.
        """
        yield from islice(self.draws(), 1, 1 + AGAIN) if self.ended else ()

    def _drawn(self) -> list[Judged]:
        cases = self.exercise.draw(self.rng)
        return [self.call(case) for case in cases if case.room is None]

    def call(self, case) -> Judged:
        """Call the answer once more."""
        exercise, function = self.exercise, self.answer.function
        outcome = run(function, case, exercise.returns, exercise.patience)
        return judge(exercise, outcome)

    def explains(self, one: Judged) -> bool:
        """Tell whether a finding already accounts for every wrong number of a call."""
        if one.case.is_large and "large" in self.parts:
            return True
        pairs = zip(one.got, one.wanted, strict=True)
        if one.fits and all(_is_cut_off(x, w) for x, w in pairs):
            return True
        return one.is_explained_by(one.wanted)[0]


def _is_cut_off(x: np.ndarray, w: np.ndarray) -> bool:
    """Tell whether numbers are right but for lost decimals."""
    return x.dtype.kind in "iu" and bool(np.all(np.abs(x - w) < 1))


def ordinary(judged: list[Judged]) -> list[Judged]:
    """Leave out calls with large numbers, which detectors of their own judge."""
    return [one for one in judged if not one.case.is_large]


def axes_of(one: Judged) -> tuple[int, ...]:
    """Count the axes of each input."""
    return tuple(np.ndim(x) for x in one.case.inputs.values())


def smallest(judged: list[Judged]) -> Judged:
    """Return the call that is easiest to look at."""
    return min(judged, key=lambda one: one.case.order)
