"""Weights under a mask that is passed, where every pair has the same score."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncheck.case import Case
from attncheck.subject import Refused

INVERTED = "multiplied after, inverted"  # what True hides: a meaning of a mask


def half(case: Case) -> np.ndarray:
    """Let every query see about half of the keys, each query others.

    Shifted, turned or inverted, it is another mask.
    """
    n = case.n
    seen = np.random.default_rng(7).random((n, n)) < 0.5
    place = np.arange(n)
    seen[place, place], seen[place, (place + 1) % n] = True, place % 3 == 0
    seen[:, 0], seen[:, 1 % n] = place % 2 == 0, place % 2 == 1
    return np.asarray(seen)


def as_passed(mask: np.ndarray, meaning: str) -> np.ndarray:
    """Write a random Boolean mask as it is passed: where it is added, as 0 and −∞."""
    return np.where(mask, 0, -np.inf) if meaning == "added" else mask


def left_by(mask: np.ndarray, meaning: str) -> np.ndarray:
    """Return which pairs are left by a mask that is passed so."""
    return ~mask if meaning in ("may not attend", INVERTED) else mask


def weights_under(
    case: Case, name: str, mask: np.ndarray, score: float | None = 0.0
) -> np.ndarray | None:
    """Return the weights (h, n, n) under a mask, or None where it is refused.

    Every pair has the same score; or, where it is None, each pair one of its own.
    The mask is passed with an axis for the batch and one for the heads, or without.
    """
    for ndim in sorted({len(case.subject.layout), mask.ndim}, reverse=True):
        if ndim < mask.ndim:
            continue
        shaped = mask.reshape((1,) * (ndim - mask.ndim) + mask.shape)
        try:
            w = weights_at(case, score, **{name: shaped})
            return w if score is None else flattened(case, w)
        except Refused:
            continue
    return None


def weights_at(case: Case, score: float | None, **mask: Any) -> np.ndarray:
    """Give every pair of a query and a key this score, or, for None, one of its own.

    Those are the same from call to call: what two masks give can be compared.
    """
    if score is None:
        numbers = np.random.default_rng(8).standard_normal(
            (2, 1, case.heads, case.n, case.d)
        )
        random: np.ndarray = case.probes.weights(
            *map(case.subject.round, numbers), **mask
        )[0]
        return random
    scale = case.report.facts["scale"] or 0.0
    if not score or not scale:
        return case.probes.even(case.n, case.n, case.heads, **mask)
    q, k = np.zeros((2, 1, case.heads, case.n, case.d))
    side = abs(score / scale) ** 0.5
    q[..., 0], k[..., 0] = side, side * np.sign(scale)
    found: np.ndarray = case.probes.weights(q, k, **mask)[0]
    return found


def unmasked(case: Case) -> np.ndarray:
    """Return the weights (h, n, n) where no mask is passed and all scores are 0."""
    return flattened(case, case.probes.even(case.n, case.n, case.heads))


def flattened(case: Case, w: np.ndarray) -> np.ndarray:
    """Take out of weights (h, n, m) what places alone give, as ALiBi's slopes do.

    What is left of a key with a small weight is told from one that is hidden.
    """
    if case.report.facts["position"] not in ("alibi", "other"):
        return w
    heads, n, m = w.shape[-3:]
    even = case.probes.even(n, m, heads)
    mean = even.sum(-1, keepdims=True) / np.maximum((even > 0).sum(-1)[..., None], 1)
    return np.asarray(w / np.where(even > 0, even / mean, 1))


def ratio(w: np.ndarray, mask: np.ndarray, own: np.ndarray) -> float | None:
    """Return the log of a hidden key's weight, relative to a seen one's."""
    found = ratios(w, mask, own)
    return float(np.median(found)) if found else None


def ratios(w: np.ndarray, mask: np.ndarray, own: np.ndarray) -> list[float]:
    """Return it query by query; nothing where a weight vanishes, or is NaN."""
    rows = [
        i for i in range(len(w)) if own[i][mask[i]].any() and own[i][~mask[i]].any()
    ]
    found = []
    for i in rows:
        seen, hidden = w[i][own[i] & mask[i]], w[i][own[i] & ~mask[i]]
        if not np.isfinite(w[i]).all() or not hidden.all() or not seen.all():
            return []
        found.append(float(np.log(hidden.mean() / seen.mean())))
    return found
