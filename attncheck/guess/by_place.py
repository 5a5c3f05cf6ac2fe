"""What is added to scores by place, and what takes a share of every sum."""

from collections.abc import Iterator

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.bands import Seen
from attncheck.guess.readings import Readings
from attncheck.guess.scales import centered
from attncheck.model import Measured, Model, band

UNEVEN = 0.02  # of what is read: what may be left
Found = dict[int, np.ndarray]


def placed(r: Readings, model: Model) -> Iterator[Claim]:
    """Yield slopes, a bias by distance, sinks: measured for each number of heads."""
    yielded = False
    free = model.window == (None, None)
    for corner in dict.fromkeys((model.corner, *(("start", "end") if free else ()))):
        for signed in (False, True):
            if slopes := _slopes(r, model, corner, signed):
                of = corner if corner != model.corner else ""
                signs = {"slopes_signed": signed, "slopes_from": of}
                yield Claim(model.change(slopes=_by_heads(slopes), **signs))
                yielded = True
    if not yielded and (tables := _tables(r)):
        for corner in dict.fromkeys((model.corner, "start", "end")):
            yield Claim(model.change(corner=corner, relative=_by_heads(tables)))
    if sinks := _sinks(r):
        yield Claim(model.change(normalized="sink", sink=_by_heads(sinks)))
    yield Claim(model)


def _by_heads(found: Found) -> Measured:
    return Measured(("n_heads",), {(h,): x for h, x in found.items()})


def _slopes(r: Readings, model: Model, corner: str, signed: bool) -> Found:
    """Measure a slope for each head; nothing where scores do not fall evenly."""

    def seen(n: int, m: int, h: int, head: int) -> Seen | None:
        picture = r.picture(n, m, h, head)  # (an empty row may get a mean)
        if picture is None:
            return None
        return picture._replace(allowed=picture.allowed & band(n, m, model))

    n, m = r.cached(r.near(12)) if corner == "end" else (r.near(12),) * 2
    far, found = r.near(96), {}
    for h in r.heads:
        slopes = [slope_of(seen(n, m, h, head), signed, corner) for head in range(h)]
        for head, x in enumerate(slopes):
            if x == 0 and r.even(far, far, h) is not None:
                slopes[head] = slope_of(seen(far, far, h, head), signed)
        if r.even(n, m, h) is None:
            continue
        if any(x is None for x in slopes):
            return {}
        found[h] = np.array(slopes, float)
    return found if any(x.any() for x in found.values()) else {}


def slope_of(picture: Seen | None, signed: bool, corner: str = "start") -> float | None:
    """Return how log weights of equal scores fall with the distance, or None."""
    if picture is None:
        return None
    if picture.bias is None:
        return 0.0
    n, m = picture.allowed.shape
    away = np.arange(m) - np.arange(n)[:, None] - (m - n if corner == "end" else 0.0)
    seen = picture.allowed & ~picture.lost[:, None]
    x = centered(away if signed else -np.abs(away), seen)
    y = centered(np.where(seen, picture.bias, 0), seen)
    slope = float((x * y).sum() / max((x * x).sum(), 1e-300))
    left = np.abs(y - slope * x).max()
    if left > UNEVEN * np.abs(y).max() + 1e-5:
        return None
    return slope


def _tables(r: Readings) -> Found:
    """Measure a bias that depends on key − query alone, as T5's."""
    first = r.picture(r.near(12), r.near(12))
    if first is None or first.bias is None:
        return {}
    found = {}
    for h in r.heads:
        n = r.near(160 if h in (1, 2) else 48)
        if r.even(n, n, h) is None:
            continue
        tables = [table_of(r.picture(n, n, h, head)) for head in range(h)]
        if any(x is None for x in tables):
            return {}
        found[h] = np.array(tables)
    return found


def table_of(picture: Seen | None) -> np.ndarray | None:
    """Return a bias for key − query = 1 − n … n − 1; None if it needs more."""
    if picture is None:
        return None
    n = picture.allowed.shape[0]
    if picture.bias is None:
        return np.zeros(2 * n - 1)
    logs = np.where(picture.allowed, picture.bias, 0)
    both = picture.allowed[:, 1:] & picture.allowed[:, :-1]
    place = (np.arange(n) - np.arange(n)[:, None])[:, :-1] + n - 1
    rises = np.diff(logs, axis=-1)
    count = np.maximum(np.bincount(place[both], minlength=2 * n - 2), 1)
    steps = np.bincount(place[both], rises[both], minlength=2 * n - 2) / count
    off = np.abs(rises - steps[place])[both]
    if not off.size or off.max() > UNEVEN * np.abs(steps).max() + 1e-5:
        return None
    table = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(table - table[n - 1])


def _sinks(r: Readings) -> Found:
    n, found = r.near(12), {}
    for h in r.heads:
        weights = r.even(n, n, h)
        if weights is None:
            continue
        sinks = sink_of(weights, max(1e-3, 20 * r.subject.format.eps))
        if sinks is not None:
            found[h] = sinks
    return found


def sink_of(weights: np.ndarray, near: float) -> np.ndarray | None:
    """Return a logit for each head from weights (h, n, m) of sums below 1."""
    if not np.isfinite(weights).all():
        return None
    total, top = weights.sum(-1), weights.max(-1)
    seen = top > 0
    if (total[seen] > 1 - 1e-6).any() or not seen.any(-1).all():
        return None
    each = np.where(seen, (1 - total) / np.where(seen, top, 1), np.nan)  # exp(sink)
    sinks = np.nanmedian(each, -1)
    even = np.nanmax(np.abs(each - sinks[:, None]), -1) <= near * sinks
    return np.log(sinks) if even.all() and (sinks > 0).all() else None
