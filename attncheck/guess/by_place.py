"""What is added to scores by place, what takes a share of sums; masks."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.claim import Claim, Run
from attncheck.guess.numbers import centered
from attncheck.guess.readings import Readings
from attncheck.guess.seen import Seen
from attncheck.model.fields import Measured, Model, band
from attncheck.model.moves import slopes_of
from attncheck.subject import Refused
from attncheck.verify import judge

UNEVEN = 0.02  # of what is read: what may be left
Found = dict[int, np.ndarray]


def placed(r: Readings, model: Model) -> Iterator[Claim]:
    """Yield slopes, a bias by distance, sinks: measured for each number of heads."""
    yielded = False
    free = model.window == (None, None)
    for alignment in dict.fromkeys(
        (model.alignment, *(("start", "end") if free else ()))
    ):
        for signed in (False, True):
            if slopes := _slopes(r, model, alignment, signed):
                of = alignment if alignment != model.alignment else ""
                signs = {"slopes_signed": signed, "slopes_from": of}
                yield Claim(model.change(slopes=_by_heads(slopes), **signs))
                yielded = True
    if not yielded and (tables := _tables(r)):
        for alignment in dict.fromkeys((model.alignment, "start", "end")):
            yield Claim(model.change(alignment=alignment, relative=_by_heads(tables)))
    if sinks := _sinks(r):
        yield Claim(model.change(normalized="sink", sink=_by_heads(sinks)))
    yield Claim(model)


def _by_heads(found: Found) -> Measured:
    return Measured(("n_heads",), {(h,): x for h, x in found.items()})


def _slopes(r: Readings, model: Model, alignment: str, signed: bool) -> Found:
    """Measure a slope for each head; nothing where scores do not fall evenly."""

    def seen(n: int, m: int, h: int, head: int) -> Seen | None:
        picture = r.picture(n, m, h, head)  # (a fully masked row may get a mean)
        if picture is None:
            return None
        return picture._replace(allowed=picture.allowed & band(n, m, model))

    n, m = r.cached(r.near(12)) if alignment == "end" else (r.near(12),) * 2
    far, found = r.near(96), {}
    for h in r.heads:
        slopes = [slope_of(seen(n, m, h, head), signed, alignment) for head in range(h)]
        for head, x in enumerate(slopes):
            if x == 0 and r.even(far, far, h) is not None:
                slopes[head] = slope_of(seen(far, far, h, head), signed)
        if r.even(n, m, h) is None:
            continue
        if any(x is None for x in slopes):
            return {}
        read, published = np.array(slopes, float), slopes_of(h)
        near = np.allclose(read, published, rtol=8 * r.subject.format.eps)
        found[h] = published if near else read
    return found if any(x.any() for x in found.values()) else {}


def slope_of(
    picture: Seen | None, signed: bool, alignment: str = "start"
) -> float | None:
    """Return how log weights of equal scores fall with the distance, or None."""
    if picture is None:
        return None
    if picture.bias is None:
        return 0.0
    n, m = picture.allowed.shape
    away = np.arange(m) - np.arange(n)[:, None] - (m - n if alignment == "end" else 0.0)
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
        n = r.near(160 if r.longest[h] > 48 else 48)
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
    eps = r.subject.format.eps
    n, found = r.near(3 if eps > 1e-4 else 12), {}  # (few bits: a larger share)
    for h in r.heads:
        weights = r.even(n, n, h)
        if weights is None:
            continue
        sinks = sink_of(weights, max(1e-3, 20 * eps), max(1e-6, 2 * eps))
        if sinks is not None:
            found[h] = sinks
    return found


def sink_of(weights: np.ndarray, near: float, least: float = 1e-6) -> np.ndarray | None:
    """Return a logit for each head from weights (h, n, m) of sums below 1 − least."""
    if not np.isfinite(weights).all():
        return None
    total, top = weights.sum(-1), weights.max(-1)
    seen = top > 0
    if (total[seen] > 1 - least).any() or not seen.any(-1).all():
        return None
    each = np.where(seen, (1 - total) / np.where(seen, top, 1), np.nan)  # exp(sink)
    sinks = np.nanmedian(each, -1)
    even = np.nanmax(np.abs(each - sinks[:, None]), -1) <= near * sinks
    return np.log(sinks) if even.all() and (sinks > 0).all() else None


LOUD = 12.0  # one key's query · key is its square
Places = dict[tuple[int, int, int], tuple[np.ndarray, np.ndarray]]
SOME, USUAL = 8, 400  # runs that tell first whether masks alone explain; their scores


def heads_read(r: Readings, runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield a claim with the key head and the value head that each query head reads."""
    found: dict[tuple[int, int], Any] = {}
    sizes = (run.sizes for run in runs)
    for h, g in dict.fromkeys((s.n_heads, s.n_kv_heads) for s in sizes):
        try:
            read = _heads_of(r, h, g)
        except (Refused, IndexError):
            continue
        if read is None:
            return
        found[h, g] = read
    if found:
        kept = tuple(
            v for v in claim.values if v.field not in ("grouping", "output_order")
        )
        of = ("n_heads", "n_kv_heads")
        yield replace(claim, values=kept).on(heads=Measured(of, found))


