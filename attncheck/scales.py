"""Read scores off weights: their logarithms, but for what softmax cannot see."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from attncheck.model import SCALES

USUAL_CAPS = (5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 50.0, 100.0)


class Fit(NamedTuple):
    """log weights = cap · tanh(slope · scores / cap) + something for each row."""

    slope: float
    left: float  # of the log weights, the share that is not explained
    cap: float | None = None


def centered(x: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Subtract each row's mean over what is kept; softmax cannot see that mean."""
    n = np.maximum(kept.sum(-1, keepdims=True), 1)
    mean = np.where(kept, x, 0).sum(-1, keepdims=True) / n
    return np.where(kept, x - mean, 0)


def log_weights(w: np.ndarray, smallest: float) -> tuple[np.ndarray, np.ndarray]:
    """Return log w, and where it means something: w is no smaller than that."""
    kept = np.isfinite(w) & (w > smallest)
    return np.log(np.where(kept, w, 1)), kept


def fit_slope(logs: np.ndarray, scores: np.ndarray, kept: np.ndarray) -> Fit:
    """Find how much of the scores is in the log weights."""
    x, y = centered(scores, kept), centered(logs, kept)
    norm = float((x * x).sum())
    if norm == 0:
        return Fit(0.0, 1.0)
    slope = float((x * y).sum()) / norm
    total = float((y * y).sum())
    left = math.sqrt(float(((y - slope * x) ** 2).sum()) / max(total, 1e-300))
    return Fit(slope, left)


def fit_cap(
    logs: np.ndarray, scores: np.ndarray, kept: np.ndarray, eps: float = 0.0
) -> Fit:
    """Find a slope and a cap; among caps from 0.2 to 500, then finer and finer.

    A cap in use is taken where it explains as much as the best one, but for `eps`.
    """
    few = max(1, logs.shape[-1] // 24)  # a few hundred numbers are enough
    logs, scores, kept = (x[:1, ::few, ::few] for x in (logs, scores, kept))
    best = fit_slope(logs, scores, kept)
    caps = np.geomspace(0.2, 500, 60)
    start = abs(best.slope) or 1.0
    slopes = np.sign(best.slope or 1.0) * start * np.geomspace(0.8, 12, 24)
    for _ in range(6):
        grid = [(_capped(logs, scores, kept, a, c), a, c) for c in caps for a in slopes]
        left, slope, cap = min(grid)
        best = Fit(float(slope), left, float(cap))
        step_c, step_a = caps[1] / caps[0], slopes[1] / slopes[0]
        caps = cap * np.geomspace(1 / step_c, step_c, 9)
        slopes = slope * np.geomspace(1 / step_a, step_a, 9)
    best = _polish(best, logs, scores, kept)
    for cap in USUAL_CAPS:
        left = _capped(logs, scores, kept, best.slope, cap)
        if abs(cap / (best.cap or 1) - 1) < 0.05 and left < 1.1 * best.left + eps:
            return Fit(best.slope, left, cap)
    return best


def _polish(fit: Fit, logs: np.ndarray, scores: np.ndarray, kept: np.ndarray) -> Fit:
    """Improve a slope and a cap by Gauss-Newton steps in their logarithms."""
    y, step = centered(logs, kept)[kept], 1e-5

    def model(slope: float, cap: float) -> np.ndarray:
        found = centered(cap * np.tanh(slope * scores / cap), kept)[kept]
        return np.asarray(found)

    slope, cap = fit.slope, fit.cap or 1.0
    for _ in range(8):
        now = model(slope, cap)
        columns = [model(slope * (1 + step), cap), model(slope, cap * (1 + step))]
        jacobian = np.stack([(column - now) / step for column in columns], -1)
        change = np.linalg.lstsq(jacobian, y - now, rcond=1e-8)[0]
        change = np.clip(change, -0.3, 0.3)
        slope, cap = slope * float(np.exp(change[0])), cap * float(np.exp(change[1]))
    left = _capped(logs, scores, kept, slope, cap)
    return Fit(slope, left, cap) if left < fit.left else fit


def _capped(
    logs: np.ndarray, scores: np.ndarray, kept: np.ndarray, slope: float, cap: float
) -> float:
    """Return the share of the log weights that this slope and cap leave."""
    x = centered(cap * np.tanh(slope * scores / cap), kept)
    y = centered(logs, kept)
    return math.sqrt(float(((y - x) ** 2).sum() / max(float((y * y).sum()), 1e-300)))


def short(x: float) -> float:
    """Round what was measured, so that its last bits decide nothing that is shown."""
    return float(f"{x:.6g}")


def name_scale(
    found: dict[tuple[int, int], float], tolerance: float, apart: float = math.inf
) -> str:
    """Name the rule that gives the scale at every (d_k, n_heads) it was found at.

    All of them may be wrong by the same factor, up to `tolerance`; what is known better
    is their ratios: they may be `apart`.
    """
    times = {
        name: [a / rule(d, h) for (d, h), a in found.items()]
        for name, rule in SCALES.items()
    }
    misses = {name: max(abs(x - 1) for x in all_) for name, all_ in times.items()}
    name = min(misses, key=misses.__getitem__)
    if misses[name] < tolerance and np.ptp(times[name]) < apart:
        return name
    values, near = [short(a) for a in found.values()], min(tolerance, apart)
    even = max(values) - min(values) < near * max(map(abs, values))
    shown = f"{values[0]:.4g}"
    if even and len(values) > 1:
        return f"{shown}, whatever d_k is"
    for power, shown_d in ((0.5, "√d_k"), (1.0, "d_k")):
        factors = [a * d**power for (d, _), a in found.items()]
        even = np.ptp(factors) < near * max(map(abs, factors))
        if len({d for d, _ in found}) > 1 and even:
            return f"{factors[0]:.4g}/{shown_d}"
    at = "; ".join(
        f"{a:.4g} at d_k = {d}" for (d, _), a in zip(found, values, strict=True)
    )
    return at if len(values) > 1 else shown
