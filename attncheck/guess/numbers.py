"""Numbers: scores read off weights, the scale that fits, the roundest near it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from attncheck.model.fields import SCALES, Sizes


class Fit(NamedTuple):
    """log weights = slope · scores + something for each row."""

    slope: float
    left: float  # of the log weights, the share that is not explained


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


def short(x: float) -> float:
    """Round what was measured, so that its last bits decide nothing that is shown."""
    return float(f"{x:.6g}")


def name_scale(
    found: dict[tuple[int, int], float], tolerance: float, apart: float = math.inf
) -> str:
    """Name the rule that gives the scale at every (d_k, n_heads), or else a number.

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
    return f"{short(next(iter(found.values()))):.4g}"


OfMany = Callable[[np.ndarray], np.ndarray]
WAIT, FALLS = 3, 0.7  # rounds, after which so much of what was left is too much


def number(
    left: OfMany, grid: np.ndarray, rounds: int = 14, least: float = np.inf
) -> float:
    """Return the number in a grid that leaves least, finer and finer.

    It is given up where more than `least` is left, and does not fall any more.
    """
    best, step, first = grid[left(grid).argmin()], grid[1] / grid[0], 0.0
    for turn in range(rounds):
        step = step**0.4
        near = best * step ** np.arange(-3, 4)
        off = left(near)
        best, first = near[off.argmin()], first or off.min()
        if turn == WAIT and off.min() > max(least, FALLS * first):
            break
    return float(best)


def rounder(x: float, fits: OfMany) -> float:
    """Return the roundest number near x that fits as well."""
    near = np.array([float(f"{x:.{digits}g}") for digits in range(1, 7)])
    return next((float(y) for y, ok in zip(near, fits(near), strict=True) if ok), x)


def roundest(x: float, near: float) -> float:
    """Return the roundest number that is no farther off, as a share of x."""
    return rounder(x, lambda y: np.abs(y / x - 1) < near)


OF = (
    *("d_k", "d_v", "(d_k + d_v)", "min(d_k, d_v)", "n_keys", "n_queries", "n_heads"),
    *("n_key_heads", "min(n_queries, n_keys)", "min(d_k, 128)", "min(d_k, 64)"),
)
POWERS = (-0.5, -1.0, 0.5, 1.0, -0.25)
LOG = math.inf  # stands for a logarithm among the powers


@dataclass(frozen=True)
class PerSize:
    """A power of sizes times a constant; a power of LOG is a logarithm."""

    c: float
    powers: dict[str, float] = field(default_factory=dict)

    def __call__(self, sizes: Sizes) -> float:
        """Return the scale for these sizes."""
        x = self.c
        for name, power in self.powers.items():
            size = sizes.of(name)
            x *= math.log(max(size, 1)) if power == LOG else float(size) ** power
        return float(x)

    def __str__(self) -> str:
        signs = {0.5: "√{}", 0.25: "∜{}", 1.0: "{}", LOG: "log({})"}
        powers = self.powers.items()
        above = [signs[p].format(name) for name, p in powers if p > 0]
        below = [signs[-p].format(name) for name, p in powers if p < 0]
        number = [f"{self.c:.4g}"] if self.c != 1 or not above else []
        return "/".join([" · ".join([*number, *above]), *below])


TRIED: list[dict[str, float]] = [
    {},
    *({name: p} for name in OF for p in POWERS),
    *(
        {"d_k": p, name: q}
        for p in (-0.5, -1.0)
        for name in OF[1:]
        for q in (-0.5, -1.0, 0.5, 1.0, LOG)
    ),
]


def scale_rule(found: dict[Sizes, float], near: float = 4e-5) -> PerSize | None:
    """Return the rule that gives the scale at all sizes it was found at."""
    for powers in TRIED:
        rule = PerSize(1.0, powers)
        c = [x / (rule(s) or 1e-300) for s, x in found.items()]
        if np.ptp(c) < near * abs(np.mean(c)) + 1e-300:
            return PerSize(roundest(float(np.median(c)), near / 2), powers)
    return None
