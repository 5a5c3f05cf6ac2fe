"""Pairs of a returned and an expected array, and helpers to compare them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from named_mistakes.compare import Judged

Said = tuple[str, str] | None  # a finding's code and message
NAMES = {-1: "column", -2: "row", -3: "matrix on axis -3", -4: "part on axis -4"}


class Pair(NamedTuple):
    """A returned array, the expected one, and the call they belong to."""

    x: np.ndarray
    w: np.ndarray
    judged: Judged


Look = Callable[[list[Pair], str], Said]  # takes pairs and the array's name


def usable(pair: Pair) -> bool:
    """Tell whether a pair can be compared: real numbers, all finite."""
    x, w, _ = pair
    return bool(
        x.dtype.kind in "biuf" and np.isfinite(x).all() and np.isfinite(w).all()
    )


def same(pair: Pair, y: np.ndarray) -> bool:
    """Tell whether the returned array equals y."""
    x, _, judged = pair
    return x.shape == np.shape(y) and bool(np.all(judged.close(x, np.asarray(y))))


def in_all(pairs: list[Pair], give: Callable[[Pair], np.ndarray]) -> bool:
    """Tell whether a formula gives the returned array in every case."""
    with np.errstate(all="ignore"):
        try:
            return all(same(pair, give(pair)) for pair in pairs)
        except (ValueError, IndexError):  # it cannot be computed with these shapes
            return False


def wrong(pair: Pair) -> np.ndarray:
    """Mark the wrong numbers."""
    x, w, judged = pair
    return ~judged.close(x, w)


def axes(pairs: list[Pair]) -> Iterator[tuple[int, str]]:
    """Yield the axes that all cases have, last first, with a name for their slices."""
    fewest = min(w.ndim for _, w, _ in pairs)
    for axis in range(-1, -min(fewest, 4) - 1, -1):
        yield axis, "number" if fewest == 1 else NAMES[axis]


def bad_lines(bad: np.ndarray, axis: int) -> np.ndarray:
    """Mark the slices along an axis that hold a wrong number."""
    slices = np.moveaxis(bad, axis, 0).reshape(bad.shape[axis], -1)
    return np.asarray(slices.any(axis=1))
