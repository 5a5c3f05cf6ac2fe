"""Numbers: the one that fits best, and the roundest near it; many at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

OfMany = Callable[[np.ndarray], np.ndarray]


def number(left: OfMany, grid: np.ndarray, rounds: int = 14) -> float:
    """Return the number in a grid that leaves least, finer and finer."""
    best, step = grid[left(grid).argmin()], grid[1] / grid[0]
    for _ in range(rounds):
        step = step**0.4
        near = best * step ** np.arange(-3, 4)
        best = near[left(near).argmin()]
    return float(best)


def rounder(x: float, fits: OfMany) -> float:
    """Return the roundest number near x that fits as well."""
    near = np.array([float(f"{x:.{digits}g}") for digits in range(1, 7)])
    return next((float(y) for y, ok in zip(near, fits(near), strict=True) if ok), x)
