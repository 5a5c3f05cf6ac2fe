"""Scores: their scale, their cap, and how queries and keys are compared."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attncheck.model.attending import EPS
from attncheck.model.domain.value import Fields, Value, each
from attncheck.model.fields import SCALES, Model, Sizes, scale_of

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
CAPS = {f"{cap:g}": f"scores are capped at {cap:g}" for cap in (20.0, 30.0, 50.0)}
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
    none = {"none": "scores are not capped"}
    yield from each("softcap", none, _uncapped, "a cap that is dropped")
    last = {"after the mask": "the cap follows the mask"}
    yield from each("order", last, _cap_last, "a cap that brings masked scores back")
    yield from each("softcap", CAPS, _capped, "Gemma 2 (2024), Grok-1 (2024)")
    for name, (words, fields) in WRONG_CAPS.items():
        sets = partial(_wrongly_capped, fields)
        yield Value("softcap", name, words, sets, "a slip in the cap")
    yield from each("product", PRODUCTS, _product, "QK-norm (Henry et al. 2020), …")
    for name, end in COLUMNS.items():
        words = f"only the first columns are multiplied, {name}"
        sets = partial(_shortened, end)
        yield Value("columns", name, words, sets, "a loop over columns", True)


def _scales() -> Iterator[Value]:
    for name in SCALES:
        source = SOURCES.get(name, "a slip in the scale")
        words, rare = f"scores are multiplied by {name}", name not in USUAL
        yield Value("scale", name, words, partial(_scaled, name), source, rare)
    for name, rule in BY_LENGTH.items():
        words, sets = f"scores are multiplied by {name}", partial(_by_length, rule)
        yield Value("scale", name, words, sets, "n in place of d_k", True)
    yield Value("scale", "twice", "scores are scaled twice", _twice, "two layers scale")
    words = "scores do not count: all keys that a query sees weigh the same"
    source = "a mask that is added twice: harvard-edge/cs249r_book#1785"
    yield Value("scale", "0", words, _no_scores, source, rare=True)
    words = "the scale comes after the softmax"
    yield Value("scale", "after the softmax", words, _late, "google-research ViT ports")


def _now(model: Model, s: Sizes) -> Any:
    return scale_of(model.scale, s.d, s.n_heads)


def _scaled(name: str, model: Model, s: Sizes) -> Fields | None:
    is_number = math.isfinite(scale_of(name, s.d, s.n_heads))
    return {"scale": name} if is_number and _now(model, s) else None


def _by_length(rule: Callable[[Sizes], float], model: Model, s: Sizes) -> Fields | None:
    """Set a scale, unless a rule of SCALES gives the same."""
    known = (scale_of(name, s.d, s.n_heads) for name in SCALES)
    return (
        None if any(abs(rule(s) / x - 1) < 1e-6 for x in known) else {"scale": rule(s)}
    )


def _twice(model: Model, s: Sizes) -> Fields | None:
    return _by_length(lambda s: _now(model, s) ** 2, model, s)


def _no_scores(model: Model, s: Sizes) -> Fields | None:
    return {"scale": 0.0} if s.m > 1 else None


def _late(model: Model, s: Sizes) -> Fields | None:
    scale = _now(model, s)
    usual = s.d**-0.5 if scale == 1 else scale
    once = model.factor == 1.0 and usual != 1
    return {"scale": 1.0, "factor": usual} if once else None


def _uncapped(name: str, model: Model, s: Sizes) -> Fields:
    return {"softcap": None}


def _cap_last(name: str, model: Model, s: Sizes) -> Fields | None:
    return None if model.softcap is None else {"order": "mask, cap"}


def _capped(cap: str, model: Model, s: Sizes) -> Fields:
    return {"softcap": float(cap)}


def _wrongly_capped(
    fields: Callable[[float, float], Fields], model: Model, s: Sizes
) -> Fields | None:
    if model.softcap is None:
        return None
    return fields(model.softcap, _now(model, s))


def _product(name: str, model: Model, s: Sizes) -> Fields:
    return {"product": name}


def _shortened(end: Callable[[int], int], model: Model, s: Sizes) -> Fields | None:
    return {"columns": (0, end(s.d))} if 0 < end(s.d) < s.d else None
