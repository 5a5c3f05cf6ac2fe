"""From what came back to what is said of it.

An exercise's known mistakes are asked first, then its own signs, then what can be said
of any function. Each adds to what is known, and what only follows from something else
is not said.
"""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.answer import Answer
from attncourse.practice.engine.compare import judge
from attncourse.practice.engine.detectors import findings
from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.engine.known import known_mistakes
from attncourse.practice.engine.report import Finding
from attncourse.practice.engine.runner import Outcome
from attncourse.practice.engine.trial import Trial


def diagnose(
    exercise: Exercise,
    outcomes: list[Outcome],
    answer: Answer,
    rng: np.random.Generator,
) -> tuple[Finding, ...]:
    """List what is wrong with an answer, the most telling first."""
    judged = [judge(exercise, outcome) for outcome in outcomes]
    named = list(known_mistakes(Trial(exercise, judged, answer, rng)))
    for sign in exercise.signs:
        named += sign(exercise, judged, [finding.code for finding in named])
    named += findings(Trial(exercise, judged, answer, rng, tuple(named)))
    follows = {code for finding in named for code in finding.explains}
    first = {finding.code: finding for finding in reversed(named)}
    return tuple(one for code, one in first.items() if code not in follows)[::-1]
