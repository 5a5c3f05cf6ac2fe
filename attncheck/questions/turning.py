"""How fast pairs of columns turn from place to place, and the base that explains it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.scales import centered, log_weights

USUAL = (1e3, 1e4, 1e5, 1.5e5, 2.5e5, 5e5, 1e6, 5e6, 1e7, 1e8)  # bases in use
SIZE = 4.0  # of a query and a key with one column
SMALL = 1.0  # where a cap would bend scores, and the format has bits enough


class Turns(NamedTuple):
    """Pair p turns by the angle step · exp(−rate · p) from a place to the next."""

    step: float
    rate: float
    amplitude: float  # of log weights
    logs: np.ndarray  # of each pair's first column with itself, (n_pairs, n, n)


def meetings(
    case: Case, of_query: list[int], of_key: list[int], size: float = SIZE
) -> np.ndarray:
    """Return log weights, centered, of queries and keys with one column each.

    One pair of columns after the other: (n_pairs, n, n).
    """
    n, place = case.n, np.arange(len(of_query))
    shape = (len(of_query), case.heads, n, case.d)
    q, k = np.zeros(shape), np.zeros(shape)
    q[place, :, :, of_query] = k[place, :, :, of_key] = size
    logs, kept = log_weights(case.probes.weights(q, k)[:, 0], case.smallest)
    kept = kept & case.allowed(n, n)
    logs = logs - case.bias(n, n, case.heads)[0]
    if case.by_query:  # what each key shares out
        logs, kept = logs.swapaxes(-1, -2), kept.swapaxes(-1, -2)
    return centered(logs, kept)


def measure_turns(case: Case, interleaved: bool, n_pairs: int) -> Turns:
    """Fit the angles by which the first pairs turn."""
    pairs = range(min(n_pairs, 24))
    columns = [2 * p if interleaved else p for p in pairs]
    size = SMALL if case.subject.format.eps < 1e-5 else SIZE
    logs = meetings(case, columns, columns, size)
    found = [_angle(case, one) for one in logs]
    # Slow pairs hardly turn within a probe; the slowest that do tell most.
    step = found[0][0]
    step = 1.0 if abs(step - 1) < 0.03 else float(f"{step:.3g}")
    told: list[float] = []
    for pair, (angle, amplitude) in enumerate(found[1:], start=1):
        alike = 0.8 < amplitude / max(found[0][1], 1e-9) < 1.25
        if not alike or not 0.08 < angle < found[pair - 1][0]:
            break
        told.append(math.log(step / angle) / pair)
    rate = float(np.median(told[-3:])) if told else math.nan
    return Turns(step, rate, found[0][1] * (SIZE / size) ** 2, logs)


def fit_base(case: Case, turns: Turns, n_pairs: int) -> tuple[float, float]:
    """Fit one base, and one amplitude, to what all pairs show.

    A base that is in use is taken where it explains them as well as the best one: slow
    pairs, short probes and formats of few bits leave some room.
    """
    logs = turns.logs[:n_pairs]
    place = np.arange(case.n)
    away = place[:, None] - place
    kept = np.broadcast_to(case.allowed(case.n, case.n), logs.shape)

    def left(base: float) -> float:
        angles = turns.step * base ** (-np.arange(len(logs)) / n_pairs)
        x = centered(np.cos(angles[:, None, None] * away), kept)
        amplitude = float((x * logs).sum()) / max(float((x * x).sum()), 1e-300)
        rest = float(((logs - amplitude * x) ** 2).sum())
        return math.sqrt(rest / max(float((logs * logs).sum()), 1e-300))

    best, ratio = math.exp(turns.rate * n_pairs), 1.1
    for _ in range(5):
        best = min(best * ratio ** np.linspace(-3, 3, 13), key=left)
        ratio **= 0.25
    room = 1.1 * left(best) + case.subject.format.eps
    usual = [base for base in USUAL if abs(math.log(base / best)) < 0.3]
    near = [base for base in (*usual, float(f"{best:.2g}")) if left(base) <= room]
    base = min(near, key=left) if near else float(f"{best:.3g}")
    return float(base), left(base)


def _angle(case: Case, logs: np.ndarray) -> tuple[float, float]:
    """Fit amplitude · cos(angle · Δ) to log weights: the angle and the amplitude."""
    n, kept = case.n, case.allowed(case.n, case.n)
    away = np.arange(n)[:, None] - np.arange(n)
    low, high, best = 1e-3, math.pi, (math.inf, 0.0, 0.0)
    for _ in range(4):
        angles = np.linspace(low, high, 60)
        x = centered(
            np.cos(angles[:, None, None] * away), np.broadcast_to(kept, (60, n, n))
        )
        a = (x * logs).sum((1, 2)) / np.maximum((x * x).sum((1, 2)), 1e-300)
        left = ((logs - a[:, None, None] * x) ** 2).sum((1, 2))
        at = int(left.argmin())
        best = min(best, (float(left[at]), float(angles[at]), float(a[at])))
        step = (high - low) / 59
        low, high = max(best[1] - step, 1e-4), best[1] + step
    return best[1], abs(best[2])
