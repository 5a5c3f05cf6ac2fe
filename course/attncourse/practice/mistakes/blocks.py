"""Attention by blocks of keys: what is held of them, what is lost, how they join."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attncourse.practice.mistakes.normalization import stable
from named_mistakes.compare import Judged
from named_mistakes.describe import difference
from named_mistakes.exercise import Case, Exercise
from named_mistakes.report import Finding

Sign = Callable[[Exercise, list[Judged], list[str]], Iterator[Finding]]
Way = Callable[[np.ndarray, np.ndarray, int], np.ndarray]
Ways = tuple[tuple[str, str, str, Way], ...]  # a code, the cause, where to look
USUAL = (16, 20, 25, 30, 32, 50, 64, 100, 128, 200, 256)


def all_scores_held(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Hold as much at once as the scores of all queries and keys take."""
    for one in judged:
        if one.case.room is None or one.outcome.held <= one.case.room:
            continue
        n_queries, n_keys = (one.case.inputs[x].shape[-2] for x in ("query", "key"))
        held, table = one.outcome.held / 1000, n_queries * n_keys * 8 / 1000
        yield Finding(
            "all-scores-held",
            f"For {one.case.described()} your function holds {held:.0f} kB at once; a "
            f"table of all {n_queries} × {n_keys} scores takes {table:.0f} kB. Look "
            "for an array with a row for every query and a column for every key, or "
            "for a list of all blocks: add what a block gives to what you have "
            "collected, and forget its scores before the next.",
            about="memory",
        )


def _said_of(ways: Ways) -> Sign:
    """Make a sign: one of these ways, with blocks of some size, fits all calls."""

    def sign(
        exercise: Exercise, judged: list[Judged], named: list[str]
    ) -> Iterator[Finding]:
        seen = _seen(judged)
        if not seen or set(named) - {"overflow"} or all(j.right for j in seen):
            return
        tries = ((way, size) for way in ways for size in _block_sizes(seen))
        for (code, cause, look, way), size in tries:
            if at := _first_telling(seen, way, size):
                told = f"{difference(exercise, at)}: exactly what you get from {cause}"
                yield Finding(code, f"{told}. Look at {look}.")
                return

    return sign


def _seen(judged: list[Judged]) -> list[Judged]:
    """Leave out long texts, of which there are too many sizes to try."""
    seen = [j for j in judged if j.got is not None and not j.case.room]
    return sorted(seen, key=lambda j: (j.right, j.case.order))


def _block_sizes(seen: list[Judged]) -> list[int]:
    """List the numbers of keys that a block may have: all small ones, some large."""
    most = max(_n_keys(j) for j in seen)
    return [n for n in (*range(1, 13), *USUAL) if n < most]


def _first_telling(seen: list[Judged], way: Way, size: int) -> Judged | None:
    """Return the simplest call that tells a mistake, if it fits all."""
    telling = []
    for one in seen:
        with np.errstate(all="ignore"):
            given = way(*_scores(one.case), size)
            possible, tells = one.is_explained_by((given,))
        if not possible:
            return None
        telling += [one] * tells
    return min(telling, key=lambda j: j.case.order) if telling else None


