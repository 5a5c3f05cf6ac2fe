"""Candidates one step from a claim: a value of DOMAIN, a window, a rule, a number."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attncheck.claim import CHUNK, Claim, Run
from attncheck.guess.numbers import OfMany, number, rounder, roundest, scale_rule
from attncheck.guess.readings import CAUSAL, FREE, rules
from attncheck.model.attending import attend
from attncheck.model.domain import ALL
from attncheck.model.fields import Model, Rule, Sizes, of_first, scale_of
from attncheck.verify import judge

SQUARE = Sizes(2, 2, 9, 9, 8, 8)


def one_off(claim: Claim) -> Iterator[Claim]:
    """Yield the claim with one value more."""
    if claim.base.window != (None, None):
        other = "start" if claim.base.alignment == "end" else "end"
        yield claim.on(alignment=other)  # (wide windows look alike from both)
    for value in claim.values:  # (found where there are as many keys as queries)
        if value.field == "window" and (model := value.change(claim.base, SQUARE)):
            rest = tuple(x for x in claim.values if x is not value)
            yield replace(claim, base=model.change(alignment="end"), values=rest)
    if claim.base.slopes_from == "" and claim.base.slopes is not None:
        yield from (claim.on(slopes_from=alignment) for alignment in ("start", "end"))
    yield from (claim.plus(value) for value in ALL)


WIDEST = 4096


def _rules(run: Run, model: Model) -> Iterator[Model]:
    """Yield the rules of usual sizes, without a window or with the one there is."""
    n, m = run.sizes.n, run.sizes.m
    sizes = [int(x) for x in (*range(1, 17), *2 ** np.arange(5, 13)) if x < m]
    if np.ndim(model.offset) or model.offset:  # (rules have an alignment)
        return
    alignments = ("start", "end") if n != m else ("start",)
    for rule in rules(m, sizes, (FREE, CAUSAL, model.window)):
        if n != m or rule.picture != Rule("sign"):  # (it is the causal mask)
            more = {"picture": rule.picture, "window": rule.window}
            yield from (model.change(alignment=x, **more) for x in alignments)


def windows(run: Run, model: Model) -> Iterator[Model]:
    """Yield every left side, with the right side there is or a causal one."""
    n, m = run.sizes.n, run.sizes.m
    alignments = ("start", "end") if n != m else (model.alignment,)
    for right, alignment in itertools.product({model.window[1], 0}, alignments):
        for left in range(min(m, WIDEST)):
            if left <= 256 or left % 64 in (0, 1, 63):
                yield model.change(window=(left, right), alignment=alignment)


CAPS = np.geomspace(0.3, 300, 41)
AROUND = np.geomspace(1 / 64, 64, 31)
FILLS = -np.geomspace(0.1, 1e4, 31)
# Of the squares of an output: a number that leaves more may be none; a scale is none.
POOR, RIGHT = 1e-3, 1e-5
ROOM = 4  # a rounder number may leave so many times as much, in squares


def numbers(run: Run, claim: Claim) -> Iterator[Claim]:
    """Yield a scale, a cap, a factor, a fill and windows, each fitted to one run.

    Of windows and rules, those that explain a few queries of one head.
    """
    yield from _scalars(run, claim)
    base, small = claim.base, run.first(1, 8)
    if not (base.by_heads or claim.fitted or claim.values or base.rotary):
        masks = map(Claim, (*windows(run, base), *_rules(run, base)))
        yield from (mask for mask in masks if judge(small, mask, part=True).ok)


def _scalars(run: Run, claim: Claim, only: str = "") -> Iterator[Claim]:
    small = run.first() if claim.base.by_heads else run.first(1, 8)
    try:
        model = claim.at(small)
    except ValueError:
        return
    scale = scale_of(model.scale, small.sizes.d, small.sizes.n_heads)
    grid = (abs(scale) or 1.0) * AROUND
    fits: list[tuple[str, np.ndarray, dict[str, Any]]] = [
        ("scale", grid, {}),
        ("scale", -grid, {}),
        ("softcap", CAPS, {"squash": "tanh"}),
        ("softcap", CAPS, {"squash": "clip"}),
        ("softcap", CAPS, {"order": "mask, cap"}),
        ("factor", AROUND, {}),
        ("fill", FILLS, {}),
    ]
    for name, numbers, more in fits:
        masked = model.window != (None, None) or "order" not in more
        if masked and only in ("", name):
            near = _fitted(_left(small, model, name, more), numbers)
            yield claim.plus(**{name: near}, **more)


def _fitted(left: OfMany, grid: np.ndarray) -> float:
    """Return the roundest number that leaves about as little as any does."""
    x = number(left, grid, least=POOR)
    room = ROOM * left(np.array([x])) + 1e-12
    return rounder(x, lambda y: left(y) <= room)


def _left(run: Run, model: Model, name: str, more: dict[str, Any]) -> OfMany:
    """Return the share of squares that numbers leave, on a few queries if they do.

    The numbers stand along the axis of the batch: all are tried by one product.
    """
    n, m = run.sizes.n, run.sizes.m
    rows = None if model.whole else np.unique([n // 3, n // 2, n - 1])
    wanted = run.output if rows is None else run.output[..., rows, :]
    squares = float((wanted**2).sum()) + 1e-300
    at_once = max(1, CHUNK // (run.sizes.n_heads * (n if model.whole else 3) * m))

    def left(x: np.ndarray) -> np.ndarray:
        if len(x) > at_once:
            return np.concatenate([left(x[:at_once]), left(x[at_once:])])
        field = {name: x[:, None, None, None]}
        try:
            changed = of_first(model.change(**field, **more), run.sizes.n_heads)
            got = attend(run.query, run.key, run.value, changed, rows).output
        except ValueError:
            return np.full(len(x), np.inf)
        off = ((got - wanted) ** 2).sum((1, 2, 3)) / squares
        return np.where(np.isfinite(off), off, np.inf)

    return left


def capped(runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield caps fitted where scores are large; also as caps before the scale."""
    large = (r for r in runs if 15 < np.abs(r.query).max() < 80 and r.sizes.n >= 20)
    run = next(large, None)
    if run is None:
        return
    for one in _scalars(run, claim, "softcap"):
        yield one
        scale = scale_of(claim.at(run).scale, run.sizes.d, run.sizes.n_heads)
        cap = roundest(dict(one.fitted)["softcap"] / abs(scale), 1e-3)
        yield one.plus(softcap=partial(_before_the_scale, cap, claim.base.scale))


