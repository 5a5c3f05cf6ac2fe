"""How queries and keys are compared: turned or not, in which product, how scaled."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.readings import Readings
from attncheck.guess.scales import Fit, centered, fit_slope, name_scale
from attncheck.guess.sizes import scale_rule
from attncheck.guess.turning import turning
from attncheck.model import (
    EPS,
    SCALES,
    Measured,
    Sizes,
    products,
    relative_bias,
    rotate,
)

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
    found.sort(key=lambda one: float(f"{one[0]:.1g}"))  # (alike: the first product)
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
    heads = r.heads or [2]
    at = [(r.width(d), h if h in heads else heads[-1]) for d, h in AT]
    fits = {x: _fit(r, claim, rotary, product, x) for x in dict.fromkeys(at)}
    read = {x: fit for x, fit in fits.items() if fit is not None}
    if not read or min(fit.left for fit in read.values()) > LOST:
        return None
    lefts = [fit.left for fit in read.values()]
    slopes = {x: fit.slope for x, fit in read.items()}
    n = r.near(24)
    sizes = {Sizes(h, h, n, n, d, d): x for (d, h), x in slopes.items()}
    name = name_scale(slopes, 4e-3, 1e-4)
    first = at[0] if at[0] in slopes else next(iter(slopes))
    known = name in SCALES
    model = claim.base.change(
        rotary=rotary, product=product, scale=name if known else slopes[first]
    )
    found = replace(claim, base=model)
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
    read = r.small(d, heads, n, n)
    if read is None:
        return None
    q, k, logs, kept = read
    slopes, table = (_of(x, heads) for x in (claim.base.slopes, claim.base.relative))
    if slopes is not None:
        away = np.arange(n)[:, None] - np.arange(n)
        away = away if claim.base.slopes_signed else np.abs(away)
        logs = logs + slopes[:, None, None] * away
    if table is not None:
        logs = logs - relative_bias(n, n, claim.base.change(relative=table))
    if rotary is not None:
        q, k = rotate(q, rotary, "q"), rotate(k, rotary, "k")
    return fit_slope(logs, products(q, k, product)[0], kept)


def _of(measured: Measured | None, heads: int) -> np.ndarray | None:
    return None if measured is None else measured.values.get((heads,))
