"""Recognize a number that an answer holds where it should ask for it."""

from __future__ import annotations

from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.report import Finding


def constant_number(judged: list[Judged]) -> Finding | None:
    """Find a number given for which the answer is right, and for no other."""
    ordinary = [j for j in judged if not j.case.is_large]
    right = [j for j in ordinary if j.right]
    wrong = [j for j in ordinary if not j.right]
    if len(right) < 2 or not wrong:
        return None
    for name, x in right[0].case.inputs.items():
        if not isinstance(x, int) or isinstance(x, bool) or x == 0:
            continue  # 0 is where an offset makes no difference
        others = {j.case.inputs[name] for j in wrong}
        if {j.case.inputs[name] for j in right} == {x} and x not in others:
            one = min(wrong, key=lambda j: j.case.order)
            return Finding(
                "constant-number",
                f"Your function is right wherever {name} is {x}, and not for "
                f"{one.case.described()}. Look at where {name} is used: does {x} stand "
                f"where {name} should?",
            )
    return None
