"""Numbers: the one that fits best, and the roundest near it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def number(left: Callable[[float], float], grid: np.ndarray, rounds: int = 14) -> float:
    """Return the number in a grid that leaves least, finer and finer."""
    best, step = min(grid, key=left), grid[1] / grid[0]
    for _ in range(rounds):
        step = step**0.4
        best = min(best * step ** np.arange(-3, 4), key=left)
    return float(best)


def rounder(x: float, fits: Callable[[float], bool]) -> float:
    """Return the roundest number near x that fits as well."""
    for digits in range(1, 7):
        if fits(near := float(f"{x:.{digits}g}")):
            return near
    return x
