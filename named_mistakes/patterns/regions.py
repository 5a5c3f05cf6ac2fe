"""Recognize a wrong region: a triangle, every other column, where 0 was expected."""

from __future__ import annotations

import numpy as np

from named_mistakes.describe import be
from named_mistakes.patterns.one import rest_is_zero
from named_mistakes.patterns.pair import Pair, Said, axes, bad_lines, wrong


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
                return "right-in-part", _only(f"{within}{where}", name, zero)
    return None


def _only(where: str, name: str, zero: bool) -> str:
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
