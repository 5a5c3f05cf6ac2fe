"""A mask that is passed, and keys at an end that are lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attncheck.model.domain.value import Sizes, Value, hides
from attncheck.model.fields import Model, scale_of

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
WHOLE = (8, 16, 32, 64, 128)


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

        def of_one(model: Model, s: Sizes, part: Any = part) -> Model | None:
            return _narrowed(model, part)

        source = "a stride of 0"
        yield Value("allowed", f"of the first {name}", words, of_one, source, True)
    for name, (words, factor) in BIASES.items():

        def biased(model: Model, s: Sizes, factor: Any = factor) -> Model | None:
            if model.bias is None:
                return None
            return model.change(bias=factor(model, s) * model.bias)

        yield Value("bias", name, words, biased, "a slip in adding the mask", True)
    words = "masked weights are set to 0 after the softmax"
    yield Value("masked", "multiplied after", words, _after, "a mask on weights")
    for fill, words in FILLS.items():

        def filled(model: Model, s: Sizes, fill: float = fill) -> Model | None:
            return model.change(fill=fill) if hides(model, s) else None

        source, rare = "masked_fill's number", fill < -100
        yield Value("fill", f"{fill:g} for −∞", words, filled, source, rare)
    yield from _lost()


def _narrowed(model: Model, part: Any) -> Model | None:
    """Take a part of a mask (b, h, n, m) that has more, and give it to all."""
    name = "allowed" if model.allowed is not None else "bias"
    mask = getattr(model, name)
    if np.ndim(mask) != 4 or mask[part].shape == mask.shape:
        return None
    return model.change(**{name: mask[part]})


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
    return model.change(masked="after") if hides(model, s) else None


def _mean(model: Model, s: Sizes) -> Model | None:
    new = hides(model, s) and model.empty != "mean"
    return model.change(empty="mean") if new else None


def _lost() -> Iterator[Value]:
    tail = "the tail of a loop over blocks"
    for block in (16, 32, 64, 128, 256, 8):

        def dropped(model: Model, s: Sizes, block: int = block) -> Model | None:
            full = s.m - s.m % block
            return None if full in (0, s.m) else _hide(model, np.arange(s.m) < full)

        words = f"the keys after the last full block of {block} are dropped"
        yield Value("lost", f"after blocks of {block}", words, dropped, tail)
    for block in WHOLE:

        def whole(model: Model, s: Sizes, block: int = block) -> Model | None:
            return _hide(model, np.arange(s.m) < s.m - s.m % block)

        words = f"only keys of full blocks of {block} are seen: of fewer keys, none"
        yield Value("lost", f"but full blocks of {block}", words, whole, tail, True)
        for which in (0, -1):

            def one(
                model: Model, s: Sizes, block: int = block, which: int = which
            ) -> Model | None:
                if s.m <= block or model.window[0] is not None:
                    return None
                of = np.arange(s.m) // block
                return _hide(model, of == of[which])

            end = "last" if which else "first"
            words = f"only the {end} block of {block} keys is seen"
            source = "sums that are not kept from block to block"
            yield Value("lost", f"but the {end} {block}", words, one, source, True)
    for end, side in (("last", slice(-1, None)), ("first", slice(0, 1))):

        def but_one(model: Model, s: Sizes, side: slice = side) -> Model | None:
            seen = np.ones(s.m, bool)
            seen[side] = False
            return None if s.m == 1 else _hide(model, seen)

        words = f"the {end} key is never seen"
        yield Value("lost", f"the {end} key", words, but_one, "an end too early")


def _hide(model: Model, seen: np.ndarray) -> Model:
    allowed = seen if model.allowed is None else model.allowed & seen
    return model.change(allowed=allowed)
