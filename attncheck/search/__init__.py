"""The loop: candidates, cheapest first, until one explains every run."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from attncheck.claim import Claim, Claimed, Regimes, Run
from attncheck.guess import Readings, heads_read, places_read
from attncheck.model.domain import ALL, Value
from attncheck.model.fields import Model, read_rows
from attncheck.search.candidates import capped, numbers, one_off, scaled, windows
from attncheck.verify import Scored, Verdict, judge, marked_along, refuted_or_judged

# Candidates, not seconds: no answer depends on the machine.
BUDGET = 9000
GUESSES = 16
LARGE = 2**16  # scores a head: from there on, not all are computed for pairs
IN_FULL = 16  # candidates of one kind that are judged on all runs
FEW = 8  # queries, of which one that is right by chance is a good part
ROUNDINGS = ("tfloat32", "float16", "bfloat16")
Group = tuple[Iterable[Claimed], Scored | None]


class Search:
    """The runs, what was tried on all of them, and how many candidates are left."""

    def __init__(self, runs: list[Run]):
        self.runs = runs
        self.tried: list[tuple[Claim, Scored]] = []
        self.last = Scored(Claim(), [])
        self.left = BUDGET

    @property
    def best(self) -> list[tuple[Claim, Scored]]:
        """The claims that were tried, those that explain most first."""
        return sorted(self.tried, key=lambda one: -one[1].explained)

    def full(self, claim: Claimed) -> bool:
        """Judge a claim on all runs."""
        self.last = Scored(claim, [refuted_or_judged(run, claim) for run in self.runs])
        if isinstance(claim, Claim):
            self.tried.append((claim, self.last))
        return self.last.whole

    def finds(self, claims: Iterable[Claimed], base: Scored | None) -> bool:
        """Say whether one of these explains all.

        With a base, which they are near to, each is judged on the two runs that differ
        most, and on all if it explains one.
        """
        if base is None:
            return any(self.full(claim) for claim in claims)
        first, second = self.two_that_differ(base)
        most = IN_FULL
        for claim in claims:
            self.left -= 1
            if self.left < 0 or most <= 0:
                return False
            if not refuted_or_judged(self.runs[first], claim).ok:
                continue
            also = first == second or judge(self.runs[second], claim, True).ok
            most -= 1
            if (also or most > IN_FULL // 2) and self.full(claim):
                return True
        return False

    def two_that_differ(self, base: Scored) -> tuple[int, int]:
        """Return the runs that refute first: a cheap one, and one of other sizes.

        The first has as many keys as queries if any has: nothing depends on alignment.
        """
        failing = [i for i, verdict in enumerate(base.verdicts) if not verdict.ok]

        def cost(i: int) -> tuple[bool, bool, int]:
            s = self.runs[i].sizes
            return s.n_scores < 100, s.n != s.m, s.n_scores

        def differs(i: int) -> int:
            sizes = np.array([self.runs[j].sizes for j in (i, cheap[0])])
            return int((sizes[0] != sizes[1]).sum())

        cheap = sorted(failing, key=cost)
        return cheap[0], max(cheap[:12], key=differs)


def search(runs: list[Run], guesses: list[Claim], readings: Readings | None) -> Scored:
    """Return the first claim that explains every run, or the one that explains most."""
    state = Search(runs)
    for claims, base in _candidates(state, guesses, readings):
        if state.finds(claims, base):
            return state.last
    nearest = next(claim for claim, _ in state.best if not claim.format)
    return Scored(nearest, [judge(run, nearest) for run in runs])


def _candidates(
    state: Search, guesses: list[Claim], readings: Readings | None
) -> Iterator[Group]:
    """Yield candidates, cheapest first, and the claim that they are near to, if any."""
    yield guesses[:GUESSES], None
    seen: set[int] = set()
    for depth in range(3):
        some = [x for x in state.best[: 2 if depth else 4] if id(x[0]) not in seen]
        for claim, base in some:
            seen.add(id(claim))
            yield one_off(claim), base
            yield _numbers(state, claim, base), base
        if some:
            yield regimes(state.runs, state.tried), None
    yield from _two_values(state)
    if readings is not None:
        yield from _read_off(state, guesses, readings)
        yield regimes(state.runs, state.tried), None
    yield _few_bits(state, guesses), None


def _numbers(state: Search, claim: Claim, base: Scored) -> Iterator[Claim]:
    yield from capped(state.runs, claim)
    yield from scaled(state.runs, claim)
    for i in state.two_that_differ(base):
        yield from numbers(state.runs[i], claim)


def _two_values(state: Search) -> Iterator[Group]:
    """Yield two values at once, and one beside any window, where few runs are right."""
    claim, best = state.best[0]
    if best.explained >= max(1, len(state.runs) // 2):
        return
    run = state.runs[state.two_that_differ(best)[0]]
    common = [v for v in ALL if not v.rare and _shows(v, claim, run)]
    pairs = itertools.combinations(common, 2)
    yield (claim.plus(a, b) for a, b in pairs if a.field != b.field), best
    moved = [claim.plus(value) for value in common if value.field == "output_order"]
    wide = (replace(x, base=y) for x in moved for y in windows(run, claim.base))
    yield wide, best
    near, base = state.best[0]
    if base is not best:
        yield one_off(near), base


def _shows(value: Value, claim: Claim, run: Run) -> bool:
    """Say whether a value changes a run, and has no sums over all queries if large.

    One that does not was tried on top of each single value.
    """
    s = run.sizes
    changed = value.change(claim.base, s)
    return changed is not None and (not changed.whole or s.n * s.m < LARGE)


def _read_off(
    state: Search, guesses: list[Claim], readings: Readings
) -> Iterator[Group]:
    """Read which heads are read, and the mask, at every size."""
    best, _ = state.best[0]
    yield heads_read(readings, state.runs, best), None
    bases = [best.base, guesses[0].base]
    for base in bases[:1] if bases[0] is bases[1] else bases:
        yield places_read(readings, state.runs, replace(best, base=base)), None


def _few_bits(state: Search, guesses: list[Claim]) -> Iterator[Claim]:
    """Yield the same models to fewer bits, where most runs are not explained."""
    # A scale that was read in few bits is no rule: the usual one is tried as well.
    usual = [claim.on(scale=Model().scale) for claim in guesses[:1]]
    some = [*guesses[:3], *usual]
    run = state.runs[state.two_that_differ(state.tried[0][1])[0]]
    pairs = [*itertools.product(ROUNDINGS, some)]
    rounded = (claim.on(rounded=fmt) for fmt, claim in pairs)
    yield from (claim for claim in rounded if refuted_or_judged(run, claim).ok)
    for fmt, claim in pairs:
        narrow = replace(claim, format=fmt)
        if not refuted_or_judged(run, narrow).ok:
            continue
        verdicts = [judge(run, claim) for run in state.runs]
        few = sum(v.ok for v in verdicts) <= (len(verdicts) - 1) // 2
        if few and not any(map(_is_local, verdicts)):  # wrong in one place alone
            yield narrow


def _is_local(verdict: Verdict) -> bool:
    """Say whether some heads, columns, or a good part of the queries are right.

    Numbers that are wrong here and there, as rounding has them, are in no place.
    """
    wrong = verdict.wrong
    if wrong is None or not wrong.any() or wrong.shape[2] < FEW:
        return False
    items, heads, queries, columns = marks = marked_along(wrong)
    box = np.prod([some.sum() for some in marks])
    whole = items.all() and heads.all() and columns.all() and queries.mean() >= 0.9
    return not whole and bool(wrong.sum() > box / 2)


# Two claims, and a condition that says where the one holds, and where the other.
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
RESTS = 8  # claims that may hold for the rest


def regimes(runs: list[Run], tried: list[tuple[Claim, Scored]]) -> list[Regimes]:
    """Return the simplest two claims that together explain every run, if any do."""
    fits = np.array([[v.ok for v in scored.verdicts] for _, scored in tried])
    known: dict[str, np.ndarray] = {}
    best: tuple[int, Regimes] | None = None
    for rest in np.argsort(-fits.sum(1), kind="stable")[:RESTS]:
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
    return [best[1]] if best else []


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