def _before_the_scale(cap: float, scale: float | str, s: Sizes) -> float:
    return float(cap * abs(scale_of(scale, s.d, s.n_heads)))


def scaled(runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield the rule of sizes that gives the scale of each of several runs."""
    found: dict[Sizes, float] = {}
    usable = [run for run in runs if _tells_a_scale(run)]
    widths = {(run.sizes.d, run.sizes.d_v): run for run in reversed(usable)}
    for run in (*widths.values(), *usable[:9]):
        if run.sizes in found:
            continue
        x = _scale_of_one(run, claim)
        if x is None:
            return
        found[run.sizes] = x
    if len(found) > 4 and (rule := scale_rule(found, 2e-3)):
        yield claim.plus(scale=rule)


def _tells_a_scale(run: Run) -> bool:
    s = run.sizes
    ordinary = 0 < np.abs(run.query).max() < 7
    return bool(ordinary and s.d >= 8 and 5 <= s.n * s.m <= 1500)


def _scale_of_one(run: Run, claim: Claim) -> float | None:
    s, small = run.sizes, run.first(1, 8)
    try:
        model = claim.at(small)
    except ValueError:
        return None
    if model.over_queries:
        return None
    left = _left(small, model, "scale", {})
    now = abs(scale_of(model.scale, s.d, s.n_heads)) or 1.0
    x = number(left, now * np.geomspace(1 / 32, 32, 21), 12, POOR)
    return x if left(np.array([x]))[0] <= RIGHT else None
