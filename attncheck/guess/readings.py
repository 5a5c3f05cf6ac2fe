"""Readings: with the identity for values, the output is the weights themselves."""

from functools import cache

import numpy as np

from attncheck.guess.numbers import log_weights
from attncheck.guess.seen import Seen, read_even
from attncheck.plan import Call
from attncheck.subject import Refused, Subject

SEED = 26  # of all numbers that are drawn, with the name of the reading
SIDES = ((160, 160), (12, 12), (12, 31), (20, 12))
VANISHED = 1e-30  # logarithms of smaller weights say nothing
Logs = tuple[np.ndarray, np.ndarray]


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
        return min(self.lengths, key=lambda x: (abs(x - n), x), default=n)

    def width(self, d: int) -> int:
        """Return the number of columns that it takes which is nearest."""
        return min(self.widths, key=lambda x: (abs(x - d), x), default=d)

    def weights(self, query: np.ndarray, key: np.ndarray) -> np.ndarray:
        """Return the weights (b, h, n, m): the values are the identity, d at a time."""
        m, d = key.shape[-2:]
        parts = []
        for start in range(0, m, d):
            value = np.zeros((*key.shape[:-1], d))
            width = min(d, m - start)
            columns = np.arange(width)
            value[..., start + columns, columns] = 1
            parts.append(self.subject(query, key, value)[..., :width])
        return np.concatenate(parts, -1)

    def _picture(
        self, n: int, m: int, heads: int = 0, head: int = 0, level: float = 0.0
    ) -> Seen | None:
        """Return the mask where all scores are the same."""
        heads = heads or (2 if 2 in self.heads or not self.heads else self.heads[0])
        found = self.even(n, m, heads, level)
        return None if found is None else read_even(found[head], 2e-5)

    def _even(
        self, n: int, m: int, heads: int, level: float = 0.0
    ) -> np.ndarray | None:
        """Return the weights (h, n, m) where every query · key is `level`."""
        try:
            if level:
                return self._level(n, m, heads, level)
            key = self.draw(f"even {n} {m} {heads}", 1, heads, m, self.d)
            found = self.weights(np.zeros((1, heads, n, self.d)), key)[0]
            if np.isfinite(found).any() and np.nan_to_num(found).any():
                return np.asarray(found)
            return self._equal_keys(n, m, heads, key)
        except (Refused, ValueError):
            return None

    def _equal_keys(self, n: int, m: int, heads: int, key: np.ndarray) -> np.ndarray:
        """Where a query of 0 is divided by its length: make the keys equal instead."""
        same = np.broadcast_to(key[..., :1, :], key.shape)
        query = self.draw(f"equal {n} {m} {heads}", 1, heads, n, self.d)
        return np.asarray(self.weights(query, same)[0])

    def _level(self, n: int, m: int, heads: int, level: float) -> np.ndarray:
        side = abs(level) ** 0.5
        q, k = (np.zeros((1, heads, size, self.d)) for size in (n, m))
        q[..., 0], k[..., 0] = np.copysign(side, level), side
        return np.asarray(self.weights(q, k)[0])

    def _small(
        self, d: int, heads: int, n: int = 24, m: int = 24
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """Return queries and keys of small scores, and the log weights."""
        rng = np.random.default_rng([SEED, *f"small {d} {heads}".encode()])
        q = self.subject.round(0.3 * rng.standard_normal((1, heads, n, d)))
        k = self.subject.round(rng.standard_normal((1, heads, m, d)))
        try:
            return (q, k, *log_weights(self.weights(q, k)[0], VANISHED))
        except (Refused, ValueError):
            return None

    def _columns(self) -> Logs | None:
        """Return log weights (d, n, n) of queries and keys with one column each."""
        d, n = self.d, self.near(32)
        q, k = np.zeros((d, 1, n, d)), np.zeros((d, 1, n, d))
        columns = np.arange(d)
        q[columns, :, :, columns] = k[columns, :, :, columns] = 1.5
        try:
            return log_weights(self.weights(q, k)[:, 0], VANISHED)
        except (Refused, ValueError):
            return None

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
