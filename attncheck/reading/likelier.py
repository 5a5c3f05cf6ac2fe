"""Where rounding could explain a run: look for a mistake that fits far better."""

from __future__ import annotations

import numpy as np

from attncheck.formats import Format
from attncheck.mistakes import catalogue
from attncheck.model import Model, of_first
from attncheck.model.fields import MOVES_ROWS
from attncheck.reading.rounding import tolerance
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found

BETTER = 5.0  # a mistake leaves this much less than what was meant, in sum
CLEARLY = 2.0  # as far from what was meant as rounding could bring it
COARSE = 11  # bits: with more, each number alone tells
ROUNDED = 0.01  # of what rounding may do: what leaves less is right
LEAST = 200  # numbers: fewer tell nothing in sum


def likelier(run: Run, meant: Model, fmt: Format) -> Found | None:
    """Find the mistake that leaves much less in sum than what was meant; or None.

    Each number may lie within what rounding can do, and all of them on the wrong side:
    rounding is as often up as down, and no mistake explains it.
    """
    rows = _rows(run)
    one = run.take(0)
    unit = tolerance(one.compute(of_first(meant), rows), fmt)
    left = _left(one, meant, rows, unit)
    if run.output[..., rows, :].size < LEAST or left < ROUNDED:
        return None
    best: Found | None = None
    for mistake in catalogue():
        model = mistake.change(meant, run.sizes)
        if model is None or model.over_queries or model.gives in MOVES_ROWS:
            continue
        try:
            now = _left(one, model, rows, unit)
        except ValueError:
            continue
        if now * BETTER < left and (best is None or now < best.share):
            best = Found((mistake,), model, now)
    if best is None:
        return None
    share = run.error_everywhere(best.model, fmt, most=EXPLAINED)
    return best._replace(share=share) if share <= 1 else None


def is_nearer(run: Run, meant: Model, fmt: Format, found: Found) -> bool:
    """Say whether mistakes explain clearly more than what was meant does.

    What is wrong by little more than rounding may do, many mistakes would explain.
    """
    wrong = run.error_everywhere(meant, fmt, stop=False)
    return wrong >= CLEARLY or found.share * CLEARLY**2 <= wrong


def _rows(run: Run) -> np.ndarray:
    n = run.query.shape[2]
    return np.unique(np.linspace(0, n - 1, min(n, 12)).astype(int))


def _left(one: Run, model: Model, rows: np.ndarray, unit: np.ndarray) -> float:
    """Return the root of the mean square of what is left, in units of rounding."""
    found = one.compute(of_first(model), rows)
    off = (one.output[..., rows, :] - found.output) / unit
    return float(np.sqrt(np.mean(off * off))) if np.isfinite(off).all() else np.inf
