"""What one step from a claim tries: a value of DOMAIN, a rotation, a window, a rule."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.rules import CAUSAL, FREE, rules
from attncheck.model import ALL, HALF_TURNS, LARGE, Model, Rule, Sizes
from attncheck.run import Run
from attncheck.verify import judge

TURNS: tuple[dict[str, Any], ...] = (
    *(more for more, _ in HALF_TURNS.values()),
    {"queries": "end"},
    {"backwards": True},
    {"step": 0.5},
)


def one_off(claim: Claim) -> Iterator[Claim]:
    """Yield the claim with one value more."""
    if claim.base.window != (None, None):
        other = "start" if claim.base.corner == "end" else "end"
        yield claim.on(corner=other)  # (wide windows look alike from both)
    for value in claim.values:  # (found where there are as many keys as queries)
        if value.field == "window" and (model := value.change(claim.base, SQUARE)):
            rest = tuple(x for x in claim.values if x is not value)
            yield replace(claim, base=model.change(corner="end"), values=rest)
    rotary = claim.base.rotary
    if rotary is not None:
        yield from (claim.on(rotary={**rotary, **more}) for more in TURNS)
        yield claim.on(rotary={**rotary, "queries": "end", "step": 0.5})
    elif not claim.base.by_heads:
        for pairs, more in itertools.product((False, True), ({}, *TURNS)):
            yield claim.on(rotary={"interleaved": pairs, "part": 1.0, **more})
    if claim.base.slopes_from == "" and claim.base.slopes is not None:
        yield from (claim.on(slopes_from=corner) for corner in ("start", "end"))
    yield from (claim.plus(value) for value in (*ALL, *LARGE))


WIDEST = 4096
SQUARE = Sizes(2, 2, 9, 9, 8, 8)


def other_masks(run: Run, claim: Claim) -> Iterator[Claim]:
    """Yield the windows and the rules that explain a few queries of one head."""
    small = run.take(0).part(1, 8)
    for model in (*windows(run, claim.base), *_rules(run, claim.base)):
        if judge(small, Claim(model), part=True).ok:
            yield Claim(model)


def _rules(run: Run, model: Model) -> Iterator[Model]:
    """Yield the rules of usual sizes, without a window or with the one there is."""
    n, m = run.sizes.n, run.sizes.m
    sizes = [int(x) for x in (*range(1, 17), *2 ** np.arange(5, 13)) if x < m]
    if np.ndim(model.offset) or model.offset:  # (rules count from a corner)
        return
    for rule in rules(m, sizes, (FREE, CAUSAL, model.window)):
        if n == m and rule.picture == Rule("sign"):  # it is the causal mask
            continue
        for corner in ("start", "end") if n != m else ("start",):
            yield model.change(corner=corner, picture=rule.picture, window=rule.window)


def windows(run: Run, model: Model) -> Iterator[Model]:
    """Yield every left side, with the right side there is or a causal one."""
    n, m = run.sizes.n, run.sizes.m
    corners = ("start", "end") if n != m else (model.corner,)
    for right, corner in itertools.product({model.window[1], 0}, corners):
        for left in range(min(m, WIDEST)):
            if left <= 256 or left % 64 in (0, 1, 63):
                yield model.change(window=(left, right), corner=corner)
