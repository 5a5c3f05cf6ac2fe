"""Two claims, and a condition that says where the one holds, and where the other."""

from collections.abc import Sequence

import numpy as np

from attncheck.claim import Claim, Regimes, Run
from attncheck.model.fields import read_rows
from attncheck.verify import Verdict

FEATURES = ("n_queries", "n_keys", "d_k", "d_v", "n_heads", "n_key_heads", "batch")
# Words, and a formula of sizes; {b} is each size of a block.
TABLE = """
    there is one query | n_queries == 1
    there are more keys than queries | n_keys > n_queries
    there are fewer keys than queries | n_keys < n_queries
    there are as many keys as queries | n_keys == n_queries
    heads share key heads | n_key_heads < n_heads
    d_v is not d_k | d_v != d_k
    d_v < d_k | d_v < d_k
    d_v > d_k | d_v > d_k
    d_k is odd | d_k % 2 == 1
    d_k is no multiple of 8 | d_k % 8 > 0
    n_heads is odd | n_heads % 2 == 1
    n_heads is no power of 2 | n_heads.bit_count() > 1
    n_keys is a multiple of {b} | n_keys % {b} == 0
    n_queries is a multiple of {b} | n_queries % {b} == 0
    n_queries and n_keys are multiples of {b}
     | n_queries % {b} == 0 and n_keys % {b} == 0
    n_keys > {b} and is no multiple of it | n_keys > {b} and n_keys % {b} > 0
"""


CONDITIONS = {
    words.format(b=b): formula.format(b=b)
    for words, formula in read_rows(TABLE, 2)
    for b in (2, 4, 8, 16, 32, 64, 128)
}
MOST = 8  # claims that may hold for the rest


def regimes(
    runs: list[Run], tried: Sequence[tuple[Claim, list[Verdict]]]
) -> Regimes | None:
    """Return the simplest two claims that together explain every run."""
    fits = np.array([[v.ok for v in verdicts] for _, verdicts in tried])
    known: dict[str, np.ndarray] = {}
    best: tuple[int, Regimes] | None = None
    for rest in np.argsort(-fits.sum(1), kind="stable")[:MOST]:
        failing = ~fits[rest]
        for one in np.flatnonzero(fits[:, failing].all(1)):
            a, b = tried[int(one)][0], tried[int(rest)][0]
            cost = a.n_fields + 2 * b.n_fields
            if best is not None and cost >= best[0]:
                continue
            for words, where in (*CONDITIONS.items(), *_intervals(runs, failing)):
                if words not in known:
                    known[words] = np.array([run.of(where) > 0 for run in runs])
                marked = known[words]
                apart = fits[one][marked].all() and fits[rest][~marked].all()
                if apart and marked.any():
                    best = cost, Regimes(words, where, a, b)
                    break
    return best[1] if best else None


def _intervals(runs: list[Run], failing: np.ndarray) -> list[tuple[str, str]]:
    """Return the ranges of sizes in which all failing runs are, one-sided ones first.

    Each in words, and as a formula.
    """
    found = []
    for name in FEATURES:
        every = np.array([run.of(name) for run in runs])
        low, high = (int(end(every[failing])) for end in (np.min, np.max))
        sides = (low > every.min()) + (high < every.max())
        words = f"is {low} … {high}" if low < high else f"is {low}"
        if high == every.max():
            words = f"≥ {low}"
        elif low == every.min():
            words = f"≤ {high}"
        shown = "the batch" if name == "batch" else name
        found.append((sides, f"{shown} {words}", f"{low} <= {name} <= {high}"))
    return [(words, where) for _, words, where in sorted(found, key=lambda x: x[0])]
