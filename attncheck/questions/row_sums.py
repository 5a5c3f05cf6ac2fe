"""Weights and exp(score) of the same pairs, and what rows add up to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.model import NORMALIZED, attend
from attncheck.subject import Refused


class Sums(NamedTuple):
    """Weights that were seen, and exp(score) of the same pairs; 0 where hidden."""

    weights: np.ndarray
    exps: np.ndarray
    all_exps: np.ndarray  # of hidden pairs too
    rows: np.ndarray  # the rows that see something


def measure_sums(case: Case) -> Sums:
    """Return the weights of random queries, with exp(score) of the same pairs."""
    n, d = case.many, case.d
    scale = case.report.facts["scale"] or d**-0.5
    size = min(1.0, 1 / (abs(scale) * d**0.5 + 1e-9))
    size = 1.0 if case.model.product in NORMALIZED else size
    q = case.probes.draw(1, case.heads, n, d, size=size)
    k = case.probes.draw(1, case.heads, n, d)
    weights = case.probes.weights(q, k)[0]
    plain = case.model.change(normalized="keys", sink=None, picture=None)
    plain = plain.change(window=(None, None))
    scores = attend(q, k, k, plain.change(masked="before")).scores[0]
    allowed = np.broadcast_to(case.allowed(n, n), scores.shape)
    exps = np.exp(scores)
    rows = allowed.any(-1) & np.isfinite(weights).all(-1)
    return Sums(weights, np.where(allowed, exps, 0), exps, rows)


def weight_of_one_key(case: Case) -> np.ndarray | None:
    """Return what the only key gets of the only query, for each head: 1, or a share.

    None where such a call is refused, or gives nothing.
    """
    try:
        found: np.ndarray = case.probes.even(1, 1, case.heads)[:, 0, 0]
    except Refused:
        return None
    return found if np.isfinite(found).all() and (found > 0).all() else None


def tell_sums(case: Case, normalized: str, words: str, sums: np.ndarray) -> None:
    """Rows that do not add up are wrong, whatever was meant, unless it says so."""
    case.report.facts["normalized"] = normalized
    case.report.sentences.append(words)
    numbers = {"smallest sum": float(sums.min()), "largest": float(sums.max())}
    case.report.add("rows", words, **numbers)
