"""Mistakes in who sees whom by place: causal masks, offsets, windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.mistakes.mistake import Mistake, Sizes, unless_same
from attncheck.model import Bounds, Model
from attncheck.model.places import positions


def bands() -> Iterator[Mistake]:
    """Yield the mistakes by place."""
    yield from _alignments()
    yield from _windows()
    yield from _blocks()
    yield from _chunks()


ALIGNMENTS = {
    "none": ((None, None), "start", "no causal mask: every query sees every key"),
    "start": ((None, 0), "start", "causal, aligned at the first query (j ≤ i)"),
    "end": ((None, 0), "end", "causal, aligned at the last key (j ≤ i + m − n)"),
    "strict": ((None, -1), "start", "only keys before its own (j < i)"),
    "strict at the end": ((None, -1), "end", "only keys before its own, at the end"),
    "one-too-many": ((None, 1), "start", "one key too many (j ≤ i + 1)"),
    "one-too-many at the end": ((None, 1), "end", "one key too many, at the end"),
    "inverted": ((1, None), "start", "only later keys (j > i): inverted"),
    "inverted with its own": ((0, None), "start", "this and later keys (j ≥ i)"),
    "inverted at the end": ((1, None), "end", "only later keys, aligned at the end"),
}
LEFTS = {"inverted": -1, "inverted at the end": -1}


def _alignments() -> Iterator[Mistake]:
    for name, (window, corner, words) in ALIGNMENTS.items():
        sides = (LEFTS.get(name, window[0]), window[1])

        def change(
            model: Model, s: Sizes, sides: Bounds = sides, corner: str = corner
        ) -> Model | None:
            if corner == "end" and s.n == s.m:
                return None
            return unless_same(
                model, model.change(window=sides, corner=corner, offset=0), s
            )

        yield Mistake(f"alignment: {name}", "band", words, change)
    words = "queries are counted from 0, and not from the offset that was meant"
    yield Mistake("offset: ignored", "band", words, _from_0)
    yield Mistake("offset: one less", "band", "positions are one too small", _shift(-1))
    yield Mistake("offset: one more", "band", "positions are one too large", _shift(1))


def _from_0(model: Model, s: Sizes) -> Model | None:
    if model.window[0] is None:  # else it is an alignment, and has that name
        return None
    return unless_same(model, model.change(offset=0), s)


def _shift(by: int) -> Callable[[Model, Sizes], Model | None]:
    def change(model: Model, s: Sizes) -> Model | None:
        if model.window == (None, None):
            return None
        return unless_same(model, model.change(offset=model.offset + by), s)

    return change


def _windows() -> Iterator[Mistake]:
    for side, by in ((0, 1), (0, -1), (1, 1), (1, -1)):

        def change(
            model: Model, s: Sizes, side: int = side, by: int = by
        ) -> Model | None:
            sides = list(model.window)
            if model.window[0] is None or sides[side] is None:
                return None
            sides[side] += by  # type: ignore[operator]
            return unless_same(model, model.change(window=tuple(sides)), s)

        where, words = ("left", "right")[side], "more" if by > 0 else "less"
        yield Mistake(
            f"window: one {words} to the {where}",
            "window",
            f"the window has one key {words} to the {where}",
            change,
        )
    yield Mistake("window: ignored", "window", "the window is ignored", _no_window)
    for name, words, sides in SIDES:

        def other(model: Model, s: Sizes, sides: Any = sides) -> Model | None:
            left, right = model.window
            if left is None or right is None:
                return None
            return unless_same(model, model.change(window=sides(left, right)), s)

        yield Mistake(f"window: {name}", "window", words, other)


SIDES: list[tuple[str, str, Callable[[int, int], tuple[int | None, int | None]]]] = [
    ("sides exchanged", "the window's sides are exchanged", lambda a, b: (b, a)),
    ("left alone", "the window has its left side alone", lambda a, b: (a, 0)),
    ("right alone", "the window has its right side alone", lambda a, b: (0, b)),
    ("unlimited right", "the window is unlimited to the right", lambda a, b: (a, None)),
    ("both sides", "the window is as wide to the right", lambda a, b: (a, a)),
    ("halved", "the window is halved", lambda a, b: (a // 2, b // 2)),
]


def _no_window(model: Model, s: Sizes) -> Model | None:
    left, right = model.window
    if left is None:
        return None
    return unless_same(model, model.change(window=(None, right)), s)


def _blocks() -> Iterator[Mistake]:
    for size in (4, 8, 16, 32, 64, 128):

        def change(model: Model, s: Sizes, size: int = size) -> Model | None:
            if model.window[1] is None or model.offset or s.n != s.m or s.n <= size:
                return None
            block = np.arange(s.n) // size
            seen = block[:, None] >= block
            allowed = seen if model.allowed is None else model.allowed & seen
            return model.change(window=(model.window[0], None), allowed=allowed)

        words = f"a query sees all keys of its own block of {size}, later ones too"
        yield Mistake(f"blocks: of {size}", "band", words, change, alone=True)


def _chunks() -> Iterator[Mistake]:
    for size in (4, 8, 16, 32, 64, 128):

        def change(model: Model, s: Sizes, size: int = size) -> Model | None:
            if np.ndim(model.offset) or s.n <= size:
                return None
            i, j = positions(s.n, s.m, model)
            seen = i // size == j // size
            allowed = seen if model.allowed is None else model.allowed & seen
            return model.change(allowed=allowed)

        words = f"a query sees only keys of its own chunk of {size}"
        yield Mistake(f"chunks: of {size}", "band", words, change, alone=True)
