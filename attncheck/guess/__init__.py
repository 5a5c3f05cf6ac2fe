"""A first model from a few readings: identity as values, queries of 0, log weights."""

from collections.abc import Iterator

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.by_place import placed
from attncheck.guess.numbers import name_scale, rounder
from attncheck.guess.products import compared_by
from attncheck.guess.readings import Readings
from attncheck.guess.seen import Seen, find_rule, find_window
from attncheck.model.fields import SCALES, Model

__all__ = ["Readings", "guess"]
BENT = 4e-3  # of a scale: a cap of 5 takes less from small scores
LEVELS = (0.0, 32.0, -32.0)  # of all scores: where hidden ones are 0, 0 shows nothing


def guess(r: Readings) -> list[Claim]:
    """Return first models, the likeliest first; plain attention is among them."""
    found: list[Claim] = []
    for model in dict.fromkeys(seen_by(r)):
        for claim in placed(r, model):
            found.extend(compared_by(r, claim))
    if not any(claim.base == Model() for claim in found):
        found.append(Claim())
    scale = found[0].base.scale
    if not isinstance(scale, str):  # a cap bends what is measured
        near = rounder(scale, lambda x: np.abs(x / scale - 1) < BENT)
        found.append(found[0].on(scale=near))
        name = name_scale({(r.d, 2): scale}, BENT)
        found += [found[0].on(scale=name)] if name in SCALES else []
    return found


def seen_by(r: Readings) -> Iterator[Model]:
    """Yield masks, and the score of what is hidden."""
    for level in LEVELS:
        pictures = [p for side in r.sides if (p := r.picture(*side, level=level))]
        leak = max((p.leak for p in pictures), default=0.0)
        if level and not leak:
            continue
        for some in (pictures, pictures[1:], pictures[1:2]):
            model = _explaining(some)
            if model is None or (level and model == Model()):
                continue
            if leak and level:
                yield model.change(fill=0.0)
                return
            yield from _leaking(model, leak)
            yield model
            if model != Model():
                return
            break
    yield Model()


def _explaining(pictures: list[Seen]) -> Model | None:
    """Return the window, or else the rule, that all pictures show."""
    if not pictures:
        return None
    return find_window(pictures) or find_rule(pictures)


def _leaking(model: Model, leak: float) -> Iterator[Model]:
    """Yield what gives hidden keys a weight: a cap after the mask, or a number."""
    if not leak:
        return
    fill = rounder(float(np.log(leak)), lambda x: abs(np.exp(x) / leak - 1) < 1e-4)
    yield model.change(order="mask, cap", softcap=-fill)
    yield model.change(fill=fill)
