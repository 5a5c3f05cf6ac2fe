"""Detect a single wrong or right row, column or matrix, or slices all alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from named_mistakes.patterns.pair import Pair, Said, axes, bad_lines, wrong

LOOP = "Look at where a loop or a slice begins and ends, and at a return inside a loop."
OTHERS = "Look at what is different for all the others."


def one_wrong(pairs: list[Pair], name: str) -> Said:
    """Detect a single wrong row, column or matrix: the first or the last."""
    for axis, what, which, at in _ends(pairs):
        if all(_only(bad_lines(wrong(p), axis), at) for p in pairs):
            zero = all(not np.any(np.take(p[0], at, axis=axis)) for p in pairs)
            return f"{which}-alone-wrong", (
                f"every number of your {name} is right but for the {which} {what}, "
                f"which is {'0' if zero else 'wrong'}. "
                + (LOOP if zero else f"Look at what is special about the {which}.")
            )
    return None


def one_right(pairs: list[Pair], name: str) -> Said:
    """Detect a single right row, column or matrix."""
    for axis, what, which, at in _ends(pairs):
        lines = [bad_lines(wrong(p), axis) for p in pairs]
        if all(_is_given(p, axis, at) for p in pairs):
            continue
        if all(_only(~line, at) for line in lines):
            rest = zip(pairs, lines, strict=True)
            zero = all(rest_is_zero(p, line, axis) for p, line in rest)
            more = f", and the rest is 0. {LOOP}" if zero else f". {OTHERS}"
            return f"{which}-alone-right", (
                f"only the {which} {what} of your {name} is right{more}"
            )
    return None


def _is_given(pair: Pair, axis: int, at: int) -> bool:
    """Tell whether the expected slice is also a slice of an input.

    It is then right whatever is done to the others, as in a cumulative sum.
    """
    _, w, judged = pair
    due = np.take(w, at, axis=axis)
    arrays = judged.case.inputs.values()
    given = [x for x in arrays if np.ndim(x) == w.ndim and x.shape[axis]]
    slices = [np.take(x, at, axis=axis) for x in given]
    return any(x.shape == due.shape and np.allclose(x, due) for x in slices)


def _ends(pairs: list[Pair]) -> Iterator[tuple[int, str, str, int]]:
    """List the first and the last of each axis that is long enough to tell."""
    for axis, what in axes(pairs):
        if max(w.shape[axis] for _, w, _ in pairs) > 2:
            yield axis, what, "first", 0
            yield axis, what, "last", -1


def rest_is_zero(pair: Pair, line: np.ndarray, axis: int) -> bool:
    """Tell whether the wrong slices are 0."""
    return not np.any(np.compress(line, pair[0], axis=axis))


def _only(line: np.ndarray, at: int) -> bool:
    return len(line) > 1 and bool(line[at]) and int(line.sum()) == 1


def alike(pairs: list[Pair], name: str) -> Said:
    """Detect slices that are all the same, where they should differ."""
    for axis, what in axes(pairs):
        if all(_all_equal(x, axis) and not _all_equal(w, axis) for x, w, _ in pairs):
            plural = "matrice" if what.startswith("matrix") else what.split()[0]
            return f"{plural}s-all-alike", (
                f"every {what} of your {name} is the same, where they should differ. "
                "Look at what should change from one to the next, and whether each is "
                "stored in a place of its own."
            )
    return None


def _all_equal(x: np.ndarray, axis: int) -> bool:
    first = np.take(x, [0], axis=axis)
    return x.shape[axis] > 1 and bool(np.allclose(x, first))
