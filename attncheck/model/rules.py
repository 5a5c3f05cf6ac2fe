"""Who sees whom where it is more than a window: chunks, a prefix, and mistakes."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

# Who is inside the window; places of queries (n, 1) and keys (m,); size; m − n.
Mark = Callable[[np.ndarray, np.ndarray, np.ndarray, int, int], np.ndarray]
RULES: dict[str, tuple[Mark, str]] = {
    "chunks": (
        lambda x, i, j, size, more: x & (i // size == j // size),
        "only keys of its own chunk of {size}",
    ),
    "blocks": (
        lambda x, i, j, size, more: x & (i // size >= j // size),
        "all keys of its own block of {size}, later ones too, and of the blocks before",
    ),
    "prefix": (
        lambda x, i, j, size, more: x | (j < size),
        "and the first {size}, even those later than its own",
    ),
    "kept": (
        lambda x, i, j, size, more: x | ((j < size) & (j <= i)),
        "and the first {size}, none later than its own",
    ),
    "global": (
        lambda x, i, j, size, more: x | (j < size) | (i < size),
        "and the first {size}; the first {size} of the queries see every key",
    ),
    "steps": (
        lambda x, i, j, size, more: x & ((i - j) % size == 0),
        "only keys whose distance from its own is a multiple of {size}",
    ),
    "not its own": (
        lambda x, i, j, size, more: x & (i != j),
        "every key but its own",
    ),
}
# A causal mask goes wrong so, which nobody can mean.
WRONG: dict[str, tuple[Mark, str]] = {
    "sign": (
        lambda x, i, j, size, more: x & (j <= i - more),
        "query i sees the keys j ≤ i − (n_keys − n_queries): the offset between "
        "queries and keys has the wrong sign",
    ),
    "restarts": (
        lambda x, i, j, size, more: x & (j <= i % size),
        "its causal mask begins anew with each block of {size} queries: query {size} "
        "sees only key 0 again",
    ),
    "key restarts": (
        lambda x, i, j, size, more: x & (j % size <= i),
        "its causal mask begins anew with each block of {size} keys: query 0 sees key "
        "{size} too",
    ),
    "lags": (
        lambda x, i, j, size, more: x & (j <= i - i % size),
        "a query sees the keys up to the first query of its own block of {size}, and "
        "not those up to its own",
    ),
}
KINDS = {**RULES, **WRONG}


class Rule(NamedTuple):
    """What is added to a window or taken from it: a name of RULES or WRONG, a size."""

    kind: str
    size: int = 1

    def mark(
        self, inside: np.ndarray, i: np.ndarray, j: np.ndarray, more: int
    ) -> np.ndarray:
        """Mark who sees whom, given who is inside the window."""
        return KINDS[self.kind][0](inside, i, j, self.size, more)

    @property
    def words(self) -> str:
        """What a query sees, behind the words of the window."""
        return KINDS[self.kind][1].format(size=self.size)
