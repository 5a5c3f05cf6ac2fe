"""Inputs that an answer ignores, or replaces by a number of its own."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import be, difference
from named_mistakes.report import Finding
from named_mistakes.trial import Trial, ordinary, smallest

CALLS, OTHERS = 2, 3  # cases with wrong numbers, and other numbers for each


def ignored(trial: Trial) -> Iterator[Finding]:
    """Find inputs whose numbers, replaced one input at a time, change nothing."""
    seen = _wrong(trial.unexplained)
    if not seen or not any(np.any(one.got[0]) for one in seen):
        return  # zeros everywhere have a reason of their own
    names = [
        name
        for name, x in seen[0].case.inputs.items()
        if _is_unread(trial, name)
        or (
            isinstance(x, np.ndarray)
            and all(_makes_no_difference(trial, one, name) for one in seen)
            and all(
                _makes_no_difference(trial, one, name)
                for judged in trial.others()
                for one in _wrong(judged)
            )
        )
    ]
    if names and len(names) < len(seen[0].case.inputs):
        yield _finding(trial, seen[0], names)


def _wrong(judged: list[Judged]) -> list[Judged]:
    """Choose a few wrong calls that are quick to repeat."""
    some = (j for j in judged if j.fits and not j.right)
    quick = [j for j in some if not j.case.is_large and j.case.room is None]
    return quick[:CALLS]


def _is_unread(trial: Trial, name: str) -> bool:
    """Tell whether the code never reads the parameter that stands for an input."""
    inputs = trial.judged[0].case.inputs
    parameters = dict(zip(inputs, trial.answer.parameters, strict=False))
    read = {n.id for n in trial.answer.nodes if isinstance(n, ast.Name)}
    return bool(read) and name in parameters and parameters[name] not in read


def _makes_no_difference(trial: Trial, one: Judged, name: str) -> bool:
    x = one.case.inputs.get(name)
    if not isinstance(x, np.ndarray):
        return False
    others = [
        trial.call(
            replace(one.case, inputs={**one.case.inputs, name: _other(x, trial.rng)})
        )
        for _ in range(OTHERS)
    ]
    unchanged = [o.got is not None and _same(o.got, one.got) for o in others]
    return all(unchanged) and not all(_same(o.wanted, one.wanted) for o in others)


def _other(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw other numbers of the same shape; whole ones, from the same range."""
    if x.dtype.kind == "b":
        return ~x
    if x.dtype.kind != "f":
        return rng.integers(x.min(), x.max() + 1, x.shape)
    return rng.standard_normal(x.shape).astype(x.dtype)


def _same(a: Any, b: Any) -> bool:
    return all(map(np.array_equal, a, b))


def _finding(trial: Trial, one: Judged, names: list[str]) -> Finding:
    *some, last = names
    said = f"{', '.join(some)} and {last}" if some else last
    output = trial.exercise.returns[0]
    used = "where each of them is used" if len(names) > 1 else f"where {said} is used"
    return Finding(
        "input-ignored",
        f"{difference(trial.exercise, one)}. Your {output} "
        f"{be(output)} the same whatever numbers {said} "
        f"{'hold' if len(names) > 1 else 'holds'}. Look at {used}, and at whether that "
        "reaches what you return.",
    )


def constant_numbers(trial: Trial) -> Iterator[Finding]:
    """Yield the finding of `constant_number`, if there is one."""
    found = constant_number(trial)
    if found:
        yield found


def constant_number(trial: Trial) -> Finding | None:
    """Report an integer input if the answer is right for only one value of it."""
    right = [one for one in trial.ordinary if one.right]
    wrong = [one for one in trial.ordinary if not one.right]
    if len(right) < 2 or not wrong:
        return None
    for name, x in right[0].case.inputs.items():
        if not isinstance(x, int) or isinstance(x, bool) or x == 0:
            continue  # 0 is where an offset makes no difference
        if all(_right_for(judged, name, x) for judged in trial.draws()):
            return Finding(
                "constant-number",
                f"Your function is right wherever {name} is {x}, and not for "
                f"{smallest(wrong).case.described()}. Look at where {name} is used: "
                f"does {x} stand where {name} should?",
            )
    return None


def _right_for(judged: list[Judged], name: str, x: int) -> bool:
    """Tell whether the answer is right where a number is x, and nowhere else."""
    return all(j.right == (j.case.inputs[name] == x) for j in ordinary(judged))
