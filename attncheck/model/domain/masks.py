"""A mask that is passed, and keys at an end that are lost."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.domain.value import Fields, Value, hides
from attncheck.model.fields import Model, Sees, Sizes, scale_of

PARTS: dict[str, tuple[str, Any]] = {
    "batch item": ("all batch items get the mask of the first", np.s_[:1]),
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
FILLS = {
    0.0: "hidden scores become 0, not −∞: they are multiplied, or filled with 0",
    -10.0: "hidden scores become −10, not −∞",
    1.0: "hidden scores become 1, not −∞",
}
FILLS |= {  # (the calls do not tell which number it is)
    fill: f"hidden scores become a low number, not −∞ (−{-fill:,.0f} fits)"
    for fill in (-100.0, -1e3, -1e4, -1e5)
}
TAIL, KEPT = "the tail of a loop over blocks", "sums not kept from block to block"
LOST: dict[str, tuple[str, Sees, str, bool]] = {
    f"after blocks of {b}": (
        f"the keys after the last full block of {b} are dropped",
        lambda j, m, b=b: j < (m - m % b or m),  # type: ignore[misc]
        TAIL,
        False,
    )
    for b in (16, 32, 64, 128, 256, 8)
}
for _b in (8, 16, 32, 64, 128):
    LOST[f"but full blocks of {_b}"] = (
        f"only keys of full blocks of {_b} are seen: of fewer keys, none",
        lambda j, m, b=_b: j < m - m % b,  # type: ignore[misc]
        TAIL,
        True,
    )
    for _end in ("first", "last"):
        LOST[f"but the {_end} {_b}"] = (
            f"only the {_end} block of {_b} keys is seen",
            lambda j, m, b=_b, e=_end: j // b == (m - 1) // b * (e == "last"),  # type: ignore[misc]
            KEPT,
            True,
        )
for _end in ("last", "first"):
    LOST[f"the {_end} key"] = (
        f"the {_end} key is never seen",
        lambda j, m, e=_end: (j != (m - 1) * (e == "last")) | (m == 1),  # type: ignore[misc]
        "an end too early",
        False,
    )


def masks() -> Iterator[Value]:
    """Yield the values of allowed, bias, fill, masked, empty and lost keys."""
    mean = "a fully masked row is a mean of all values"
    yield Value("empty", "mean", mean, _mean, "−10,000 or the least number, for −∞")
    yield Value("allowed", "ignored", "the mask is ignored", _ignored, "mask dropped")
    words = "True is read as: may not attend"
    yield Value("allowed", "may not attend", words, _inverted, "MultiheadAttention")
    yield Value("allowed", "added", "the mask is added as 0 and 1", _added, "mlx#2626")
    words = "queries and keys of the mask are exchanged"
    yield Value("allowed", "transposed", words, _turned, "a mask transposed")
    for name, (words, part) in PARTS.items():
        sets, source = partial(_narrowed, part), "a stride of 0"
        yield Value("allowed", f"of the first {name}", words, sets, source, True)
    for name, (words, factor) in BIASES.items():
        sets, source = partial(_biased, factor), "a slip in adding the mask"
        yield Value("bias", name, words, sets, source, True)
    words = "masked weights are set to 0 after the softmax"
    yield Value("masked", "multiplied after", words, _after, "a mask on weights")
    for fill, words in FILLS.items():
        name, source, rare = f"{fill:g} for −∞", "masked_fill's number", fill < -100
        yield Value("fill", name, words, partial(_filled, fill), source, rare)
    for name, (words, sees, source, rare) in LOST.items():
        yield Value("lost", name, words, partial(_lost, sees), source, rare)


def _mean(model: Model, s: Sizes) -> Fields | None:
    return {"empty": "mean"} if hides(model) else None


def _ignored(model: Model, s: Sizes) -> Fields | None:
    return {"allowed": None, "bias": None}


def _inverted(model: Model, s: Sizes) -> Fields | None:
    return None if model.allowed is None else {"allowed": ~model.allowed}


def _added(model: Model, s: Sizes) -> Fields | None:
    if model.allowed is None:
        return None
    return {"allowed": None, "bias": model.allowed.astype(float)}


def _turned(model: Model, s: Sizes) -> Fields | None:
    mask = model.allowed
    if mask is None or mask.ndim < 2 or mask.shape[-1] != mask.shape[-2]:
        return None
    return {"allowed": mask.swapaxes(-1, -2)}


def _narrowed(part: Any, model: Model, s: Sizes) -> Fields | None:
    """Take a part of a mask (b, h, n, m) that has more, and give it to all."""
    name = "allowed" if model.allowed is not None else "bias"
    mask = getattr(model, name)
    if np.ndim(mask) != 4 or mask[part].shape == mask.shape:
        return None
    return {name: mask[part]}


def _biased(
    factor: Callable[[Model, Sizes], float], model: Model, s: Sizes
) -> Fields | None:
    return None if model.bias is None else {"bias": factor(model, s) * model.bias}


def _after(model: Model, s: Sizes) -> Fields | None:
    return {"masked": "after"} if hides(model) else None


def _filled(fill: float, model: Model, s: Sizes) -> Fields | None:
    return {"fill": fill} if hides(model) else None


def _lost(sees: Sees, model: Model, s: Sizes) -> Fields | None:
    return None if sees(np.arange(s.m), s.m).all() else {"lost": sees}
