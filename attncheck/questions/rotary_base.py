"""The base of rotary positions: what was measured, settled on fresh numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.model import normalized, rotate
from attncheck.scales import centered, fit_slope, log_weights

USUAL = (1e4, 5e5, 1e6, 1e5, 1e3, 1e2, 1.5e5, 5e6, 1e7)
AROUND = 0.35  # a measured base may be wrong by this share
EXPLAINED = 0.3  # of the log weights: more left over is another function


def settle(case: Case, rotary: dict[str, Any]) -> bool:
    """Choose the base that explains fresh weights best; say whether one does.

    The measured base gives way to a usual or a rounder one that explains them as well.
    """
    found = [_weights(case, size) for size in (1.0, case.d**-0.5)]
    q, k, *seen = found[0]
    found.append((normalized(q, "cosine"), normalized(k, "cosine"), *seen))  # QK-norm
    measured, best = rotary["base"], (np.inf, 0.0, 0)
    near = [b for b in USUAL if abs(np.log(b / measured)) < AROUND]
    rounded = [float(f"{measured:.{digits}g}") for digits in (1, 2, 3)]
    grid = measured * np.exp(np.linspace(-AROUND, AROUND, 29))
    for at, (q, k, logs, kept) in enumerate(found):
        for base in (*near, *rounded, *grid):
            left = _left(case, {**rotary, "base": float(base)}, q, k, logs, kept)
            if left < 0.95 * best[0]:  # (what came first is preferred)
                best = (left, float(base), at)
    left, base, at = best
    if base in grid:
        base = _finer(case, rotary, base, found[at])
    rotary["base"] = base
    return left < EXPLAINED


def _finer(
    case: Case, rotary: dict[str, Any], base: float, found: tuple[np.ndarray, ...]
) -> float:
    """Search between two steps of the grid; round to three digits."""
    for step in (0.01, 0.003):
        bases = base * np.exp(step * np.arange(-3, 4))
        left = [_left(case, {**rotary, "base": float(b)}, *found) for b in bases]
        base = float(bases[int(np.argmin(left))])
    return float(f"{base:.3g}")


def _weights(case: Case, size: float) -> tuple[np.ndarray, ...]:
    """Return queries, keys and the log weights of a longer run."""
    n, draw = 4 * case.many if case.n <= 16 else case.many, case.probes.draw
    q, k = draw(1, 1, n, case.d, size=size), draw(1, 1, n, case.d)
    logs, kept = log_weights(case.probes.weights(q, k)[0], case.smallest)
    logs = logs - case.bias(n, n, 1)
    kept = kept & case.allowed(n, n)
    if case.by_query:
        logs, kept = (x.swapaxes(-1, -2) for x in (logs, kept))
    return q, k, logs, kept


def _left(
    case: Case,
    rotary: dict[str, Any],
    q: np.ndarray,
    k: np.ndarray,
    logs: np.ndarray,
    kept: np.ndarray,
) -> float:
    """Return the share of the log weights that rotated products leave over."""
    dots = (rotate(q, rotary, "q") @ rotate(k, rotary, "k").swapaxes(-1, -2))[0]
    dots = dots.swapaxes(-1, -2) if case.by_query else dots
    return float(fit_slope(centered(logs, kept), dots, kept).left)
