"""Mistakes with a mask that is passed, and keys at an end that are lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.model import Model, scale_of


def masks() -> Iterator[Mistake]:
    """Yield the mistakes with masks and lost keys."""
    yield from _masks()
    yield from _tails()


def _masks() -> Iterator[Mistake]:
    yield Mistake("mask: −10,000 for −∞", "after", "a row of nobody is a mean", _mean)
    yield Mistake("mask: ignored", "mask", "the mask is ignored", _ignored)
    yield Mistake(
        "mask: may not attend", "mask", "True is read as: may not attend", _inverted
    )
    yield Mistake("mask: added", "mask", "the mask is added as 0 and 1", _added)
    yield Mistake(
        "mask: transposed",
        "mask",
        "queries and keys of the mask are exchanged",
        _turned,
    )
    for name, (words, part) in PARTS.items():

        def of_one(model: Model, s: Sizes, part: Any = part) -> Model | None:
            return _narrowed(model, part)

        yield Mistake(f"mask: of the first {name}", "mask", words, of_one, alone=True)
    for name, (words, factor) in BIASES.items():

        def biased(model: Model, s: Sizes, factor: Any = factor) -> Model | None:
            if model.bias is None:
                return None
            return model.change(bias=factor(model, s) * model.bias)

        yield Mistake(f"mask: {name}", "mask", words, biased, alone=True)
    yield Mistake(
        "mask: multiplied after",
        "after",
        "what is forbidden is set to 0 after the softmax",
        _after,
    )
    for fill, words in FILLS.items():

        def filled(model: Model, s: Sizes, fill: float = fill) -> Model | None:
            hidden = model.window != (None, None) or model.allowed is not None
            return model.change(fill=fill) if hidden else None

        yield Mistake(f"mask: {fill:g} for −∞", "after", words, filled)


PARTS = {
    "sentence": ("all sentences get the mask of the first", np.s_[:1]),
    "head": ("all heads get the mask of the first", np.s_[:, :1]),
}
BIASES: dict[str, tuple[str, Callable[[Model, Sizes], float]]] = {
    "subtracted": ("the mask is subtracted, not added", lambda model, s: -1.0),
    "added twice": ("the mask is added twice", lambda model, s: 2.0),
    "scaled": (
        "the mask is added before the scale: it is scaled with the scores",
        lambda model, s: scale_of(model.scale, s.d, s.n_heads),
    ),
}


def _narrowed(model: Model, part: Any) -> Model | None:
    """Take a part of a mask (b, h, n, m) that has more, and give it to all."""
    name = "allowed" if model.allowed is not None else "bias"
    mask = getattr(model, name)
    if np.ndim(mask) != 4 or mask[part].shape == mask.shape:
        return None
    return model.change(**{name: mask[part]})


FILLS = {
    0.0: "what is hidden gets the score 0, not −∞: it is multiplied, or filled with 0",
    -10.0: "what is hidden gets the score −10, not −∞",
    -100.0: "what is hidden gets the score −100, not −∞",
    1.0: "what is hidden gets the score 1, not −∞",
}


def _ignored(model: Model, s: Sizes) -> Model | None:
    if model.allowed is None and model.bias is None:
        return None
    return model.change(allowed=None, bias=None)


def _inverted(model: Model, s: Sizes) -> Model | None:
    return None if model.allowed is None else model.change(allowed=~model.allowed)


def _added(model: Model, s: Sizes) -> Model | None:
    if model.allowed is None:
        return None
    return model.change(allowed=None, bias=model.allowed.astype(float))


def _turned(model: Model, s: Sizes) -> Model | None:
    mask = model.allowed
    if mask is None or mask.ndim < 2 or mask.shape[-1] != mask.shape[-2]:
        return None
    return model.change(allowed=mask.swapaxes(-1, -2))


def _after(model: Model, s: Sizes) -> Model | None:
    hidden = model.window != (None, None) or model.allowed is not None
    return model.change(masked="after") if hidden else None


def _mean(model: Model, s: Sizes) -> Model | None:
    hidden = model.window != (None, None) or model.allowed is not None
    return model.change(empty="mean") if hidden and model.empty != "mean" else None


def _tails() -> Iterator[Mistake]:
    for block in (16, 32, 64, 128, 256, 8):

        def change(model: Model, s: Sizes, block: int = block) -> Model | None:
            full = s.m - s.m % block
            return None if full in (0, s.m) else _hide(model, s, np.arange(s.m) < full)

        words = f"the keys after the last full block of {block} are dropped"
        yield Mistake(f"tail: blocks of {block}", "tail", words, change)
    yield from _one_block()
    yield Mistake("tail: the last key", "tail", "the last key is never seen", _no_last)
    yield Mistake(
        "tail: the first key", "tail", "the first key is never seen", _no_first
    )


def _one_block() -> Iterator[Mistake]:
    """Yield sums that are not kept from one block of keys to the next."""
    for block in (8, 16, 32, 64, 128):
        for which in ("first", "last"):

            def change(
                model: Model, s: Sizes, block: int = block, which: str = which
            ) -> Model | None:
                if s.m <= block or model.window[0] is not None:
                    return None
                of = np.arange(s.m) // block
                return _hide(model, s, of == of[ENDS[which]])

            words = f"only the {which} block of {block} keys is seen"
            code = f"tail: the {which} block of {block} alone"
            yield Mistake(code, "tail", words, change, alone=True)


ENDS = {"first": 0, "last": -1}


def _hide(model: Model, s: Sizes, seen: np.ndarray) -> Model:
    allowed = seen if model.allowed is None else model.allowed & seen
    return model.change(allowed=allowed)


def _no_last(model: Model, s: Sizes) -> Model | None:
    return None if s.m == 1 else _hide(model, s, np.arange(s.m) < s.m - 1)


def _no_first(model: Model, s: Sizes) -> Model | None:
    return None if s.m == 1 else _hide(model, s, np.arange(s.m) > 0)
