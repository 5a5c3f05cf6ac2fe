"""Recognize a number written into an answer that it should take from its input."""

from __future__ import annotations

from collections.abc import Iterator

from named_mistakes.compare import Judged
from named_mistakes.report import Finding
from named_mistakes.trial import Trial, ordinary, smallest


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
