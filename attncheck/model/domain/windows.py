"""Who sees whom by place: causal masks, offsets, windows, blocks, chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.model.domain.value import Change, Sizes, Value, unless_same
from attncheck.model.fields import Bounds, Model
from attncheck.model.rules import Rule

ALIGNMENTS: dict[str, tuple[Bounds, str, str]] = {
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
SIDES: dict[str, tuple[str, Callable[[int, int], Bounds]]] = {
    "one more to the left": ("has one key more to the left", lambda a, b: (a + 1, b)),
    "one less to the left": ("has one key less to the left", lambda a, b: (a - 1, b)),
    "one more to the right": ("has one key more to the right", lambda a, b: (a, b + 1)),
    "one less to the right": ("has one key less to the right", lambda a, b: (a, b - 1)),
    "sides exchanged": ("has its sides exchanged", lambda a, b: (b, a)),
    "left alone": ("has its left side alone", lambda a, b: (a, 0)),
    "right alone": ("has its right side alone", lambda a, b: (0, b)),
    "unlimited right": ("is unlimited to the right", lambda a, b: (a, None)),
    "both sides": ("is as wide to the right", lambda a, b: (a, a)),
    "halved": ("is halved", lambda a, b: (a // 2, b // 2)),
    "ignored": ("is ignored", lambda a, b: (None, b)),
}
CORNERS = "attnlib, SDPA of PyTorch: start; FlashAttention 2.1, ONNX: end"
WINDOWS = "Mistral 7B (2023); too long by one: zml#763; ignored: sglang#30050"


def windows() -> Iterator[Value]:
    """Yield the values of window, offset, blocks and chunks."""
    for name, (window, corner, words) in ALIGNMENTS.items():
        sides = (LEFTS.get(name, window[0]), window[1])
        yield Value("window", name, words, _aligned(sides, corner), CORNERS)
    words = "queries are counted from 0, and not from the offset that was meant"
    yield Value("offset", "ignored", words, _from_0, "mlx-vlm#1619")
    for name, by in (("less", -1), ("more", 1)):
        words = f"positions are too {'small' if by < 0 else 'large'} by one"
        yield Value("offset", f"one {name}", words, _shift(by), "a cache that counts")
    for name, (said, sides_of) in SIDES.items():
        words = f"the window {said}"
        yield Value("window", name, words, _sides(name, sides_of), WINDOWS)
    for size in (4, 8, 16, 32, 64, 128):
        words = f"a query sees all keys of its own block of {size}, later ones too"
        yield Value(
            "picture", f"blocks of {size}", words, _blocks(size), "diagonal tiles", True
        )
        words = f"a query sees only keys of its own chunk of {size}"
        yield Value("picture", f"chunks of {size}", words, _chunks(size), "Llama 4")


def _aligned(sides: Bounds, corner: str) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        if corner == "end" and s.n == s.m:
            return None
        new = model.change(window=sides, corner=corner, offset=0)
        return unless_same(model, new, s)

    return change


def _from_0(model: Model, s: Sizes) -> Model | None:
    if model.window[0] is None:  # else it is an alignment, and has that name
        return None
    return unless_same(model, model.change(offset=0), s)


def _shift(by: int) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        if model.window == (None, None):
            return None
        return unless_same(model, model.change(offset=model.offset + by), s)

    return change


def _sides(name: str, sides_of: Any) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        left, right = model.window
        if left is None or (right is None and name != "ignored"):
            return None
        return unless_same(model, model.change(window=sides_of(left, right)), s)

    return change


def _blocks(size: int) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        if model.window[1] is None or model.offset or s.n != s.m or s.n <= size:
            return None
        window = model.window[0], None
        return model.change(window=window, picture=Rule("blocks", size))

    return change


def _chunks(size: int) -> Change:
    def change(model: Model, s: Sizes) -> Model | None:
        if np.ndim(model.offset) or s.n <= size:
            return None
        return model.change(picture=Rule("chunks", size))

    return change