def _scores(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores, hidden ones as −∞, and the values."""
    query, key, value, *mask = case.inputs.values()
    scores = query @ key.mT / query.shape[-1] ** 0.5
    for allowed in mask:
        scores = np.where(allowed, scores, -np.inf)
    return scores, value


def _n_keys(one: Judged) -> int:
    return one.case.inputs["key"].shape[-2]


def _softmax_of(part: slice, scores: np.ndarray, value: np.ndarray) -> np.ndarray:
    return stable(scores[..., part]) @ value[..., part, :]


def _whole_blocks(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    kept = max(scores.shape[-1] // size, 1) * size
    return _softmax_of(slice(kept), scores, value)


def _last_block(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    start = (scores.shape[-1] - 1) // size * size
    return _softmax_of(slice(start, None), scores, value)


def _first_block(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    return _softmax_of(slice(size), scores, value)


def _blocks(scores: np.ndarray, size: int) -> list[slice]:
    return [slice(i, i + size) for i in range(0, scores.shape[-1], size)]


def _averaged(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    blocks = [_softmax_of(block, scores, value) for block in _blocks(scores, size)]
    return np.mean(blocks, axis=0)


def _added_up(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    return _averaged(scores, value, size) * len(_blocks(scores, size))


def _own_maxima(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    total = mixed = np.zeros(())
    for block in _blocks(scores, size):
        part = scores[..., block]
        powers = np.exp(part - part.max(axis=-1, keepdims=True))
        total = total + powers.sum(axis=-1, keepdims=True)
        mixed = mixed + powers @ value[..., block, :]
    return mixed / total


def _divided_each_time(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    largest = np.full((*scores.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros(())
    for block in _blocks(scores, size):
        part, before = scores[..., block], largest
        largest = np.maximum(before, part.max(axis=-1, keepdims=True))
        factor, powers = np.exp(before - largest), np.exp(part - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = (mixed * factor + powers @ value[..., block, :]) / total
    return mixed


SHARE = "what a block counts for: as much as its share of the sum of all exponentials"
WAYS: Ways = (
    (
        "not-rescaled",
        "a largest score of its own for each block",
        "what is subtracted: one number for all blocks, or the sums are rescaled",
        _own_maxima,
    ),
    (
        "last-keys-lost",
        "leaving out the keys after the last whole block",
        "the last block: it may be shorter than the others",
        _whole_blocks,
    ),
    (
        "blocks-averaged",
        "a softmax for each block, and the mean of what the blocks give",
        SHARE,
        _averaged,
    ),
    (
        "blocks-averaged",
        "a softmax for each block, and the sum of what the blocks give",
        SHARE,
        _added_up,
    ),
    (
        "divided-too-early",
        "dividing by the sum after each block",
        "the division: once, after the last block, when the sum is complete",
        _divided_each_time,
    ),
    (
        "one-block-only",
        "what the last block gives, with nothing left of those before it",
        "what a block does to what was collected, and to the largest score so far: "
        "both are carried on to the next",
        _last_block,
    ),
    (
        "one-block-only",
        "keeping what the first block gives",
        "where the function returns: after the last block",
        _first_block,
    ),
)


def _one_pass(
    scores: np.ndarray, value: np.ndarray, size: int, sum_left: bool, output_left: bool
) -> np.ndarray:
    """Leave what was collected as it was when the maximum rises."""
    largest = np.maximum.accumulate(scores, axis=-1)
    largest[np.isneginf(largest)] = 0.0  # of keys that are all hidden
    n = scores.shape[-1]
    ends = [min(j - j % size + size, n) - 1 for j in range(n)]
    left = np.exp(scores - largest[..., ends])
    right = np.exp(scores - largest[..., -1:])
    total = (left if sum_left else right).sum(axis=-1, keepdims=True)
    return (left if output_left else right) @ value / np.where(total == 0, 1, total)


LEFT: Ways = tuple(
    (
        "not-rescaled",
        f"leaving {what} of earlier keys unchanged when a larger score comes",
        "what was subtracted from their scores, and at what is subtracted from the new "
        "one",
        partial(_one_pass, sum_left="sum" in what, output_left="output" in what),
    )
    for what in ("the sum and the output", "the output", "the sum")
)
joined_wrongly, not_rescaled = _said_of(WAYS), _said_of(LEFT)


def maximum_not_kept(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Lose all only where scores fall from one block to the next, or only if they rise.

    Its code is that of any exponential too large; what is special is where to look.
    """
    large = [j for j in judged if j.case.is_large and j.got is not None]
    apart = [j for j in large if _n_keys(j) > 100]
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
    for size in range(1, min(map(_n_keys, seen))):
        if all(_lost_at_the_start(j, size) for j in seen):
            one = min(seen, key=lambda j: j.case.order)
            first = "key is" if size == 1 else f"{size} keys are"
            yield Finding(
                "first-keys-hidden",
                f"For {one.case.described()}, a query whose first {first} hidden gets "
                "NaN, and every other query is right. Look at the largest score so "
                "far, before any key was allowed, and at what is subtracted from it.",
                explains=("nan",),
            )
            return


def _lost_at_the_start(one: Judged, size: int) -> bool:
    (got,), (wanted,) = one.got, one.wanted
    mask = np.broadcast_to(one.case.inputs["mask"], (*got.shape[:-1], _n_keys(one)))
    hidden = ~mask[..., :size].any(axis=-1)
    right = np.isclose(got, wanted, rtol=1e-6, atol=1e-9).all(axis=-1)
    return bool(np.all(np.isnan(got).all(axis=-1) == hidden) and np.all(right | hidden))
