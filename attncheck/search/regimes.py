"""Two claims, and a condition that says where the one holds, and where the other."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from attncheck.claim import Claim, Regimes, Run
from attncheck.model.fields import read_rows
from attncheck.verify import Verdict

Where = Callable[[Run], bool]
FEATURES = ("n_queries", "n_keys", "d_k", "d_v", "n_heads", "n_key_heads", "the batch")
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


def _holds(formula: str, run: Run) -> bool:
    return bool(run.sizes.of(formula))


def _size(name: str, run: Run) -> int:
    return len(run.query) if name == "the batch" else run.sizes.of(name)


CONDITIONS: dict[str, Where] = {
    words.format(b=b): partial(_holds, formula.format(b=b))
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
            if best is not None and _fields(a) + 2 * _fields(b) >= best[0]:
                continue
            for words, where in (*CONDITIONS.items(), *_intervals(runs, failing)):
                if words not in known:
                    known[words] = np.array([where(run) for run in runs])
                marked = known[words]
                apart = fits[one][marked].all() and fits[rest][~marked].all()
                if apart and marked.any():
                    cost = _fields(a) + 2 * _fields(b)
                    best = cost, Regimes(words, where, a, b)
                    break
    return best[1] if best else None


def _fields(claim: Claim) -> int:
    return len(claim.values) + len(claim.fitted)


def _intervals(runs: list[Run], failing: np.ndarray) -> Iterator[tuple[str, Where]]:
    """Yield the ranges of sizes in which all failing runs are, one-sided ones first."""
    found = []
    for name in FEATURES:
        every = np.array([_size(name, run) for run in runs])
        low, high = (int(end(every[failing])) for end in (np.min, np.max))
        sides = (low > every.min()) + (high < every.max())
        words = f"{name} is {low} … {high}" if low < high else f"{name} is {low}"
        if high == every.max():
            words = f"{name} ≥ {low}"
        elif low == every.min():
            words = f"{name} ≤ {high}"
        found.append((sides, words, partial(_within, name, low, high)))
    found.sort(key=lambda one: one[0])
    yield from (one[1:] for one in found)


def _within(name: str, low: int, high: int, run: Run) -> bool:
    return low <= _size(name, run) <= high
