"""Comparisons of queries and keys: turned or not, in which product, how scaled."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.numbers import (
    Fit,
    centered,
    fit_slope,
    name_scale,
    number,
    roundest,
    scale_rule,
)
from attncheck.guess.readings import Readings
from attncheck.model.attending import by_distance, products
from attncheck.model.fields import EPS, SCALES, Model, Sizes
from attncheck.model.moves import rotate
from attncheck.plan import nearest

BASES = (1e4, 5e5, 1e6, 1e5, 1e3, 1e2, 1.5e5, 2.5e5, 5e6, 1e7, 1e8)
STEPS = (1.0, 0.5, 0.25, 0.125, 2.0)
Left = Callable[[np.ndarray, np.ndarray], np.ndarray]


class _Turn(NamedTuple):
    left: float  # the share of the logarithms that is not explained
    base: float
    step: float
    interleaved: bool
    dim: int
    of: Left


def turning(logs: np.ndarray, kept: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield rotary embeddings that explain log weights (d, n, n) of single columns."""
    d = len(logs)
    y = centered(logs, np.broadcast_to(kept, logs.shape))
    if float((y * y).sum()) < 1e-6:
        return
    found = []
    bases, steps = map(np.ravel, np.meshgrid(np.geomspace(30, 3e8, 30), STEPS))
    dims = dict.fromkeys((d, d // 2, d // 4, 3 * d // 4))
    for interleaved, dim in itertools.product((False, True), dims):
        left = _left(y, kept[0], interleaved, dim)
        tried = left(bases, steps)
        best = int(tried.argmin())
        if tried[best] < 0.7:
            at = float(tried[best]), float(bases[best]), float(steps[best])
            found.append(_Turn(*at, interleaved, dim, left))
    found.sort(key=lambda turn: turn.left)
    yield from _nearest([_finer(turn) for turn in found[:4]], d)


def _left(y: np.ndarray, kept: np.ndarray, interleaved: bool, dim: int) -> Left:
    """Return the share that bases and steps leave unexplained.

    A score of one column depends on the distance alone: sums over all pairs of tokens
    are sums over distances.
    """
    d, n = y.shape[:2]
    half, column = max(dim // 2, 1), np.arange(d)
    pair = column // 2 if interleaved else column % half
    pair = np.where((column < dim) & (pair < half), pair, half)  # half: not turned
    away = np.abs(np.arange(n)[:, None] - np.arange(n))
    at = (away == np.arange(n)[:, None, None]) & kept  # distance, query, key
    by_distance = np.zeros((half + 1, n))
    np.add.at(by_distance, pair, np.einsum("dij,lij->dl", y, at, optimize=True))
    columns = np.bincount(pair, minlength=half + 1)[:half]
    norm, count = float((y * y).sum()), np.maximum(kept.sum(-1), 1)

    def left(base: np.ndarray, step: np.ndarray) -> np.ndarray:
        angles = step[:, None] * base[:, None] ** (-np.arange(half) / half)
        x = np.cos(angles[..., None] * np.arange(n))
        along = (x * by_distance[:half]).sum((-1, -2))
        squares = x**2 @ at.sum((1, 2)) - (x @ at.sum(2)) ** 2 @ (1 / count)
        share = along**2 / np.maximum(squares @ columns, 1e-300) / norm
        return np.asarray(np.sqrt(np.maximum(1 - share, 0)))

    return left


def _finer(turn: _Turn) -> _Turn:
    """Find the base finer and finer; take one in use where it leaves as little."""

    def left(bases: np.ndarray) -> np.ndarray:
        return turn.of(bases, np.full(len(bases), turn.step))

    base = number(left, turn.base * np.geomspace(1 / 1.75, 1.75, 9))
    power = turn.dim / (turn.dim - 2) if turn.dim > 2 else 1.0
    rounded = (float(f"{base:.{digits}g}") for digits in (1, 2, 3))
    near = np.array([*BASES, *(b**power for b in BASES), *rounded])
    fits = np.abs(np.log(near / base)) < 0.1
    fits &= left(near) <= 1.2 * left(np.array([base])) + 2e-6
    base = float(near[fits.argmax()]) if fits.any() else base
    return turn._replace(left=float(left(np.array([base]))[0]), base=base)


def _nearest(found: list[_Turn], d: int) -> Iterator[dict[str, Any]]:
    least = min((turn.left for turn in found), default=1.0)

    def rank(turn: _Turn) -> tuple[bool, int, float]:
        return turn.left > 1.5 * least + 1e-5, -turn.dim, turn.left

    for turn in sorted(found, key=rank)[:2]:
        if turn.left > 0.2 or turn.left > 20 * least + 1e-3:
            continue
        whole = turn.dim == d
        for part in (1.0,) if whole else (turn.dim / d, float(turn.dim)):
            rotary = {"base": float(turn.base), "interleaved": turn.interleaved}
            more = {"step": turn.step} if turn.step != 1 else {}
            yield {**rotary, "part": part, **more}


PRODUCTS = ("dot", "cosine", "rms")
AT = ((64, 2), (32, 2), (96, 2), (64, 3))  # d, heads
LOST = 0.3  # of the log weights: a product that leaves more is none
Rotary = dict[str, Any] | None


def compared_by(r: Readings, claim: Claim) -> Iterator[Claim]:
    """Yield the products that explain log weights best, each with its scale."""
    found: list[tuple[float, Claim]] = []
    for rotary in _turns(r, claim):
        for product in PRODUCTS:
            scaled = _scaled(r, claim, rotary, product)
            found += [scaled] if scaled is not None else []

    def rank(one: tuple[float, Claim]) -> tuple[float, bool]:
        """Of those alike, the usual scale first: "cosine × √d_k" is "rms × 1/√d_k"."""
        base = one[1].base
        unusual = base.product != "dot" and base.scale != Model().scale
        return float(f"{one[0]:.1g}"), unusual

    found.sort(key=rank)
    least = found[0][0] if found else 0.0
    for left, one in found:
        if left > 5 * least + 2e-3:
            continue
        yield one
        if one.base.product == "rms":
            yield from (one.on(product=name) for name in EPS)
    if not found:
        yield claim


def _turns(r: Readings, claim: Claim) -> list[Rotary]:
    read = r.columns()
    if read is None or claim.base.slopes is not None:
        return [None]
    logs, kept = read
    if np.abs(centered(logs, kept)).max() <= 1e-3:
        return [None]
    return [*turning(logs, kept[0][None]), None]


def _scaled(
    r: Readings, claim: Claim, rotary: Rotary, product: str
) -> tuple[float, Claim] | None:
    """Return what a product leaves, and a claim with its scale; None if too much."""
    most = r.heads[-1]
    at = [(nearest(d, r.widths), h if h in r.heads else most) for d, h in AT]
    fits = {x: _fit(r, claim, rotary, product, x) for x in dict.fromkeys(at)}
    read = {x: fit for x, fit in fits.items() if fit is not None}
    if not read or min(fit.left for fit in read.values()) > LOST:
        return None
    lefts = [fit.left for fit in read.values()]
    slopes = {x: fit.slope for x, fit in read.items()}
    n = r.near(24)
    sizes = {Sizes(h, h, n, n, d, d): x for (d, h), x in slopes.items()}
    eps = r.subject.format.eps
    name = name_scale(slopes, 4e-3, max(1e-4, eps))
    first = slopes[at[0]] if at[0] in slopes else next(iter(slopes.values()))
    known = name in SCALES
    scale = name if known else roundest(first, eps / 4)
    found = claim.on(rotary=rotary, product=product, scale=scale)
    if not known and (rule := scale_rule(sizes)):
        found = replace(found, fitted=(("scale", rule),))
    return max(lefts), found


def _fit(
    r: Readings,
    claim: Claim,
    rotary: Rotary,
    product: str,
    at: tuple[int, int],
) -> Fit | None:
    """Fit the scale at one d and number of heads, less what is added by place."""
    d, heads = at
    n = r.near(24)
    read = r.small(d, heads, n)
    if read is None:
        return None
    q, k, logs, kept = read
    measured = {name: getattr(claim.base, name) for name in ("slopes", "relative")}
    of_heads = {name: x and x.values.get((heads,)) for name, x in measured.items()}
    logs = logs - by_distance(n, n, claim.base.change(**of_heads))
    if rotary is not None:
        q, k = rotate(q, rotary, "q"), rotate(k, rotary, "k")
    return fit_slope(logs, products(q, k, product)[0], kept)
