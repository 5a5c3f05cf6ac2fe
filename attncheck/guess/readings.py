"""Readings: with the identity for values, the output is the weights themselves.

Of even weights, the mask that they show; the window or the rule that explains it.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from attncheck.guess.numbers import log_weights
from attncheck.model.fields import Bounds, Model, Rule, band
from attncheck.plan import Call, nearest
from attncheck.subject import Refused, Subject

SEED = 26  # of all numbers that are drawn, with the name of the reading
SIDES = ((160, 160), (12, 12), (12, 31), (20, 12))
VANISHED = 1e-30  # logarithms of smaller weights say nothing
VANISHING = 1e-36  # float32 keeps fewer bits of what is less
Logs = tuple[np.ndarray, np.ndarray]


class Seen(NamedTuple):
    """What even weights (n, m) show."""

    allowed: np.ndarray
    leak: float  # weight of a forbidden key, relative to an allowed one
    bias: np.ndarray | None  # what is added to the scores, if they are not even
    lost: np.ndarray  # rows that are NaN


class Readings:
    """What single calls show; each is made once, and None where it is refused.

    They keep to the sizes of the calls that were answered.
    """

    def __init__(self, subject: Subject, calls: list[Call]):
        self.subject = subject
        self.longest = {call.h: call.m for call in sorted(calls, key=lambda x: x.m)}
        self.heads = sorted(self.longest)
        self.lengths = sorted({call.n for call in calls if call.n == call.m})
        widths = [call.d for call in calls if call.d == call.d_v]
        self.d = 64 if 64 in widths or not widths else max(widths, key=widths.count)
        self.widths = sorted(set(widths))
        self.sides = _sides(calls)
        self.even, self.small = cache(self._even), cache(self._small)
        self.columns, self.picture = cache(self._columns), cache(self._picture)

    def near(self, n: int) -> int:
        """Return the number of tokens that it takes which is nearest."""
        return nearest(n, self.lengths)

    def weights(self, query: np.ndarray, key: np.ndarray) -> np.ndarray | None:
        """Return the weights (b, h, n, m): the values are the identity, d at a time."""
        m, d = key.shape[-2:]
        parts = []
        for start in range(0, m, d):
            value = np.zeros((*key.shape[:-1], d))
            width = min(d, m - start)
            columns = np.arange(width)
            value[..., start + columns, columns] = 1
            try:
                parts.append(self.subject(query, key, value)[..., :width])
            except (Refused, ValueError):
                return None
        return np.concatenate(parts, -1)

    def _picture(
        self, n: int, m: int, heads: int = 0, head: int = 0, level: float = 0.0
    ) -> Seen | None:
        """Return the mask where all scores are the same."""
        heads = heads or (2 if 2 in self.heads else self.heads[0])
        found = self.even(n, m, heads, level)
        return None if found is None else read_even(found[head], 2e-5)

    def _even(
        self, n: int, m: int, heads: int, level: float = 0.0
    ) -> np.ndarray | None:
        """Return the weights (h, n, m) where every query · key is `level`."""
        key = self.draw(f"even {n} {m} {heads}", 1, heads, m, self.d)
        query, side = np.zeros((1, heads, n, self.d)), abs(level) ** 0.5
        if level:
            key *= 0
            query[..., 0], key[..., 0] = np.copysign(side, level), side
        found = self.weights(query, key)
        if found is not None and not (level or np.nan_to_num(found).any()):
            # A query of 0 is divided by its length: make the keys equal instead.
            query = self.draw(f"equal {n} {m} {heads}", 1, heads, n, self.d)
            found = self.weights(query, np.broadcast_to(key[..., :1, :], key.shape))
        return None if found is None else np.asarray(found[0])

    def _small(
        self, d: int, heads: int, n: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """Return queries and keys of small scores, and the log weights."""
        rng = np.random.default_rng([SEED, *f"small {d} {heads}".encode()])
        q = self.subject.round(0.3 * rng.standard_normal((1, heads, n, d)))
        k = self.subject.round(rng.standard_normal((1, heads, n, d)))
        found = self.weights(q, k)
        return None if found is None else (q, k, *log_weights(found[0], VANISHED))

    def _columns(self) -> Logs | None:
        """Return log weights (d, n, n) of queries and keys with one column each."""
        d, n = self.d, self.near(32)
        q, k = np.zeros((d, 1, n, d)), np.zeros((d, 1, n, d))
        columns = np.arange(d)
        q[columns, :, :, columns] = k[columns, :, :, columns] = 1.5
        found = self.weights(q, k)
        return None if found is None else log_weights(found[:, 0], VANISHED)

    def draw(self, topic: str, *shape: int) -> np.ndarray:
        """Draw normal numbers for one reading, rounded to the subject's format."""
        rng = np.random.default_rng([SEED, *topic.encode()])
        return self.subject.round(rng.standard_normal(shape))


def _sides(calls: list[Call]) -> list[tuple[int, int]]:
    """Choose lengths as SIDES has them from those that were answered."""
    taken = {(call.n, call.m) for call in calls}
    found = []
    for n, m in SIDES:
        alike = [(a, b) for a, b in taken if np.sign(b - a) == np.sign(m - n)]
        near = sorted(alike, key=lambda x: (abs(np.log(x[0] * x[1] / n / m)), x))
        found += near[:1]
    return list(dict.fromkeys(found))


