"""Masks that are no band: chunks, a prefix, first keys that are kept, every so many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attncheck.guess.bands import Band, Seen, mark

# A causal mask goes wrong so, which nobody can mean: the code of the problem.
WRONG = {
    "sign": "mask-offset",
    "restarts": "mask-begins-anew",
    "key restarts": "mask-begins-anew",
    "lags": "mask-lags",
}


@dataclass(frozen=True)
class Rule:
    """A band, and what is added to it or taken from it.

    Attributes
    ----------
    kind : str
        "chunks": only keys of the query's own chunk. "blocks": all keys up to the end
        of the query's own block. "prefix": the first keys too, for every query.
        "kept": those too, once they are no later than the query. "global": those too,
        and the first queries see every key. "steps": only every so many keys. "not its
        own": every key but the query's. "sign": the causal mask that is aligned at the
        last key, with the offset subtracted. "restarts", "key restarts": a causal mask
        for which queries, or keys, are counted anew in each chunk. "lags": one that
        goes by the chunk's first query.
    size : int
        Keys in a chunk, in the prefix, kept, or from one step to the next.
    band : Band
    """

    kind: str
    size: int
    band: Band

    def mark(self, n: int, m: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Mark who sees whom, of all queries or of some: bool (n, m)."""
        inside = mark(n, m, self.band, rows)
        j, i = np.arange(m), np.arange(n) if rows is None else rows
        i = i[:, None] + (m - n if self.band.corner == "end" else 0)
        if self.kind == "prefix":
            inside |= j < self.size
        elif self.kind == "global":
            inside |= (j < self.size) | (i < self.size)
        elif self.kind == "kept":
            inside |= (j < self.size) & (j <= i)
        elif self.kind == "chunks":
            inside &= i // self.size == j // self.size
        elif self.kind == "blocks":
            inside &= i // self.size >= j // self.size
        elif self.kind == "steps":
            inside &= (i - j) % self.size == 0
        elif self.kind == "sign":
            inside &= j <= i - (m - n)
        elif self.kind == "restarts":
            inside &= j <= i % self.size
        elif self.kind == "key restarts":
            inside &= j % self.size <= i
        elif self.kind == "lags":
            inside &= j <= i - i % self.size
        else:
            inside &= i != j
        return inside

    @property
    def _places(self) -> str:
        if self.size == 1:
            return "the first query sees"
        return f"the first {self.size} queries see"

    def __str__(self) -> str:
        return self._wrong() if self.kind in WRONG else self._words()

    def _wrong(self) -> str:
        size = self.size
        return {
            "sign": "Query i sees the keys j ≤ i − (n_keys − n_queries): the offset "
            "between queries and keys has the wrong sign.",
            "restarts": f"Its causal mask begins anew with each block of {size} "
            f"queries: query {size} sees only key 0 again.",
            "key restarts": f"Its causal mask begins anew with each block of {size} "
            f"keys: query 0 sees key {size} too.",
            "lags": "A query sees the keys up to the first query of its own block of "
            f"{size}, and not those up to its own.",
        }[self.kind]

    def _words(self) -> str:
        limits = ", none later than its own" if self.band.right == 0 else ""
        if self.band.left is not None:
            limits += f", at most {self.band.left} before it"
        first = "the first one" if self.size == 1 else f"the first {self.size}"
        near = f", the {self.band.left} before it" if self.band.left else ""
        words = {
            "chunks": f"only keys of its own chunk of {self.size}{limits}",
            "blocks": f"all keys of its own block of {self.size}, later ones too, and "
            "of the blocks before",
            "steps": "only keys whose distance from its own is a multiple of "
            f"{self.size}{limits}",
            "not its own": "every key but its own",
            "kept": f"its own key{near} and {first}, none later than its own",
            "global": f"its own key, the {self.band.left} before it, the "
            f"{self.band.right} after it and {first}; {self._places} every key",
            "prefix": f"{first} keys, even those later than its own, and of the "
            f"others{limits.removeprefix(',')}",
        }
        where = "the last key" if self.band.corner == "end" else "the first query"
        return f"Query i sees {words[self.kind]}; aligned at {where}."


def find_rule(pictures: list[Seen]) -> Rule | None:
    """Find a rule that explains all pictures; the first must be the largest."""
    if any(picture.bias is not None for picture in pictures):
        return None
    fitting = (rule for rule in _candidates(pictures[0]) if _fits_all(rule, pictures))
    return next(fitting, None)


def _candidates(picture: Seen) -> Iterator[Rule]:
    """Read sizes off the first and the last row, where there is no band to read."""
    n, m = picture.allowed.shape
    last = picture.allowed[-1]
    for corner in ("start", "end"):
        place = n - 1 + (m - n if corner == "end" else 0)
        if place >= m:
            continue
        bands = [Band(None, None, corner), Band(None, 0, corner)]
        yield Rule("not its own", 1, bands[0])
        yield Rule("sign", 0, bands[0])
        for kind in ("restarts", "key restarts", "lags"):
            yield from (Rule(kind, size, bands[0]) for size in range(2, m - 1))
        if not last[place]:
            continue
        seen = np.flatnonzero(last[: place + 1])
        steps = place - seen[-2] if len(seen) > 1 else 0
        if steps > 1:
            far = Band(int(place - seen[0]), 0, corner)
            yield from (Rule("steps", int(steps), band) for band in (*bands, far))
        run = _run(last[: place + 1][::-1])
        firsts = {_run(last), _run(picture.allowed[0])} - {0}
        near = Band(run - 1, 0, corner)
        for size in firsts:
            if run <= place:  # else all earlier keys are seen: it is no window
                yield Rule("kept", size, near)
            yield from (Rule("prefix", size, band) for band in (bands[1], near))
            if size < m - 1:
                after = _run(picture.allowed[min(size, n - 1), size:]) - 1
                yield Rule("global", size, Band(run - 1, after, corner))
        for size in range(2, m):
            yield from (Rule("chunks", size, band) for band in bands)
            yield Rule("blocks", size, bands[0])


def _run(row: np.ndarray) -> int:
    """Count the keys that are seen from the first on."""
    return len(row) if row.all() else int(row.argmin())


def _fits_all(rule: Rule, pictures: list[Seen]) -> bool:
    return all(_fits(rule, picture) for picture in pictures)


def _fits(rule: Rule, picture: Seen) -> bool:
    wanted = rule.mark(*picture.allowed.shape)
    rows = wanted.any(-1) & ~picture.lost
    some = rows.any() or not wanted.any()
    return bool(some and np.array_equal(picture.allowed[rows], wanted[rows]))
