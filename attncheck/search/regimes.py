"""Two claims, and a condition that says where the one holds, and where the other."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from attncheck.claim import Claim, Claimed, Regimes, Run
from attncheck.verify import Verdict

Where = Callable[[Run], bool]
BLOCKS = (2, 4, 8, 16, 32, 64, 128)
FEATURES: dict[str, Callable[[Run], int]] = {
    "n_queries": lambda run: run.sizes.n,
    "n_keys": lambda run: run.sizes.m,
    "d_k": lambda run: run.sizes.d,
    "d_v": lambda run: run.sizes.d_v,
    "n_heads": lambda run: run.sizes.n_heads,
    "n_key_heads": lambda run: run.sizes.n_kv_heads,
    "the batch": lambda run: run.query.shape[0],
}
KINDS: dict[str, Where] = {
    "there is one query": lambda run: run.sizes.n == 1,
    "there are more keys than queries": lambda run: run.sizes.m > run.sizes.n,
    "there are fewer keys than queries": lambda run: run.sizes.m < run.sizes.n,
    "there are as many keys as queries": lambda run: run.sizes.m == run.sizes.n,
    "heads share key heads": lambda run: run.sizes.n_kv_heads < run.sizes.n_heads,
    "d_v is not d_k": lambda run: run.sizes.d_v != run.sizes.d,
    "d_v < d_k": lambda run: run.sizes.d_v < run.sizes.d,
    "d_v > d_k": lambda run: run.sizes.d_v > run.sizes.d,
    "d_k is odd": lambda run: run.sizes.d % 2 == 1,
    "d_k is no multiple of 8": lambda run: run.sizes.d % 8 > 0,
    "n_heads is odd": lambda run: run.sizes.n_heads % 2 == 1,
    "n_heads is no power of 2": lambda run: run.sizes.n_heads.bit_count() > 1,
}
OF_BLOCKS: dict[str, Callable[..., bool]] = {
    "n_keys is a multiple of {}": lambda run, b: run.sizes.m % b == 0,
    "n_queries is a multiple of {}": lambda run, b: run.sizes.n % b == 0,
    "n_queries and n_keys are multiples of {}": (
        lambda run, b: run.sizes.n % b == 0 and run.sizes.m % b == 0
    ),
    "n_keys > {} and is no multiple of it": (
        lambda run, b: run.sizes.m > b and run.sizes.m % b > 0
    ),
}


def _conditions() -> dict[str, Where]:
    found = dict(KINDS)
    for words, of in OF_BLOCKS.items():
        for block in BLOCKS:
            found[words.format(block)] = partial(of, b=block)
    return found


CONDITIONS = _conditions()
MOST = 8  # claims that may hold for the rest


def regimes(
    runs: list[Run], tried: Sequence[tuple[Claimed, list[Verdict]]]
) -> Regimes | None:
    """Return the simplest two claims that together explain every run."""
    single = [
        (claim, verdicts) for claim, verdicts in tried if isinstance(claim, Claim)
    ]
    if not single:
        return None
    fits = np.array([[v.ok for v in verdicts] for _, verdicts in single])
    best: tuple[int, Regimes] | None = None
    for rest in np.argsort(-fits.sum(1), kind="stable")[:MOST]:
        failing = ~fits[rest]
        for one in np.flatnonzero(fits[:, failing].all(1)):
            a, b = single[one][0], single[rest][0]
            if best is not None and _fields(a) + 2 * _fields(b) >= best[0]:
                continue
            for words, where in (*CONDITIONS.items(), *_intervals(runs, failing)):
                marked = np.array([bool(where(run)) for run in runs])
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
    for name, of in FEATURES.items():
        values = [of(run) for run, bad in zip(runs, failing, strict=True) if bad]
        every = [of(run) for run in runs]
        low, high = min(values), max(values)
        sides = (low > min(every)) + (high < max(every))
        words = f"{name} is {low} … {high}" if low < high else f"{name} is {low}"
        if high == max(every):
            words = f"{name} ≥ {low}"
        elif low == min(every):
            words = f"{name} ≤ {high}"
        found.append((sides, words, _between(of, low, high)))
    found.sort(key=lambda one: one[0])
    for _, words, where in found:
        yield words, where


def _between(of: Callable[[Run], int], low: int, high: int) -> Where:
    return lambda run: low <= of(run) <= high
