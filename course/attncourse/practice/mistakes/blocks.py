"""Attention by blocks of keys: what is held of them, what is lost, how they join."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from attncourse.practice.mistakes.normalization import stable
from named_mistakes.compare import Judged
from named_mistakes.describe import difference, largest_difference
from named_mistakes.exercise import Exercise
from named_mistakes.report import Finding

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


def joined_wrongly(
    exercise: Exercise, judged: list[Judged], named: list[str]
) -> Iterator[Finding]:
    """Lose the keys after the last whole block, or average what the blocks give."""
    seen = [j for j in judged if j.got is not None and j.case.room is None]
    if set(named) - {"overflow", "all-scores-held"} or all(j.right for j in seen):
        return
    seen.sort(key=lambda j: (j.right, j.case.order))
    for code, cause, look, way in WAYS:
        for size in block_sizes(seen):
            at = _first_telling(seen, way, size)
            if at:
                told = difference(exercise, at, largest_difference(at))
                yield Finding(
                    code, f"{told}: exactly what you get from {cause}. Look at {look}."
                )
                return


def block_sizes(seen: list[Judged]) -> list[int]:
    """List the numbers of keys that a block may have: all small ones, some large."""
    most = max(_n_keys(j) for j in seen)
    return [n for n in (*range(1, 13), *USUAL) if n < most]


def _first_telling(
    seen: list[Judged], way: Callable[..., np.ndarray], size: int
) -> Judged | None:
    telling = []
    for one in seen:
        possible, tells = one.is_explained_by((_attend(one, way, size),))
        if not possible:
            return None
        telling += [one] * tells
    return min(telling, key=lambda j: j.case.order) if telling else None


def _attend(one: Judged, way: Callable[..., np.ndarray], size: int) -> np.ndarray:
    query, key, value = one.case.inputs.values()
    with np.errstate(all="ignore"):
        return way(query @ key.mT / query.shape[-1] ** 0.5, value, size)


def _whole_blocks(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    kept = max(scores.shape[-1] // size, 1) * size
    return stable(scores[..., :kept]) @ value[..., :kept, :]


def _averaged(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    starts = range(0, scores.shape[-1], size)
    return np.mean(
        [
            stable(scores[..., i : i + size]) @ value[..., i : i + size, :]
            for i in starts
        ],
        axis=0,
    )


def _last_block(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    start = (scores.shape[-1] - 1) // size * size
    return stable(scores[..., start:]) @ value[..., start:, :]


def _first_block(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    return stable(scores[..., :size]) @ value[..., :size, :]


def _added_up(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    return _averaged(scores, value, size) * -(-scores.shape[-1] // size)


def _own_maxima(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    total = mixed = np.zeros(())
    for i in range(0, scores.shape[-1], size):
        block = scores[..., i : i + size]
        powers = np.exp(block - block.max(axis=-1, keepdims=True))
        total = total + powers.sum(axis=-1, keepdims=True)
        mixed = mixed + powers @ value[..., i : i + size, :]
    return mixed / total


def _divided_each_time(scores: np.ndarray, value: np.ndarray, size: int) -> np.ndarray:
    largest = np.full((*scores.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros(())
    for i in range(0, scores.shape[-1], size):
        block, before = scores[..., i : i + size], largest
        largest = np.maximum(before, block.max(axis=-1, keepdims=True))
        factor, powers = np.exp(before - largest), np.exp(block - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = (mixed * factor + powers @ value[..., i : i + size, :]) / total
    return mixed


def _n_keys(one: Judged) -> int:
    return one.case.inputs["key"].shape[-2]


WAYS = (
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
        "what a block counts for: as much as its share of the sum of all exponentials",
        _averaged,
    ),
    (
        "blocks-averaged",
        "a softmax for each block, and the sum of what the blocks give",
        "what a block counts for: as much as its share of the sum of all exponentials",
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
