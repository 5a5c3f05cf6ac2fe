"""The words of the checker to someone who made a known mistake."""

from __future__ import annotations

from typing import Any

import numpy as np

from named_mistakes.checking import verdict
from named_mistakes.exercise import Case, Exercise, Mistake


def said_of(exercise: Exercise, mistake: Mistake) -> str:
    """Return the words of the verdict on an answer that makes one mistake.

    Raises
    ------
    LookupError
        If the verdict names another mistake.
    """
    names = list(exercise.draw(np.random.default_rng(0))[0].inputs)

    def answer(*inputs: Any) -> Any:
        case = Case("", dict(zip(names, inputs, strict=True)))
        first, *more = exercise.mistaken(case, mistake.steps)
        return (first, *more) if more else first

    findings = verdict(exercise, answer, np.random.default_rng(0)).findings
    said = [found.message for found in findings if found.code == mistake.code]
    if not said:
        named = [found.code for found in findings]
        raise LookupError(f"{exercise.name}: {mistake.code} is said to be {named}")
    return said[0]
