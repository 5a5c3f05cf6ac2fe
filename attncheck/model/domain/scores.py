"""Scores: their scale, their cap, and how queries and keys are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.model.attending import EPS
from attncheck.model.domain.value import Sizes, Value, each
from attncheck.model.fields import SCALES, Model, scale_of

SOURCES = {
    "1/√d_k": "Vaswani et al. 2017, equation 1",
    "1 (none)": "T5 (Raffel et al. 2020): the scale is in the weights",
    "1/d_k": "muP (Yang et al. 2022)",
    "log2(e)/√d_k (exp for exp2)": "kernels that compute exp2, and scale for it",
    "1/√(n_heads·d_k)": "the width of the model in place of that of a head",
}
# Tried together with another value.
USUAL = ("1/√d_k", "1 (none)", "1/d_k", "√d_k", "−1/√d_k (negated)")
BY_LENGTH: dict[str, Callable[[Sizes], float]] = {
    "1/√n_keys": lambda s: float(s.m**-0.5),
    "1/√n_queries": lambda s: float(s.n**-0.5),
}
CAPS = (20.0, 30.0, 50.0)
WRONG_CAPS: dict[str, tuple[str, Callable[[float, float], dict[str, Any]]]] = {
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
PRODUCTS = {
    "cosine": "scores are cosines",
    "rms": "queries and keys are divided by their root mean square",
    **{
        x: f"queries and keys are divided by √(mean square + {EPS[x]:.2g})" for x in EPS
    },
    "distance": "scores are distances, negated",
    "squared distance": "scores are squared distances, negated",
    "halves": "the keys' first and last halves of columns are exchanged",
    "reversed": "the keys' columns are in reversed order",
    "reshaped": "keys are reshaped to (d, n_keys), not transposed",
}
COLUMNS: dict[str, Callable[[int], int]] = {
    "half of them": lambda d: d // 2,
    "all but one": lambda d: d - 1,
    "full blocks of 16": lambda d: d - d % 16,
    "full blocks of 32": lambda d: d - d % 32,
    "full blocks of 64": lambda d: d - d % 64,
}


def scores() -> Iterator[Value]:
    """Yield the values of scale, softcap, product and columns."""
    yield from _scales()
    yield from _caps()
    products = {name: ({"product": name}, words) for name, words in PRODUCTS.items()}
    yield from each("product", products, "QK-norm (Henry et al. 2020), or an axis")
    for name, end in COLUMNS.items():

        def shorten(model: Model, s: Sizes, end: Any = end) -> Model | None:
            return model.change(columns=(0, end(s.d))) if 0 < end(s.d) < s.d else None

        words = f"only the first columns are multiplied, {name}"
        yield Value("columns", name, words, shorten, "a loop over columns", True)


def _scales() -> Iterator[Value]:
    for name in SCALES:

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            now = scale_of(model.scale, s.d, s.n_heads)
            new = scale_of(name, s.d, s.n_heads)
            same = not np.isfinite(new) or abs(new / now - 1) < 1e-6 if now else True
            return None if same else model.change(scale=name)

        source = SOURCES.get(name, "a slip in the scale")
        words = f"scores are multiplied by {name}"
        yield Value("scale", name, words, change, source, name not in USUAL)
    for name, rule in BY_LENGTH.items():

        def by_size(model: Model, s: Sizes, rule: Any = rule) -> Model | None:
            return _unless_equal(model, s, rule(s))

        words = f"scores are multiplied by {name}"
        yield Value("scale", name, words, by_size, "n in place of d_k", True)
    yield Value("scale", "twice", "scores are scaled twice", _twice, "two layers scale")
    words = "scores do not count: all keys that a query sees weigh the same"
    source = "a mask that is added twice: harvard-edge/cs249r_book#1785"
    yield Value("scale", "0", words, _no_scores, source, rare=True)
    words = "the scale comes after the softmax"
    yield Value("scale", "after the softmax", words, _late, "google-research ViT ports")


def _unless_equal(model: Model, s: Sizes, new: float) -> Model | None:
    now = scale_of(model.scale, s.d, s.n_heads)
    known = [scale_of(name, s.d, s.n_heads) for name in SCALES]
    same = any(abs(new / x - 1) < 1e-6 for x in (now, *known) if x)
    return None if same else model.change(scale=new)


def _no_scores(model: Model, s: Sizes) -> Model | None:
    return model.change(scale=0.0) if s.m > 1 else None


def _twice(model: Model, s: Sizes) -> Model | None:
    return _unless_equal(model, s, scale_of(model.scale, s.d, s.n_heads) ** 2)


def _late(model: Model, s: Sizes) -> Model | None:
    scale = scale_of(model.scale, s.d, s.n_heads)
    usual = s.d**-0.5 if scale == 1 else scale
    if model.factor != 1.0 or usual == 1:
        return None
    return model.change(scale=1.0, factor=usual)


def _capped(model: Model, s: Sizes) -> bool:
    return model.softcap is not None


def _caps() -> Iterator[Value]:
    none = {"none": ({"softcap": None}, "scores are not capped")}
    yield from each("softcap", none, "a cap that is dropped", _capped)
    last = {"after the mask": ({"order": "mask, cap"}, "the cap follows the mask")}
    yield from each("order", last, "a cap that brings masked scores back", _capped)
    caps = {
        f"{cap:g}": ({"softcap": cap}, f"scores are capped at {cap:g}") for cap in CAPS
    }
    yield from each("softcap", caps, "Gemma 2 (2024), Grok-1 (2024)")
    for name, (words, fields) in WRONG_CAPS.items():

        def change(model: Model, s: Sizes, fields: Any = fields) -> Model | None:
            if model.softcap is None:
                return None
            scale = scale_of(model.scale, s.d, s.n_heads)
            return model.change(**fields(model.softcap, scale))

        yield Value("softcap", name, words, change, "a slip in the cap")
