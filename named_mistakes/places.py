"""Where wrong numbers stand: in one row, above the diagonal, in another order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import be

# An array as it came back, as it was expected, and whose case it is.
Pair = tuple[np.ndarray, np.ndarray, Judged]
Said = tuple[str, str] | None  # a finding's code, and its words
LOOP = "Look at where a loop or a slice begins and ends, and at a return inside a loop."
OTHERS = "Look at what is different for all the others."
NAMES = {-1: "column", -2: "row", -3: "matrix on axis -3", -4: "part on axis -4"}


def right_in_part(pairs: list[Pair], name: str, *, has_pairs: bool) -> Said:
    """Say where the wrong numbers stand, if it is the same place in every case."""
    first, last = (_in_order, _triangle, _one_wrong), (_alike, _one_right, _zeros)
    # Every second column, or half of them: where these have a meaning.
    for look in (*first, *[_in_pairs] * has_pairs, *last):
        said = look(pairs, name)
        if said:
            return said
    return None


def _wrong(pair: Pair) -> np.ndarray:
    x, w, judged = pair
    return ~judged.close(x, w)


def _axes(pairs: list[Pair]) -> Iterator[tuple[int, str]]:
    """Axes that all cases have, the last first; one axis alone holds numbers."""
    fewest = min(w.ndim for _, w, _ in pairs)
    for axis in range(-1, -min(fewest, 4) - 1, -1):
        yield axis, "number" if fewest == 1 else NAMES[axis]


def _lines(bad: np.ndarray, axis: int) -> np.ndarray:
    """Which slices along an axis hold a wrong number."""
    return np.moveaxis(bad, axis, 0).reshape(bad.shape[axis], -1).any(axis=1)


def _one_wrong(pairs: list[Pair], name: str) -> Said:
    """Tell one row, column or matrix that is wrong: the first or the last."""
    for axis, what, which, at in _ends(pairs):
        if all(_only(_lines(_wrong(p), axis), at) for p in pairs):
            zero = all(not np.any(np.take(p[0], at, axis=axis)) for p in pairs)
            return f"{which}-alone-wrong", (
                f"every number of your {name} is right but for the {which} {what}, "
                f"which is {'0' if zero else 'wrong'}. "
                + (LOOP if zero else f"Look at what is special about the {which}.")
            )
    return None


def _one_right(pairs: list[Pair], name: str) -> Said:
    """Tell one row, column or matrix that alone is right."""
    for axis, what, which, at in _ends(pairs):
        lines = [_lines(_wrong(p), axis) for p in pairs]
        if all(_is_given(p, axis, at) for p in pairs):
            continue
        if all(_only(~line, at) for line in lines):
            rest = zip(pairs, lines, strict=True)
            zero = all(_rest_is_zero(p, line, axis) for p, line in rest)
            more = f", and the rest is 0. {LOOP}" if zero else f". {OTHERS}"
            return f"{which}-alone-right", (
                f"only the {which} {what} of your {name} is right{more}"
            )
    return None


def _is_given(pair: Pair, axis: int, at: int) -> bool:
    """Tell a slice that is one of an input: right whatever is done to the others.

    The first of cumulative sums is the first number itself.
    """
    _, w, judged = pair
    due = np.take(w, at, axis=axis)
    arrays = judged.case.inputs.values()
    given = [x for x in arrays if np.ndim(x) == w.ndim and x.shape[axis]]
    slices = [np.take(x, at, axis=axis) for x in given]
    return any(x.shape == due.shape and np.allclose(x, due) for x in slices)


def _ends(pairs: list[Pair]) -> Iterator[tuple[int, str, str, int]]:
    """List the first and the last of each axis that is long enough to tell."""
    for axis, what in _axes(pairs):
        if max(w.shape[axis] for _, w, _ in pairs) > 2:
            yield axis, what, "first", 0
            yield axis, what, "last", -1


def _rest_is_zero(pair: Pair, line: np.ndarray, axis: int) -> bool:
    return not np.any(np.compress(line, pair[0], axis=axis))


def _only(line: np.ndarray, at: int) -> bool:
    return len(line) > 1 and bool(line[at]) and int(line.sum()) == 1


def _alike(pairs: list[Pair], name: str) -> Said:
    for axis, what in _axes(pairs):
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


ORDERS = {
    "reversed": (lambda n: np.arange(n)[::-1], "in reverse order"),
    "one-place-on": (lambda n: np.roll(np.arange(n), 1), "moved on by one place"),
    "one-place-back": (lambda n: np.roll(np.arange(n), -1), "moved back by one place"),
}


def _in_order(pairs: list[Pair], name: str) -> Said:
    """Find the right slices in another order."""
    if all(_turned(p) for p in pairs):
        return "rows-columns-swapped", (
            f"the numbers of your {name} are right, with rows and columns exchanged. "
            "Look at what a row stands for, and what a column."
        )
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    for axis, what in _axes(pairs):
        for order, how in ORDERS.values():
            if all(_ordered(p, axis, order(p[1].shape[axis])) for p in pairs):
                return "order-changed", _order_changed(name, what, how)
        if all(_permuted(p, axis) for p in pairs):
            return "order-changed", _order_changed(name, what, "in another order")
    return None


def _order_changed(name: str, what: str, how: str) -> str:
    kind = f"{what}s" if " " not in what else what.replace(" ", "s ", 1)
    return (
        f"the {kind.replace('matrixs', 'matrices')} of your {name} are right, but "
        f"stand {how}. Look at the order in which they are joined, reshaped or moved."
    )


def _turned(pair: Pair) -> bool:
    x, w, judged = pair
    square = w.ndim > 1 and w.shape[-1] == w.shape[-2]
    return square and bool(np.all(judged.close(x, np.swapaxes(w, -1, -2))))


def _ordered(pair: Pair, axis: int, order: np.ndarray) -> bool:
    x, w, judged = pair
    return len(order) > 1 and bool(
        np.all(judged.close(x, np.take(w, order, axis=axis)))
    )


def _permuted(pair: Pair, axis: int) -> bool:
    x, w, _ = pair
    n = w.shape[axis]
    if n < 3:
        return False
    rows, due = (np.moveaxis(a, axis, 0).reshape(n, -1) for a in (x, w))
    far = np.abs(rows[:, None] - due[None]).max(axis=-1)
    nearest = far.argmin(axis=1)
    return len(set(nearest)) == n and _ordered(pair, axis, nearest)


def _triangle(pairs: list[Pair], name: str) -> Said:
    if not all(w.ndim > 1 and w.shape[-1] == w.shape[-2] > 2 for _, w, _ in pairs):
        return None
    bad = [_wrong(p) for p in pairs]
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
                if mirrored and "diagonal" in where and "on " not in where[:3]
                else " Look at which pairs are computed, and in which order."
            )
            return (
                "diagonal",
                f"your {name} {be(name)} wrong {where} and nowhere else.{why}",
            )
    return None


def _in_pairs(pairs: list[Pair], name: str) -> Said:
    """Tell every second row or column that is wrong, or one half of them."""
    for axis, what in _axes(pairs):
        if what not in ("column", "row"):
            continue
        lines = [_lines(_wrong(p), axis) for p in pairs]
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
                    _rest_is_zero(p, line, axis)
                    for p, line in zip(pairs, lines, strict=True)
                )
                look = (
                    "is it ever filled?" if zero else "is it made of the old numbers?"
                )
                return "right-in-part", (
                    f"only {where} of your {name} is {'0' if zero else 'wrong'}, and "
                    f"the rest is right. Look at what is done there: {look}"
                )
    return None


def _zeros(pairs: list[Pair], name: str) -> Said:
    """Wrong only where 0 was expected, only where a number below 0 was, and so on."""
    if any(w.dtype.kind != "f" for _, w, _ in pairs):
        return None
    parts = {
        "where 0 was expected": lambda w: w == 0,
        "where a number below 0 was expected": lambda w: w < 0,
        "where a number above 0 was expected": lambda w: w > 0,
    }
    for where, part in parts.items():
        bad = [(_wrong(p), part(p[1])) for p in pairs]
        others = sum(int(np.sum(~q)) for _, q in bad)
        if others > 3 and not any(np.any(b & ~q) for b, q in bad):
            return "right-in-part", (
                f"your {name} {be(name)} wrong only {where}; all other numbers are "
                "right. Look at what your function does in that case."
            )
    return None
