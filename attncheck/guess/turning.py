"""Rotary embeddings that explain the weights of single columns."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from attncheck.guess.scales import centered

BASES = (1e4, 5e5, 1e6, 1e5, 1e3, 1e2, 1.5e5, 2.5e5, 5e6, 1e7, 1e8)
STEPS = (1.0, 0.5, 0.25, 0.125, 2.0)
LLAMA = {
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
SCALINGS = tuple({"rope_type": "llama3", "factor": x, **LLAMA} for x in (8.0, 32.0))


class _Turn(NamedTuple):
    left: float  # the share of the logarithms that is not explained
    base: float
    step: float
    interleaved: bool
    dim: int
    of: Callable[[float, float], float]


def turning(logs: np.ndarray, kept: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield rotary embeddings that explain log weights (d, n, n) of single columns."""
    d = len(logs)
    y = centered(logs, np.broadcast_to(kept, logs.shape))
    if float((y * y).sum()) < 1e-6:
        return
    found = []
    dims = dict.fromkeys((d, d // 2, d // 4, 3 * d // 4))
    for interleaved, dim in itertools.product((False, True), dims):
        left = _left(y, kept, interleaved, dim)
        bases = np.geomspace(30, 3e8, 30)
        best = min((left(b, s), b, s) for b in bases for s in STEPS)
        if best[0] < 0.7:
            found.append(_Turn(*best, interleaved, dim, left))
    found.sort(key=lambda turn: turn.left)
    yield from _nearest([_finer(turn) for turn in found[:4]], d)


def _left(
    y: np.ndarray, kept: np.ndarray, interleaved: bool, dim: int
) -> Callable[[float, float], float]:
    """Return the share that a base and a step leave unexplained."""
    d, n = y.shape[:2]
    half, column = max(dim // 2, 1), np.arange(d)
    pair = np.where(column < dim, column // 2 if interleaved else column % half, -1)
    away = np.arange(n)[:, None] - np.arange(n)
    norm = float((y * y).sum())

    def left(base: float, step: float) -> float:
        angles = step * base ** (-np.arange(half) / half)
        x = np.cos(angles[:, None, None] * away)
        x = centered(x, np.broadcast_to(kept[0], x.shape))
        x = np.concatenate([x, np.zeros((1, n, n))])[pair]
        a = float((x * y).sum()) / max(float((x * x).sum()), 1e-300)
        return math.sqrt(max(float(((y - a * x) ** 2).sum()), 0) / norm)

    return left


def _finer(turn: _Turn) -> _Turn:
    """Find the base finer and finer; take one in use where it leaves as little."""
    base, ratio = turn.base, 1.75
    for _ in range(7):
        grid = base * ratio ** np.linspace(-1, 1, 9)
        base = float(min(grid, key=lambda b: turn.of(b, turn.step)))
        ratio **= 0.3
    room = 1.2 * turn.of(base, turn.step) + 2e-6
    power = turn.dim / (turn.dim - 2) if turn.dim > 2 else 1.0
    rounded = (float(f"{base:.{digits}g}") for digits in (1, 2, 3))
    for near in (*BASES, *(b**power for b in BASES), *rounded):
        if abs(math.log(near / base)) < 0.1 and turn.of(near, turn.step) <= room:
            base = near
            break
    return turn._replace(left=turn.of(base, turn.step), base=base)


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
