"""Recognize an answer that uses the first item of a batch for the whole batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise
from named_mistakes.report import Finding
from named_mistakes.trial import Trial, ordinary


def first_for_all(trial: Trial) -> Iterator[Finding]:
    """Find one input, or all, whose first item is used for the whole batch."""
    wrong = [one for one in ordinary(trial.failing) if one.case.is_batch]
    if not wrong or len(wrong) < len(trial.failing):
        return
    names = [name for name, x in wrong[0].case.inputs.items() if np.ndim(x) > 2]
    if not names:  # no input is more than a batch of rows
        return
    for some in (*([name] for name in names), names):
        if all(_explained(trial.exercise, judged, some) for judged in trial.draws()):
            yield _finding(wrong[0], some)
            return


def _explained(exercise: Exercise, judged: list[Judged], names: list[str]) -> bool:
    """Tell whether that alone accounts for every wrong call, and at least one."""
    wrong = [one for one in ordinary(judged) if not one.right]
    return bool(wrong) and all(_gives(exercise, one, names) for one in wrong)


def _gives(exercise: Exercise, one: Judged, names: list[str]) -> bool:
    """Tell whether the first item, over one or more leading axes, gives this result."""
    if not one.fits or not one.case.is_batch:
        return False
    most = min(np.ndim(one.case.inputs[name]) for name in names)
    for axes in range(1, most):
        inputs = dict(one.case.inputs)
        inputs.update({name: _first(inputs[name], axes) for name in names})
        given = _wanted(exercise, one, inputs)
        if given is not None and all(one.is_explained_by(given)):
            return True
    return False


def _first(x: np.ndarray, axes: int) -> np.ndarray:
    """Repeat the first item along the leading axes."""
    return np.array(np.broadcast_to(x[(0,) * axes], x.shape))


def _wanted(exercise: Exercise, one: Judged, inputs: dict[str, Any]) -> Any:
    try:
        return exercise.wanted(replace(one.case, inputs=inputs))
    except (ValueError, IndexError):
        return None


def _finding(one: Judged, names: list[str]) -> Finding:
    which = f"`{names[0]}`" if len(names) == 1 else "the inputs"
    return Finding(
        "first-for-all",
        f"For {one.case.described()}, your answer is exactly what you get from using "
        f"the first of {which} for the whole batch. Look for an index, or a reshape, "
        "that keeps one of several.",
        explains=("wrong-shape",),
    )
