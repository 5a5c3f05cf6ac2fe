"""Values that reach no output beside values of 0, and do so beside others."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.patterns import Seen
from attncheck.subject import Refused


def tell_hidden_values(case: Case, picture: Seen) -> bool:
    """Look at keys that no query saw; say whether other values bring them out."""
    n, m = picture.allowed.shape
    keys = np.flatnonzero(~picture.allowed.any(0))
    if not 0 < keys.size < m or not _reach_outputs(case, keys, n, m):
        return False
    case.report.add(
        "values-not-added",
        f"Of {m} keys, the values of {keys.size} reach outputs only beside other "
        "values: what a value gives depends on others.",
        **{"keys": keys, "of": m},
    )
    case.done = "So its weights cannot be read off its outputs."
    return True


def _reach_outputs(case: Case, keys: np.ndarray, n: int, m: int) -> bool:
    """Say whether, beside random values, other values of these keys are noticed.

    Beside values of 0 none is.
    """
    draw, shape = case.probes.draw, (1, case.heads, m, case.d)
    q, k = np.zeros((1, case.heads, n, case.d)), draw(*shape)
    v, others = draw(*shape), draw(*shape)
    changed, alone = v.copy(), np.zeros(shape)
    changed[:, :, keys] = alone[:, :, keys] = others[:, :, keys]
    try:
        one, other, beside_zeros = (case.subject(q, k, x) for x in (v, changed, alone))
    except Refused:
        return False
    if np.nanmax(np.abs(beside_zeros), initial=0) > 1e-6:
        return False
    return not np.allclose(one, other, atol=1e-3, equal_nan=True)
