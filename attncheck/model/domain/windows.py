"""Who sees whom by place: causal masks, offsets, windows, blocks, chunks."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attncheck.model.domain.value import Fields, Value
from attncheck.model.fields import Bounds, Model, Rule, Sizes

ALIGNMENTS: dict[str, tuple[Bounds, str, str]] = {
    "none": ((None, None), "start", "no causal mask: every query sees every key"),
    "start": ((None, 0), "start", "causal, aligned at the first query (j ≤ i)"),
    "end": ((None, 0), "end", "causal, aligned at the last key (j ≤ i + m − n)"),
    "strict": ((None, -1), "start", "only keys before its own (j < i)"),
    "strict at the end": ((None, -1), "end", "only keys before its own, at the end"),
    "one-too-many": ((None, 1), "start", "one key too many (j ≤ i + 1)"),
    "one-too-many at the end": ((None, 1), "end", "one key too many, at the end"),
    "inverted": ((-1, None), "start", "only later keys (j > i): inverted"),
    "inverted with its own": ((0, None), "start", "this and later keys (j ≥ i)"),
    "inverted at the end": ((-1, None), "end", "only later keys, aligned at the end"),
}
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
        yield Value("window", name, words, partial(_aligned, window, corner), CORNERS)
    words = "queries are counted from 0, and not from the offset that was meant"
    yield Value("offset", "ignored", words, _from_0, "mlx-vlm#1619")
    for name, by in (("less", -1), ("more", 1)):
        words = f"positions are too {'small' if by < 0 else 'large'} by one"
        source = "a cache that counts"
        yield Value("offset", f"one {name}", words, partial(_shifted, by), source)
    for name, (said, sides_of) in SIDES.items():
        sets = partial(_sides, name == "ignored", sides_of)
        yield Value("window", name, f"the window {said}", sets, WINDOWS)
    for size in (4, 8, 16, 32, 64, 128):
        words = f"a query sees all keys of its own block of {size}, later ones too"
        sets = partial(_blocks, size)
        yield Value("picture", f"blocks of {size}", words, sets, "diagonal tiles", True)
        words = f"a query sees only keys of its own chunk of {size}"
        sets = partial(_chunks, size)
        yield Value("picture", f"chunks of {size}", words, sets, "Llama 4")


def _aligned(window: Bounds, corner: str, model: Model, s: Sizes) -> Fields | None:
    if corner == "end" and s.n == s.m:
        return None
    return {"window": window, "corner": corner, "offset": 0}


def _from_0(model: Model, s: Sizes) -> Fields | None:
    # Without a left side, it is an alignment, and has that name.
    return None if model.window[0] is None else {"offset": 0}


def _shifted(by: int, model: Model, s: Sizes) -> Fields | None:
    free = model.window == (None, None)
    return None if free else {"offset": model.offset + by}


def _sides(
    any_right: bool,
    sides_of: Callable[[int, int], Bounds],
    model: Model,
    s: Sizes,
) -> Fields | None:
    left, right = model.window
    if left is None or (right is None and not any_right):
        return None
    return {"window": sides_of(left, right)}  # type: ignore[arg-type]


def _blocks(size: int, model: Model, s: Sizes) -> Fields | None:
    if model.window[1] is None or model.offset or s.n != s.m or s.n <= size:
        return None
    return {"window": (model.window[0], None), "picture": Rule("blocks", size)}


def _chunks(size: int, model: Model, s: Sizes) -> Fields | None:
    if np.ndim(model.offset) or s.n <= size:
        return None
    return {"picture": Rule("chunks", size)}
