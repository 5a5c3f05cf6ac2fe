"""Rotary embeddings: which columns make pairs, and how fast they turn."""

from __future__ import annotations

import math

import numpy as np

from attncheck.case import Case
from attncheck.positions_meant import scaling_in_words
from attncheck.questions.rotary_base import settle
from attncheck.questions.turning import Turns, fit_base, measure_turns, meetings
from attncheck.scales import centered

ROTATED = "Queries and keys are rotated by their place (rotary)"


def ask_rotary(case: Case) -> None:
    """Give every query the first column, key set c the column c, and see who meets."""
    if not _moves(meetings(case, [0], [0]), case).any():
        return
    others = list(range(1, case.d))
    moved = _moves(meetings(case, [0] * len(others), others), case)
    partners = np.flatnonzero(moved) + 1
    if len(partners) != 1:
        case.report.facts["position"] = "other"
        case.report.unexplained = (
            "Weights of equal queries and keys depend on the place, but not as they "
            "would if queries and keys were rotated in the same pairs of columns."
        )
        return
    _tell_rotary(case, int(partners[0]))


def _tell_rotary(case: Case, partner: int) -> None:
    report = case.report
    report.facts["position"] = "rotary"
    interleaved = partner == 1
    turns = measure_turns(case, interleaved, case.d // 2 if interleaved else partner)
    if not math.isfinite(turns.rate):
        report.unexplained = report.unexplained or (
            "Weights depend on places as if something were rotated, but I cannot tell "
            "how fast each pair of columns turns."
        )
        return
    rotary_dim = _rotary_dim(case, turns) if interleaved else 2 * partner
    measured, left = fit_base(case, turns, rotary_dim // 2)
    how = "(0, 1), (2, 3) …" if interleaved else f"(0, {partner}), (1, {partner + 1}) …"
    if left > max(0.02, 10 * case.subject.format.eps):
        report.unexplained = report.unexplained or (
            f"Weights depend on places as if columns {how} were rotated, but no base "
            "explains by how much, if each is rotated by its own place."
        )
        return
    rotary = {"base": measured, "rotary_dim": rotary_dim, "interleaved": interleaved}
    if turns.step != 1:
        rotary["step"] = turns.step
    if _is_backwards(case, partner, turns):
        rotary["backwards"] = True
    settled = settle(case, rotary)
    if settled is None:
        report.facts["position"] = "other"
        report.unexplained = report.unexplained or (
            "Weights depend on places as if something were rotated, but by no rule "
            "for queries and keys that I know."
        )
        return
    rotary, base = settled, settled["base"]
    case.model = case.model.change(rotary=rotary)
    report.details |= {"rotary": rotary, "columns": case.d}
    report.sentences.append(
        f"{ROTATED}: columns {how} make "
        f"pairs, the base is {base:.6g}, {rotary_dim} of {case.d} columns"
        f"{', in the opposite direction' if rotary.get('backwards') else ''}"
        f"{scaling_in_words(rotary)}."
    )


def _moves(logs: np.ndarray, case: Case) -> np.ndarray:
    """Say of each pair of columns whether the weights depend on the place."""
    return np.asarray(np.abs(logs).max((-2, -1)) > 10 * case.tolerance)


def _is_backwards(case: Case, partner: int, turns: Turns) -> bool:
    """Say whether the second column of a pair leads, where the first one should."""
    logs = meetings(case, [0], [partner])[0]
    n, kept = case.n, case.allowed(case.n, case.n)
    away = np.arange(n)[:, None] - np.arange(n)
    # A query turned by i and a key turned by j meet with the sine of i − j.
    return float((centered(np.sin(turns.step * away), kept) * logs).sum()) < 0


def _rotary_dim(case: Case, turns: Turns) -> int:
    """Find the first pair of neighbors that should turn and does not."""
    even = list(range(0, case.d - 1, 2))
    seen = np.abs(meetings(case, even, [c + 1 for c in even])).max((-2, -1))
    least = 100 * case.subject.format.eps * max(1.0, turns.amplitude)
    for pair, moved in enumerate(seen):
        angle = turns.step * math.exp(-turns.rate * pair)
        expected = turns.amplitude * math.sin(min(angle, 1.0))
        if expected > 3 * least and moved < least:
            return 2 * pair
    return case.d
