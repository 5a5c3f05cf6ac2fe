"""Sums over all queries cost much to compute: what their outputs must add up to."""

from __future__ import annotations

import numpy as np

from attncheck.formats import Format
from attncheck.model import FULL, Model, band, reorder, scale_of
from attncheck.reading.run import Run

LARGE = 2**16  # scores a head: fewer are computed as fast as they are checked


def totals_fit(head: Run, model: Model, fmt: Format) -> bool:
    """Say whether a model that sums over the queries of one head may explain it.

    If the weights of each key add up to 1, the outputs add up to the values. If all
    weights together do, the outputs are together no larger than the largest value.
    """
    s = head.sizes
    over_all = model.normalized == "all"
    if model.normalized not in FULL or s.n * s.m < LARGE:
        return True
    used = {"q": head.query, "k": head.key, "v": head.value}[model.roles[2]]
    output, value = head.output[0, 0], reorder(used, model.values)[0, 0]
    if over_all:
        together = np.abs(output).sum(0)
        return bool((together <= 1.1 * np.abs(value).max(0)).all())
    if model.masked == "after" or np.ndim(model.allowed) > 2:
        return True
    seen = band(s.n, s.m, model)
    if model.allowed is not None:
        seen = seen & model.allowed
    expected = value[np.broadcast_to(seen, (s.n, s.m)).any(0)].sum(0)
    allowed = fmt.eps * (4 + 2 * _largest_score(head, model)) * np.abs(value).sum(0)
    return bool((np.abs(output.sum(0) - expected) <= allowed).all())


def _largest_score(head: Run, model: Model) -> float:
    """Bound the scores: rounding grows with them."""
    q, k = (np.linalg.norm(x, axis=-1).max() for x in (head.query, head.key))
    v = np.linalg.norm(head.value, axis=-1).max()
    scale = abs(scale_of(model.scale, head.sizes.d, head.sizes.n_heads))
    return float(scale * max(q, v) * max(k, v))
