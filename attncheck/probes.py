"""The probes: with the identity for values, the output is the weights themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.subject import Subject

SEED = 26  # of all numbers that are drawn, with the name of the question


class Probes:
    """Random arrays in the format of the subject, and the weights that it used.

    Parameters
    ----------
    subject : Subject
    d : int
        Columns of queries, keys and values alike: kernels want that.
    """

    def __init__(self, subject: Subject, d: int = 64):
        self.subject = subject
        self.d = d
        self.of_zero = ""  # what a query of 0 gets in place of even weights
        self.begin("")

    def begin(self, topic: str) -> None:
        """Draw the numbers of one question, whatever was asked before it."""
        self.rng = np.random.default_rng([SEED, *topic.encode()])

    def draw(self, *shape: int, size: float = 1.0) -> np.ndarray:
        """Draw normal numbers, rounded to the subject's format."""
        return self.subject.round(size * self.rng.standard_normal(shape))

    def weights(self, query: np.ndarray, key: np.ndarray, **more: Any) -> np.ndarray:
        """Return the weights (b, h, n, m): the values are the identity, d at a time."""
        m, d = key.shape[-2], self.d
        parts = []
        for start in range(0, m, d):
            value = np.zeros((*key.shape[:-1], d))
            width = min(d, m - start)
            columns = np.arange(width)
            value[..., start + columns, columns] = 1
            parts.append(self.subject(query, key, value, **more)[..., :width])
        return np.concatenate(parts, -1)

    def even(
        self, n: int, m: int, heads: int = 1, level: float = 0.0, **more: Any
    ) -> np.ndarray:
        """Return the weights (h, n, m) when every score is the same: the mask shows.

        Every query · key is `level`. At 0, the queries are 0. Where a function divides
        them by their length, or hides scores of 0, they get NaN or zeros; then the keys
        are made equal in their place.
        """
        if level:
            return self._level(n, m, heads, level)
        key = self.draw(1, heads, m, self.d)
        zero = np.zeros((1, heads, n, self.d))
        found: np.ndarray = self.weights(zero, key, **more)[0]
        lost = "NaN" if np.isnan(found).all() else "" if found.any() else "zeros"
        if lost == "NaN" or (lost and not more):
            key = np.broadcast_to(key[..., :1, :], key.shape)
            found = self.weights(self.draw(1, heads, n, self.d), key, **more)[0]
            if not more and np.nan_to_num(found).any():
                self.of_zero = lost
        return found

    def _level(self, n: int, m: int, heads: int, level: float) -> np.ndarray:
        side = abs(level) ** 0.5
        q, k = (np.zeros((1, heads, size, self.d)) for size in (n, m))
        q[..., 0], k[..., 0] = np.copysign(side, level), side
        found: np.ndarray = self.weights(q, k)[0]
        return found