def read_even(weights: np.ndarray, tolerance: float) -> Seen:
    """Tell the mask from weights (n, m) whose scores were all the same.

    `tolerance` is relative. Two levels in a row are a mask that leaks; more are a bias.
    """
    lost = np.asarray(~np.isfinite(weights).all(-1))
    w = np.where(lost[:, None], 0, weights)
    seen = w > 0
    top = w.max(-1, keepdims=True)
    level = np.divide(w, top, out=np.zeros_like(w), where=top > 0)
    is_top = level > 1 - tolerance
    low = level[seen & ~is_top]
    if not low.size:
        return Seen(seen, 0.0, None, lost)
    even = low.max() - low.min() < tolerance * max(low.max(), 1e-300)
    even = even or low.max() < VANISHING  # whose last bits are lost
    allowed = is_top[~lost]
    # Where every query sees other keys, it is a mask; else it may be blocks of keys.
    least = 0.3 if (allowed == allowed[:1]).all() else 0.9
    banded = allowed.any(-1).all() and (allowed.sum(-1) > 1).any()  # (else a bias)
    if even and low.max() < least and banded:
        return Seen(is_top, float(low.mean()), None, lost)
    return Seen(seen, 0.0, np.log(level), lost)


def _reaches(allowed: np.ndarray, offset: int) -> Bounds:
    """Measure how far rows reach where the edge of the matrix does not stop them."""
    n, m = allowed.shape
    place, rows = np.arange(n) + offset, allowed.any(-1)
    first = np.where(rows, allowed.argmax(-1), 0)
    last = np.where(rows, m - 1 - allowed[:, ::-1].argmax(-1), m - 1)
    left = (place - first)[rows & (first > 0)]
    right = (last - place)[rows & (last < m - 1)]
    return (
        int(left.max()) if left.size else None,
        int(right.max()) if right.size else None,
    )


def explains_all(model: Model, pictures: list[Seen]) -> bool:
    """Say whether a model gives the mask of all pictures, and anybody at all."""
    shapes = [picture.allowed.shape for picture in pictures]
    masks = [band(n, m, model) for n, m in shapes]
    return any(x.any() for x in masks) and all(map(_explains, masks, pictures))


def _explains(mask: np.ndarray, picture: Seen) -> bool:
    """Say whether a mask is that of a picture, but for rows that see nothing.

    These give NaN, zeros or a mean of all values: some keys alone, they cannot.
    """
    empty = ~mask.any(-1)
    rows = ~empty & ~picture.lost
    some = picture.allowed.any(-1) & ~picture.allowed.all(-1)
    explained = np.array_equal(picture.allowed[rows], mask[rows])
    return bool(explained and not (some & empty).any())


FREE, CAUSAL = (None, None), (None, 0)
WITHIN = ("chunks", "prefix", "steps")  # of any window, or none
BESIDE = ("kept", "global")  # a window alone
WITHOUT = ("blocks", "restarts", "key restarts", "lags")  # any window


def rules(m: int, sizes: Iterable[int], windows: Iterable[Bounds]) -> Iterator[Model]:
    """Yield the rules in use for m keys: of these sizes, each with these windows."""
    windows = list(dict.fromkeys(windows))
    yield from (Model(picture=Rule(kind)) for kind in ("not its own", "sign"))
    for size in sizes:
        for window in windows:
            kinds = WITHIN if size > 1 else ()
            if window[0] is not None:
                kinds = (*(kinds or ("prefix",)), *BESIDE)
            rules = (Rule(kind, size) for kind in kinds)
            yield from (Model(window=window, picture=rule) for rule in rules)
        if 1 < size < m - 1:  # else it is for the last key alone
            yield from (Model(picture=Rule(kind, size)) for kind in WITHOUT)


def find_mask(pictures: list[Seen]) -> Model | None:
    """Find the window, or else the rule, that explains all pictures.

    The first picture must be the largest.
    """
    first = pictures[0]
    n, m = first.allowed.shape
    rows = np.unique([0, n // 2, n - 1])
    rows = rows[~first.lost[rows]]
    if first.allowed.any():
        for alignment, more in (("start", 0), ("end", m - n)):
            model = Model(window=_reaches(first.allowed, more), alignment=alignment)
            if explains_all(model, pictures):
                return model
    for alignment in ("start", "end"):
        for rule in rules(m, range(1, m), _windows(first, alignment)):
            model = rule.change(alignment=alignment)
            alike = np.array_equal(band(n, m, model, rows), first.allowed[rows])
            if alike and explains_all(model, pictures):
                return model
    return None


def _windows(picture: Seen, alignment: str) -> Iterator[Bounds]:
    """Read off windows beside a rule: how far a row's own run of keys reaches."""
    yield from (FREE, CAUSAL)
    n, m = picture.allowed.shape
    for i in (n - 1, n // 2):
        place = i + (m - n if alignment == "end" else 0)
        row = picture.allowed[i]
        if place < m and row[place]:
            left, right = _run(row[place::-1]) - 1, _run(row[place:]) - 1
            yield from ((left, 0), (left, right), (place - int(row.argmax()), 0))


def _run(row: np.ndarray) -> int:
    """Count the keys that are seen from the first on."""
    return len(row) if row.all() else int(row.argmin())
