"""Rotary embeddings: which columns make pairs, and how fast they turn."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.questions.rotary_base import settle
from attncheck.scales import centered, log_weights

SIZE = 4.0  # of a query and a key with one column
SMALL = 1.0  # where a cap would bend scores, and the format has bits enough


class Turns(NamedTuple):
    """Pair p turns by the angle exp(−rate · p) from a place to the next."""

    rate: float
    amplitude: float  # of log weights


def ask_rotary(case: Case) -> None:
    """Give every query the first column, key set c the column c, and see who meets."""
    if not _moves(_meetings(case, [0], [0]), case).any():
        return
    others = list(range(1, case.d))
    moved = _moves(_meetings(case, [0] * len(others), others), case)
    partners = np.flatnonzero(moved) + 1
    if len(partners) != 1:
        case.report.facts["position"] = "other"
        case.report.unexplained = (
            "Weights of equal queries and keys depend on the place, but no pairs of "
            "columns are rotated, as with rotary positions."
        )
        return
    _tell_rotary(case, int(partners[0]))


def _tell_rotary(case: Case, partner: int) -> None:
    report = case.report
    report.facts["position"] = "rotary"
    interleaved = partner == 1
    turns = _turns(case, interleaved, case.d // 2 if interleaved else partner)
    if not math.isfinite(turns.rate):
        report.unexplained = report.unexplained or (
            "Weights depend on places as if something were rotated, but not on the "
            "distance of query and key."
        )
        return
    rotary_dim = _rotary_dim(case, turns) if interleaved else 2 * partner
    measured = math.exp(turns.rate * rotary_dim / 2)
    rotary = {"base": measured, "rotary_dim": rotary_dim, "interleaved": interleaved}
    if _is_backwards(case, partner, turns):
        rotary["backwards"] = True
    if not settle(case, rotary):
        report.facts["position"] = "other"
        report.unexplained = report.unexplained or (
            "Weights depend on places as if something were rotated, but not as if "
            "queries and keys were, each by its place."
        )
        return
    base = rotary["base"]
    case.model = case.model.change(rotary=rotary)
    report.details |= {"rotary": rotary, "columns": case.d}
    how = "(0, 1), (2, 3) …" if interleaved else f"(0, {partner}), (1, {partner + 1}) …"
    report.sentences.append(
        f"Queries and keys are rotated by their place (rotary): columns {how} make "
        f"pairs, the base is {base:.6g}, {rotary_dim} of {case.d} columns"
        f"{', in the opposite direction' if rotary.get('backwards') else ''}."
    )


def _meetings(
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


def _moves(logs: np.ndarray, case: Case) -> np.ndarray:
    """Say of each pair of columns whether the weights depend on the place."""
    return np.asarray(np.abs(logs).max((-2, -1)) > 10 * case.tolerance)


def _is_backwards(case: Case, partner: int, turns: Turns) -> bool:
    """Say whether the second column of a pair leads, where the first one should."""
    logs = _meetings(case, [0], [partner])[0]
    n, kept = case.n, case.allowed(case.n, case.n)
    away = np.arange(n)[:, None] - np.arange(n)
    # A query turned by i and a key turned by j meet with the sine of i − j.
    return float((centered(np.sin(away), kept) * logs).sum()) < 0


def _turns(case: Case, interleaved: bool, n_pairs: int) -> Turns:
    """Fit the angles by which the first pairs turn."""
    pairs = range(min(n_pairs, 24))
    columns = [2 * p if interleaved else p for p in pairs]
    size = SMALL if case.subject.format.eps < 1e-5 else SIZE
    found = [_angle(case, logs) for logs in _meetings(case, columns, columns, size)]
    # Slow pairs hardly turn within a probe; the slowest that do tell most.
    told: list[float] = []
    for pair, (angle, amplitude) in enumerate(found[1:], start=1):
        alike = 0.8 < amplitude / max(found[0][1], 1e-9) < 1.25
        if not alike or not 0.08 < angle < found[pair - 1][0]:
            break
        told.append(-math.log(angle) / pair)
    rate = float(np.median(told[-3:])) if told else math.nan
    return Turns(rate, found[0][1] * (SIZE / size) ** 2)


def _rotary_dim(case: Case, turns: Turns) -> int:
    """Find the first pair of neighbors that should turn and does not."""
    even = list(range(0, case.d - 1, 2))
    seen = np.abs(_meetings(case, even, [c + 1 for c in even])).max((-2, -1))
    least = 100 * case.subject.format.eps * max(1.0, turns.amplitude)
    for pair, moved in enumerate(seen):
        expected = turns.amplitude * math.sin(min(math.exp(-turns.rate * pair), 1.0))
        if expected > 3 * least and moved < least:
            return 2 * pair
    return case.d


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
