"""Answers that are right only for some numbers of axes, or for some lengths.

What tells the right calls from the wrong ones has to do so on other draws as well: one
number may be right by luck.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from named_mistakes.axes import suspect
from named_mistakes.compare import Judged
from named_mistakes.describe import difference
from named_mistakes.exercise import Exercise
from named_mistakes.patterns.numbers import sizes
from named_mistakes.report import Finding
from named_mistakes.static import ambiguous
from named_mistakes.trial import Trial, axes_of, ordinary

# The same mistake explains where such an answer stops or gives another shape.
FOLLOWS = ("crashed", "wrong-shape")
COUNTED = (
    "Count axes from the end: -1 and -2 mean the same with any number of axes before "
    "them."
)
STOPPED = (
    "Look at the line where it stopped, and print the shapes of what meets there: axes "
    "are lined up from the last to the first, so an axis of a batch may meet another."
)
DEPENDS = (
    "What your function does depends on how many axes come first: there may be none, "
    "one or several."
)


def no_batch(trial: Trial) -> Iterator[Finding]:
    """Find an answer that is right without leading axes, and wrong with them."""
    if not trial.failing or not all(map(_only_batches_fail, trial.draws())):
        return
    one = trial.failing[0]
    flat = ""
    if one.got is not None and _is_flat(one.got[0], one.wanted[0]):
        length = one.got[0].shape[0]
        flat = f" All its leading axes have become one, of length {length}."
    otherwise = STOPPED if one.got is None else COUNTED
    look = _suspect(trial, one, is_flat=bool(flat)) or otherwise
    yield Finding(
        "no-batch",
        f"{_seen(trial, one)}. It is right without the leading axis.{flat} {look}",
        explains=FOLLOWS,
    )


def number_of_axes(trial: Trial) -> Iterator[Finding]:
    """Find an answer that is right or wrong depending on the number of axes alone."""
    told = _told_by_axes(trial.judged)
    if not told or not all(map(_told_by_axes, trial.draws())):
        return
    wrong, right = told
    look = _suspect(trial, wrong)
    yield Finding(
        "number-of-axes",
        f"{_seen(trial, wrong)}. It is right for {right.case.described()}. {DEPENDS} "
        + (look or "Count axes from the end, and let `...` stand for the others."),
        explains=FOLLOWS,
    )


def sizes_agree(trial: Trial) -> Iterator[Finding]:
    """Find two lengths that are equal wherever the answer is right, and only there."""
    right = [one for one in trial.ordinary if one.right]
    wrong = [one for one in trial.ordinary if not one.right]
    if not right or not wrong or any(one.fits for one in wrong):
        return
    by_case = [sizes(one.case) for one in trial.ordinary]
    names = [name for name in by_case[0] if all(name in s for s in by_case)]
    for a, b in sorted(combinations(names, 2), key=_on_different_axes):
        if all(_right_where_equal(judged, a, b) for judged in trial.draws()):
            yield Finding(
                "sizes-mixed-up",
                f"{_seen(trial, wrong[0])}. It is right for "
                f"{right[0].case.described()}, and wherever {a} and {b} agree: look at "
                "which of the two you take for the other.",
                explains=FOLLOWS,
            )
            return


def _suspect(trial: Trial, one: Judged, *, is_flat: bool = False) -> str:
    """Quote the piece of code to blame: what stopped it, or what counts axes."""
    line = one.outcome.line
    if "truth value" in one.outcome.note:
        return ambiguous(trial.answer, line).strip()
    return suspect(trial.answer, trial.plain, is_flat=is_flat, line=line)


def _seen(trial: Trial, one: Judged) -> str:
    """Say how a call failed: with an error, a wrong shape, or wrong numbers."""
    described = one.case.described()
    if one.got is None:
        note = one.outcome.note
        stopped = f" stopped with {note}" if one.outcome.code == "crashed" else ""
        return f"For {described} your function{stopped or ' gave no array'}"
    if not one.fits:
        pairs = enumerate(zip(one.got, one.wanted, strict=True))
        i = next(i for i, (x, w) in pairs if x.shape != w.shape)
        return difference(trial.exercise, one, (i, None))
    return f"For {described} the answer is wrong"


def _right_where_equal(judged: list[Judged], a: str, b: str) -> bool:
    by_case = [(sizes(one.case), one.right) for one in ordinary(judged)]
    return all(a in s and b in s and (s[a] == s[b]) == right for s, right in by_case)


def _on_different_axes(pair: tuple[str, str]) -> bool:
    a, b = (name.split(" of ")[1:2] for name in pair)
    return a != b


def _told_by_axes(judged: list[Judged]) -> tuple[Judged, Judged] | None:
    """Find a wrong and a right case, if only the numbers of axes distinguish them."""
    some = ordinary(judged)
    right, wrong = [j for j in some if j.right], [j for j in some if not j.right]
    if not right or not wrong:
        return None
    if set(map(axes_of, right)) & set(map(axes_of, wrong)):
        return None
    if len(set(map(axes_of, some))) == len(some) > 2:
        return None  # every case has its own: that tells nothing
    if set(map(_has_none, right)).isdisjoint(map(_has_none, wrong)):
        return None  # a missing input tells them apart
    alike = [j for j in right if _has_none(j) == _has_none(wrong[0])]
    return wrong[0], (alike or right)[0]


def _has_none(one: Judged) -> bool:
    return any(x is None for x in one.case.inputs.values())


def _only_batches_fail(judged: list[Judged]) -> bool:
    batches = [j for j in judged if j.case.is_batch]
    others = [j for j in judged if not j.case.is_batch]
    return all(j.right for j in others) and not any(j.right for j in batches)


def _is_flat(x: np.ndarray, w: np.ndarray) -> bool:
    return x.ndim < w.ndim and x.size == w.size and x.shape[-1:] == w.shape[-1:]


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