def _heads_of(r: Readings, h: int, g: int) -> tuple[list[int], list[int]] | None:
    """Give each key head a loud key of its own place, and each value head a tag."""
    n = r.near(16)
    q, k = np.zeros((1, h, n, r.d)), np.zeros((1, g, n, r.d))
    tags, places = np.zeros((1, g, n, r.d)), np.zeros((1, g, n, r.d))
    head, token = np.arange(g), np.arange(min(n, r.d))
    tags[0, head, :, head] = 1
    q[..., 0], places[..., token, token] = LOUD, 1
    k[0, head, head, 0] = LOUD
    by_value, by_key = r.subject(q, k, tags)[0], r.subject(q, k, places)[0]
    row = int((by_key[..., :g] > 0).sum(-1).min(0).argmax())  # one that sees them all
    seen = by_value[:, row, :g]
    if not np.allclose(seen.max(-1), by_value[:, row].sum(-1), rtol=1e-4):
        return None
    return by_key[:, row, :g].argmax(-1).tolist(), seen.argmax(-1).tolist()


def places_read(r: Readings, runs: list[Run], claim: Claim) -> Iterator[Claim]:
    """Yield a claim with the weights of equal scores at every size that was called."""
    bare = claim.base.change(
        window=(None, None),
        picture=None,
        alignment="start",
        slopes_from="",
        slopes_signed=False,
        **dict.fromkeys(("slopes", "sink", "relative", "heads")),
    )
    fitted = tuple(pair for pair in claim.fitted if pair[0] == "scale")
    found: Places = {}
    places = Measured(("n_heads", "n", "m"), found)
    scales = dict.fromkeys((bare.scale, "1/√d_k"))
    models = [bare.change(scale=x, places=places) for x in scales]
    claims = [Claim(model, fitted=fitted) for model in models]
    some = sorted(runs, key=lambda run: abs(run.sizes.n * run.sizes.m - USUAL))[:SOME]
    _read_places(r, some, found)
    if any(judge(run, one, True).ok for one in claims for run in some):
        _read_places(r, runs, found)
        yield from claims


def _read_places(r: Readings, runs: list[Run], found: Places) -> None:
    sizes = (run.sizes for run in runs)
    for h, n, m in dict.fromkeys((s.n_heads, s.n, s.m) for s in sizes):
        w = None if (h, n, m) in found else r.even(n, m, h)
        if w is None:
            continue
        w = np.nan_to_num(w)
        w = w * (w > 1e-7 * w.max(-1, keepdims=True))
        found[h, n, m] = (w > 0)[None], np.log(np.where(w > 0, w, 1))[None]
