"""Log weights beside the dot products that they were made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.model import NORMALIZED, normalized, rotate
from attncheck.scales import log_weights
from attncheck.subject import Refused


class Measured(NamedTuple):
    """Log weights and dot products, for the pairs that tell something."""

    logs: np.ndarray
    dots: np.ndarray
    kept: np.ndarray
    weights: np.ndarray
    query: np.ndarray
    key: np.ndarray


def measure(case: Case, q: np.ndarray, k: np.ndarray) -> Measured:
    """Return the log weights and dot products of some queries and keys."""
    w = case.probes.weights(q, k)[0]
    n, m = w.shape[-2:]
    if case.model.rotary is not None:
        q, k = rotated(case, q, "q"), rotated(case, k, "k")
    q, k = (_as_multiplied(case, x) for x in (q, k))
    dots = (q @ k.swapaxes(-1, -2))[0]
    logs, kept = log_weights(w, case.smallest)
    kept = kept & case.allowed(n, m)
    logs = logs - case.bias(n, m, len(w))
    if case.by_query:
        logs, dots, kept = (x.swapaxes(-1, -2) for x in (logs, dots, kept))
    return Measured(logs, dots, kept, w, q[0], k[0])


def dots_of(case: Case, q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return the products (n, m) of one head's queries and keys, as they are summed."""
    if case.model.rotary is not None:
        q, k = rotated(case, q, "q"), rotated(case, k, "k")
    q, k = (_as_multiplied(case, x) for x in (q, k))
    dots = (q @ k.swapaxes(-1, -2))[0, 0]
    return np.asarray(dots.swapaxes(-1, -2) if case.by_query else dots)


def _as_multiplied(case: Case, x: np.ndarray) -> np.ndarray:
    """Return queries or keys as they are multiplied: of one length, if so found."""
    product = case.model.product
    return normalized(x, product) if product in NORMALIZED else x


def rotated(case: Case, x: np.ndarray, role: str, back: bool = False) -> np.ndarray:
    """Rotate as the function does, or back; all columns, if it rotates all of them."""
    rotary = dict(case.model.rotary or {})
    if back:
        rotary["backwards"] = not rotary.get("backwards")
    if rotary["rotary_dim"] == case.d:
        rotary["rotary_dim"] = x.shape[-1]
    if rotary["rotary_dim"] > x.shape[-1]:
        raise Refused("fewer columns than are rotated")
    return rotate(x, rotary, role)
