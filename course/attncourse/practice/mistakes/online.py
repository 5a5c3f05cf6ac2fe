"""Attention in one pass over the keys, and what is forgotten when the maximum rises."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.mistakes.blocks import block_sizes
from named_mistakes.compare import Judged
from named_mistakes.describe import difference, largest_difference
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding

# What stays as it was: whether the sum does, and whether the output does.
LEFT = {
    "the sum and the output": (True, True),
    "the output": (False, True),
    "the sum": (True, False),
}


def not_rescaled(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Read the keys in blocks of every size, and leave what was collected as it was."""
    # In a long text there are too many sizes to try.
    seen = [j for j in judged if j.got is not None and not j.case.room]
    if not seen or set(named) - {"overflow"} or all(j.right for j in seen):
        return
    seen.sort(key=lambda j: (j.right, j.case.order))
    for size in block_sizes(seen):
        for what, left in LEFT.items():
            at = _first_telling(seen, size, left)
            if at:
                yield _finding(exercise, at, what)
                return


def _first_telling(seen: list[Judged], size: int, left: tuple) -> Judged | None:
    telling = []
    for one in seen:
        possible, tells = one.is_explained_by((_one_pass(one.case, size, *left),))
        if not possible:
            return None
        telling += [one] * tells
    return min(telling, key=lambda j: j.case.order) if telling else None


def _one_pass(case: Case, size: int, sum_left: bool, output_left: bool) -> np.ndarray:
    query, key, value, *mask = case.inputs.values()
    scores = query @ key.mT / query.shape[-1] ** 0.5
    for seen in mask:
        scores = np.where(seen, scores, -np.inf)
    largest = np.maximum.accumulate(scores, axis=-1)
    largest[np.isneginf(largest)] = 0.0  # of keys that are all hidden
    ends = [min(j - j % size + size, key.shape[-2]) - 1 for j in range(key.shape[-2])]
    left = np.exp(scores - largest[..., ends])
    right = np.exp(scores - largest[..., -1:])
    total = (left if sum_left else right).sum(axis=-1, keepdims=True)
    return (left if output_left else right) @ value / np.where(total == 0, 1, total)


def maximum_not_kept(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Lose all only where scores fall from one block to the next, or only if they rise.

    Its code is that of any exponential too large; what is special is where to look.
    """
    large = [j for j in judged if j.case.is_large and j.got is not None]
    apart = [j for j in large if j.case.inputs["key"].shape[-2] > 100]
    if len(apart) != 2 or not all(j.right for j in judged if not j.case.is_large):
        return
    lost = [not np.isfinite(j.got[0]).all() for j in apart]
    # One maximum for all queries loses only those whose scores lie far below it.
    if sum(lost) != 1 or np.isfinite(apart[lost.index(True)].got[0]).any():
        return
    one = apart[lost.index(True)]
    where, look = (
        ("first keys score far above all later", "keep the larger of the old and the")
        if lost[0]
        else ("later keys score far above the first", "let it rise from the old to the")
    )
    yield Finding(
        "overflow",
        f"For {one.case.described()}, whose {where} ones, your function gives numbers "
        f"that are not finite. Look at the maximum when a new block comes: {look} new "
        "one.",
        about="large",
    )


def first_keys_hidden(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Give NaN to the queries whose first keys are hidden, and to no others."""
    seen = [j for j in judged if j.fits and not j.case.is_large]
    if named or not seen:
        return
    for size in range(1, min(j.case.inputs["key"].shape[-2] for j in seen)):
        if all(_lost_at_the_start(j, size) for j in seen):
            yield _hidden_at_first(min(seen, key=lambda j: j.case.order), size)
            return


def _lost_at_the_start(one: Judged, size: int) -> bool:
    (got,), (wanted,) = one.got, one.wanted
    mask = np.broadcast_to(one.case.inputs["mask"], (*got.shape[:-1], _n_keys(one)))
    hidden = ~mask[..., :size].any(axis=-1)
    right = np.isclose(got, wanted, rtol=1e-6, atol=1e-9).all(axis=-1)
    return bool(np.all(np.isnan(got).all(axis=-1) == hidden) and np.all(right | hidden))


def _n_keys(one: Judged) -> int:
    return one.case.inputs["key"].shape[-2]


def _hidden_at_first(at: Judged, size: int) -> Finding:
    first = "key is" if size == 1 else f"{size} keys are"
    return Finding(
        "first-keys-hidden",
        f"For {at.case.described()}, a query whose first {first} hidden gets NaN, and "
        "every other query is right. Look at the largest score so far, before any key "
        "was allowed, and at what is subtracted from it.",
        explains=("nan",),
    )


def _finding(exercise: Exercise, at: Judged, what: str) -> Finding:
    seen = difference(exercise, at, largest_difference(at))
    return Finding(
        "not-rescaled",
        f"{seen}: exactly what you get from leaving {what} of earlier keys unchanged "
        "when a larger score comes. Look at what was subtracted from their scores, and "
        "at what is subtracted from the new one.",
    )
