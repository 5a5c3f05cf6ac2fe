"""Places of the wrong numbers: one row or column, a half, a triangle, zeros."""

from collections.abc import Iterator

import numpy as np

from named_mistakes.describe import be
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


def triangle(pairs: list[Pair], name: str) -> Said:
    """Detect square matrices wrong only above, below, on, or off the diagonal."""
    if not all(w.ndim > 1 and w.shape[-1] == w.shape[-2] > 2 for _, w, _ in pairs):
        return None
    bad = [wrong(p) for p in pairs]
    halves = {
        "above the diagonal": lambda n: np.triu(np.ones((n, n), bool), 1),
        "below the diagonal": lambda n: np.tri(n, k=-1, dtype=bool),
        "on the diagonal": lambda n: np.eye(n, dtype=bool),
        "off the diagonal": lambda n: ~np.eye(n, dtype=bool),
    }
    for where, part in halves.items():
        if all(not np.any(b & ~part(b.shape[-1])) for b in bad):
            mirrored = all(np.allclose(x, np.swapaxes(x, -1, -2)) for x, _, _ in pairs)
            why = (
                " Yours are the same on both sides of it; the expected ones are not."
                if mirrored and not where.startswith("on ")
                else " Look at which pairs are computed, and in which order."
            )
            words = f"your {name} {be(name)} wrong {where} and nowhere else.{why}"
            return "diagonal", words
    return None


def in_pairs(pairs: list[Pair], name: str) -> Said:
    """Detect errors in only every second row or column, or only half of them."""
    for axis, what in axes(pairs):
        if what not in ("column", "row"):
            continue
        lines = [bad_lines(wrong(p), axis) for p in pairs]
        if max(map(len, lines)) < 4:
            continue
        parts = {
            f"every second {what}, from the first on,": lambda n: np.arange(n) % 2 == 0,
            f"every second {what}, from the second on,": lambda n: np.arange(n) % 2 > 0,
            f"the first half of the {what}s": lambda n: np.arange(n) < n // 2,
            f"the second half of the {what}s": lambda n: np.arange(n) >= n // 2,
        }
        for where, part in parts.items():
            if all(not np.any(line & ~part(len(line))) for line in lines):
                zero = all(
                    rest_is_zero(p, line, axis)
                    for p, line in zip(pairs, lines, strict=True)
                )
                whole = all(np.array_equal(line, part(len(line))) for line in lines)
                within = "" if whole or "half" not in where else "a part of "
                return "right-in-part", _only_wrong(f"{within}{where}", name, zero)
    return None


def _only_wrong(where: str, name: str, zero: bool) -> str:
    seen, look = (
        ("0", "is it ever filled?")
        if zero
        else ("wrong", "is it made of the old numbers?")
    )
    return (
        f"only {where} of your {name} is {seen}, and the rest is right. Look at what "
        f"is done there: {look}"
    )


def zeros(pairs: list[Pair], name: str) -> Said:
    """Detect errors only where 0 was expected, only where a negative was, and so on."""
    if any(w.dtype.kind != "f" for _, w, _ in pairs):
        return None
    parts = {
        "where 0 was expected": lambda w: w == 0,
        "where a number below 0 was expected": lambda w: w < 0,
        "where a number above 0 was expected": lambda w: w > 0,
    }
    for where, part in parts.items():
        bad = [(wrong(p), part(p[1])) for p in pairs]
        others = sum(int(np.sum(~q)) for _, q in bad)
        if others > 3 and not any(np.any(b & ~q) for b, q in bad):
            return "right-in-part", (
                f"your {name} {be(name)} wrong only {where}; all other numbers are "
                "right. Look at what your function does in that case."
            )
    return None
