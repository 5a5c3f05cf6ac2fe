"""Mistakes in the scores: their scale, their cap, how they are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.mistakes.positions import positions, turns
from attncheck.model import SCALES, Model, scale_of


def scores() -> Iterator[Mistake]:
    """Yield the mistakes in the scores."""
    yield from _scales()
    yield from _caps()
    yield from _wrong_caps()
    yield from _products()
    yield from positions()
    yield from turns()


def _scales() -> Iterator[Mistake]:
    for name in SCALES:

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            now = scale_of(model.scale, s.d, s.n_heads)
            new = scale_of(name, s.d, s.n_heads)
            same = not np.isfinite(new) or abs(new / now - 1) < 1e-6 if now else True
            return None if same else model.change(scale=name)

        yield Mistake(
            f"scale: {name}", "scale", f"scores are multiplied by {name}", change
        )
    for name, rule in SIZES_FOR_SCALE.items():

        def by_size(model: Model, s: Sizes, rule: Any = rule) -> Model | None:
            return _unless_equal(model, s, rule(s))

        words = f"scores are multiplied by {name}"
        yield Mistake(f"scale: {name}", "scale", words, by_size)
    yield Mistake("scale: twice", "scale", "scores are scaled twice", _twice)
    words = "scores do not count: all keys that a query sees weigh the same"
    yield Mistake("scale: 0", "scale", words, _no_scores, alone=True)


SIZES_FOR_SCALE = {
    "1/√n_keys": lambda s: s.m**-0.5,
    "1/√n_queries": lambda s: s.n**-0.5,
}


def _unless_equal(model: Model, s: Sizes, new: float) -> Model | None:
    now = scale_of(model.scale, s.d, s.n_heads)
    known = [scale_of(name, s.d, s.n_heads) for name in SCALES]
    same = any(abs(new / x - 1) < 1e-6 for x in (now, *known) if x)
    return None if same else model.change(scale=new)


def _no_scores(model: Model, s: Sizes) -> Model | None:
    return model.change(scale=0.0) if s.m > 1 else None


def _twice(model: Model, s: Sizes) -> Model | None:
    return _unless_equal(model, s, scale_of(model.scale, s.d, s.n_heads) ** 2)


def _caps() -> Iterator[Mistake]:
    yield Mistake("softcap: none", "cap", "scores are not capped", _uncapped)
    yield Mistake(
        "softcap: after the mask", "order", "the cap follows the mask", _cap_last
    )
    for cap in (20.0, 30.0, 50.0):

        def change(model: Model, s: Sizes, cap: float = cap) -> Model | None:
            return None if model.softcap == cap else model.change(softcap=cap)

        yield Mistake(
            f"softcap: {cap:g}", "cap", f"scores are capped at {cap:g}", change
        )


CAPS: dict[str, tuple[str, Callable[[float, float], dict[str, Any]]]] = {
    "before the scale": (
        "the cap comes before the scale",
        lambda cap, scale: {"softcap": cap * abs(scale)},
    ),
    "not multiplied": (
        "tanh is not multiplied by the cap",
        lambda cap, scale: {"softcap": 1.0, "scale": scale / cap},
    ),
    "not divided": (
        "scores are not divided by the cap before tanh",
        lambda cap, scale: {"scale": scale * cap},
    ),
    "clipped": (
        "scores are clipped at the cap, without tanh",
        lambda cap, scale: {"squash": "clip"},
    ),
}


def _wrong_caps() -> Iterator[Mistake]:
    for name, (words, fields) in CAPS.items():

        def change(model: Model, s: Sizes, fields: Any = fields) -> Model | None:
            if model.softcap is None:
                return None
            scale = scale_of(model.scale, s.d, s.n_heads)
            return model.change(**fields(model.softcap, scale))

        yield Mistake(f"softcap: {name}", "cap", words, change)


PRODUCTS = {
    "cosine": "scores are cosines",
    "distance": "scores are distances, negated",
    "squared distance": "scores are squared distances, negated",
    "halves": "the keys' first and last halves of columns are exchanged",
    "reversed": "the keys' columns are in reversed order",
    "reshaped": "keys are reshaped to (d, n_keys), not transposed",
}


COLUMNS: dict[str, Callable[[int], int]] = {
    "half of them": lambda d: d // 2,
    "all but one": lambda d: d - 1,
    **{f"full blocks of {b}": lambda d, b=b: d - d % b for b in (16, 32, 64)},  # type: ignore[misc]
}


def _products() -> Iterator[Mistake]:
    for name, words in PRODUCTS.items():

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            return model.change(product=name)

        yield Mistake(f"product: {name}", "product", words, change)
    for name, end in COLUMNS.items():

        def shorten(model: Model, s: Sizes, end: Any = end) -> Model | None:
            return model.change(columns=(0, end(s.d))) if 0 < end(s.d) < s.d else None

        words = f"only the first columns are multiplied, {name}"
        yield Mistake(f"columns: {name}", "product", words, shorten)


def _uncapped(model: Model, s: Sizes) -> Model | None:
    return None if model.softcap is None else model.change(softcap=None)


def _cap_last(model: Model, s: Sizes) -> Model | None:
    return None if model.softcap is None else model.change(order="mask, cap")
