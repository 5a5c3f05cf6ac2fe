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
LENGTH = {"original_max_position_embeddings": 8192}
LLAMA = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, **LENGTH}
# Llama 3.1's factor, and that of Llama 3.2, in their configurations.
SCALINGS = tuple({"rope_type": "llama3", "factor": x, **LLAMA} for x in (8.0, 32.0))
CLEARLY = 0.5  # of what is left over without it: slow pairs show little
EXACTLY = 5e-5  # of the log weights: all that may be left if nobody spoke of one
AS_WELL = 1.05


def settle(case: Case, rotary: dict[str, Any]) -> dict[str, Any] | None:
    """Choose the base that explains fresh weights best; None if none does.

    The measured base gives way to a usual or a rounder one that explains them as well.
    What many tokens refute may still be so with few: a table of angles has an end.
    """
    many = 4 * case.many if case.n <= 16 else case.many
    for n in dict.fromkeys((many, min(many, 2 * case.many))):
        settled = dict(rotary)
        if _settle(case, settled, n):
            return settled
    return None


def _settle(case: Case, rotary: dict[str, Any], n: int) -> bool:
    found = [_weights(case, size, n) for size in (1.0, case.d**-0.5)]
    q, k, *seen = found[0]
    found.append((normalized(q, "cosine"), normalized(k, "cosine"), *seen))  # QK-norm
    measured, best = rotary["base"], (np.inf, 0.0, 0)
    half = rotary["rotary_dim"] // 2  # angles that end at 1/base: i / (half − 1)
    ending = [b ** (half / (half - 1)) for b in USUAL] if half > 1 else []
    usual = [b for b in (*USUAL, *ending) if abs(np.log(b / measured)) < AROUND]
    near = sorted(usual, key=lambda b: abs(np.log(b / measured)))
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
    left = _scaled(case, rotary, (*near, *rounded, base), left, found[at])
    return left < EXPLAINED


def _scaled(
    case: Case,
    rotary: dict[str, Any],
    bases: tuple[float, ...],
    left: float,
    found: tuple[np.ndarray, ...],
) -> float:
    """Add the scaling that was meant, or one in use, if it explains clearly more."""
    by_step = "step" in rotary  # which is a scaling, too
    plain, meant = left, case.rotary_meant.get("scaling")
    bases += (case.rotary_meant.get("base", bases[0]),)
    if meant and not _fits(meant, rotary["rotary_dim"]):
        case.report.details["scaling_untold"], meant = True, None
    for scaling in (meant, *SCALINGS):
        for base in dict.fromkeys(bases) if scaling else ():
            one = {**rotary, "base": float(base), "scaling": scaling}
            one.pop("step", None)
            now = _left(case, one, *found)
            likelier = now < (AS_WELL if by_step else CLEARLY) * left
            if likelier and (scaling is meant or now < EXACTLY):
                left, by_step = now, False
                rotary.pop("step", None)
                rotary.update(one)
            elif scaling is meant and now < plain / CLEARLY:
                case.report.details["scaling_untold"] = True
    return left


def _fits(scaling: dict[str, Any], rotary_dim: int) -> bool:
    """Say whether a factor for each pair, if it has them, is for so many pairs."""
    lists = [x for x in scaling.values() if isinstance(x, list)]
    return all(2 * len(x) == rotary_dim for x in lists)


def _finer(
    case: Case, rotary: dict[str, Any], base: float, found: tuple[np.ndarray, ...]
) -> float:
    """Search between two steps of the grid; round to three digits."""
    for step in (0.01, 0.003):
        bases = base * np.exp(step * np.arange(-3, 4))
        left = [_left(case, {**rotary, "base": float(b)}, *found) for b in bases]
        base = float(bases[int(np.argmin(left))])
    return float(f"{base:.3g}")


def _weights(case: Case, size: float, n: int) -> tuple[np.ndarray, ...]:
    """Return queries, keys and the log weights of a longer run."""
    draw = case.probes.draw
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
