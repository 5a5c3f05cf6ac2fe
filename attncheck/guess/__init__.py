"""A first model from a few readings: identity as values, queries of 0, log weights."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from attncheck.claim import Claim, Run
from attncheck.formats import Format
from attncheck.guess.numbers import name_scale, rounder, roundest
from attncheck.guess.products import compared_by
from attncheck.guess.readings import VANISHING, Readings, Seen, find_mask
from attncheck.model.fields import SCALES, Measured, Model, band
from attncheck.model.moves import slopes_of
from attncheck.subject import Refused
from attncheck.verify import judge

__all__ = ["Readings", "guess", "heads_read", "places_read"]
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
        found.append(found[0].on(scale=roundest(scale, BENT)))
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
            model = find_mask(some) if some else None
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


def _leaking(model: Model, leak: float) -> Iterator[Model]:
    """Yield what gives hidden keys a weight: a cap after the mask, or a number."""
    if not leak:
        return
    fill = rounder(float(np.log(leak)), lambda x: abs(np.exp(x) / leak - 1) < 1e-4)
    yield model.change(order="mask, cap", softcap=-fill)
    yield model.change(fill=fill)


# What is added to scores by place, and what takes a share of sums.
UNEVEN = 0.02  # of what is read: what may be left
Found = dict[int, np.ndarray]


def placed(r: Readings, model: Model) -> Iterator[Claim]:
    """Yield slopes, a bias by distance, sinks: measured for each number of heads."""
    n, eps = r.near(160), r.subject.format.eps
    first = r.picture(n, n)
    steps = _steps(r, model) if first and first.bias is not None else {}
    slopes = {h: slopes_from(x, eps) for h, x in steps.items()}
    signs = {signed for _, signed in slopes.values()}
    counted = dict.fromkeys((model.alignment, "start", "end"))  # distances, from there
    if len(signs) == 1 and None not in signs:
        found = _by_heads({h: x for h, (x, _) in slopes.items()})
        free = model.window == (None, None)
        for alignment in counted if free else (model.alignment,):
            of = alignment if alignment != model.alignment else ""
            signed = signs == {True}
            yield Claim(
                model.change(slopes=found, slopes_signed=signed, slopes_from=of)
            )
    elif steps:
        found = _by_heads({h: np.array([*map(table_of, x)]) for h, x in steps.items()})
        for alignment in counted:
            yield Claim(model.change(alignment=alignment, relative=found))
    if sinks := _sinks(r):
        yield Claim(model.change(normalized="sink", sink=_by_heads(sinks)))
    yield Claim(model)


def _by_heads(found: Found) -> Measured:
    return Measured(("n_heads",), {(h,): x for h, x in found.items()})


def _steps(r: Readings, model: Model) -> Found:
    """Measure for each head how scores rise from one distance to the next."""
    found, noise = {}, 4 * r.subject.format.eps
    for h in r.heads:
        n = r.near(160 if r.longest[h] > 48 else 48)
        if r.even(n, n, h) is None:
            continue
        pictures = (r.picture(n, n, h, head) for head in range(h))
        steps = [steps_of(picture, model, r.subject.format) for picture in pictures]
        if any(x is None for x in steps):
            return {}
        found[h] = np.array(steps)
    rise = any(np.nan_to_num(np.abs(x)).max() > noise for x in found.values())
    return found if rise else {}


def steps_of(picture: Seen | None, model: Model, fmt: Format) -> np.ndarray | None:
    """Return how log weights rise from key − query = 1 − n to 2 − n, … n − 1.

    NaN where no query sees both keys; None if it depends on more than the distance.
    """
    if picture is None:
        return None
    n = picture.allowed.shape[0]
    bias = np.zeros((n, n)) if picture.bias is None else picture.bias
    seen = picture.allowed & band(n, n, model)  # (a fully masked row may get a mean)
    seen &= bias > np.log(max(VANISHING, n * fmt.smallest))  # (whose bits are kept)
    seen &= ~picture.lost[:, None]
    both = seen[:, 1:] & seen[:, :-1]
    place = (np.arange(n) - np.arange(n)[:, None])[:, :-1] + n - 1
    rises = np.diff(np.where(seen, bias, 0), axis=-1)
    count = np.bincount(place[both], minlength=2 * n - 2)
    total = np.bincount(place[both], rises[both], minlength=2 * n - 2)
    steps = np.asarray(total / np.where(count > 0, count, np.nan))
    off = np.abs(rises - steps[place])[both]
    near = 1e-5 + 4 * fmt.eps
    if not off.size or off.max() > UNEVEN * np.nanmax(np.abs(steps)) + near:
        return None
    return steps


def table_of(steps: np.ndarray) -> np.ndarray:
    """Return a bias for key − query = 1 − n … n − 1: 0 at a query's own place."""
    table = np.concatenate([[0.0], np.cumsum(np.nan_to_num(steps))])
    return np.asarray(table - table[len(steps) // 2])


def slopes_from(steps: np.ndarray, eps: float) -> tuple[np.ndarray, bool | None]:
    """Return a slope for each head, and whether scores rise past a query's own place.

    None if scores are no lines, or all even.
    """
    before, after = np.split(steps, 2, axis=-1)
    if np.isnan(before).all():
        before = -after
    slopes = np.nansum(before, -1) / (~np.isnan(before)).sum(-1).clip(1)
    published = slopes_of(len(slopes))
    if np.allclose(slopes, published, rtol=8 * eps):
        slopes = published
    for signed, sign in ((False, -1), (True, 1)):
        lines = np.concatenate([before, sign * after], -1) - slopes[:, None]
        off = np.nan_to_num(np.abs(lines)).max()
        if slopes.any() and off <= UNEVEN * np.abs(slopes).max() + 4 * eps:
            return slopes, signed
    return slopes, None


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
