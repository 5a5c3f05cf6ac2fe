"""An array and the one expected, with what patterns ask of such pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from named_mistakes.compare import Judged

Said = tuple[str, str] | None  # a finding's code, and its words
NAMES = {-1: "column", -2: "row", -3: "matrix on axis -3", -4: "part on axis -4"}


class Pair(NamedTuple):
    """An array as it came back and as it was expected, and the call it is from."""

    x: np.ndarray
    w: np.ndarray
    judged: Judged


Look = Callable[[list[Pair], str], Said]  # the name of what comes back


def usable(pair: Pair) -> bool:
    """Tell numbers that can be compared: real, and none missing."""
    x, w, _ = pair
    return bool(
        x.dtype.kind in "biuf" and np.isfinite(x).all() and np.isfinite(w).all()
    )


def same(pair: Pair, y: np.ndarray) -> bool:
    """Tell whether the array is what another formula gives."""
    x, _, judged = pair
    return x.shape == np.shape(y) and bool(np.all(judged.close(x, np.asarray(y))))


def in_all(pairs: list[Pair], give: Callable[[Pair], np.ndarray]) -> bool:
    """Tell whether a formula on what was expected gives what came, in every case."""
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
    """Axes that all cases have, the last first; one axis alone holds numbers."""
    fewest = min(w.ndim for _, w, _ in pairs)
    for axis in range(-1, -min(fewest, 4) - 1, -1):
        yield axis, "number" if fewest == 1 else NAMES[axis]


def bad_lines(bad: np.ndarray, axis: int) -> np.ndarray:
    """Mark the slices along an axis that hold a wrong number."""
    slices = np.moveaxis(bad, axis, 0).reshape(bad.shape[axis], -1)
    return np.asarray(slices.any(axis=1))
