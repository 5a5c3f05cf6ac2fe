"""Turn the outcomes of an answer into findings.

The exercise's known mistakes are tried first. If none fits, the answer is called again:
if its results vary, no other finding would hold. Then come the exercise's own detectors
(`signs`), then those for any function. Each sees the findings before it; findings that
only follow from another are dropped.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from named_mistakes.answer import Answer
from named_mistakes.compare import judge
from named_mistakes.detectors import findings
from named_mistakes.exercise import Exercise
from named_mistakes.faded import own_lines
from named_mistakes.known import known_mistakes
from named_mistakes.report import Finding
from named_mistakes.runner import Outcome
from named_mistakes.trial import Trial
from named_mistakes.unexplained import differs


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
