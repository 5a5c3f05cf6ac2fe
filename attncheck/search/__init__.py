"""The loop: candidates, cheapest first, until one explains every run."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from attncheck.claim import Claim, Claimed, Regimes, Run
from attncheck.guess import Readings
from attncheck.guess.by_place import heads_read, places_read
from attncheck.model.domain import ALL, Value
from attncheck.model.fields import Model
from attncheck.search.candidates import capped, numbers, one_off, scaled, windows
from attncheck.search.regimes import regimes
from attncheck.verify import Verdict, counted, judge, verify

# Candidates, not seconds: no answer depends on the machine.
BUDGET = 9000
GUESSES = 16
LARGE = 2**16  # scores a head: from there on, not all are computed for pairs
IN_FULL = 16  # candidates of one kind that are judged on all runs
FEW = 8  # queries, of which one that is right by chance is a good part
ROUNDINGS = ("tfloat32", "float16", "bfloat16")


class Scored(NamedTuple):
    """A claim, and the verdict on each run."""

    claim: Claimed
    verdicts: list[Verdict]

    @property
    def explained(self) -> int:
        """How many runs it explains."""
        return sum(verdict.ok for verdict in self.verdicts)

    @property
    def whole(self) -> bool:
        """Whether it explains them all."""
        return all(verdict.ok for verdict in self.verdicts)


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

    def finds(self, claims: Iterable[Claimed], base: Scored | None) -> bool:
        """Say whether one of these explains all; with a base, they are near to it."""
        if base is None:
            return any(self.full(claim) for claim in claims)
        return self.quick(claims, base)

    def full(self, claim: Claimed, base: Scored | None = None) -> bool:
        """Judge a claim on all runs; `base` is one that was judged before."""
        base = base or Scored(claim, [Verdict(False)] * len(self.runs))
        self.last = Scored(claim, counted(self.runs, claim, *base))
        if isinstance(claim, Claim):
            self.tried.append((claim, self.last))
        return self.last.whole

    def quick(self, claims: Iterable[Claimed], base: Scored) -> bool:
        """Judge each on the two runs that differ most; on all, if it explains one."""
        first, second = self.two_that_differ(base)
        most = IN_FULL
        for claim in claims:
            self.left -= 1
            if self.left < 0 or most <= 0:
                return False
            if not self.explains(first, claim):
                continue
            also = first == second or judge(self.runs[second], claim, True).ok
            most -= 1
            if (also or most > IN_FULL // 2) and self.full(claim, base):
                return True
        return False

    def explains(self, i: int, claim: Claimed) -> bool:
        """Say whether a claim explains one run: a few queries first."""
        return all(judge(self.runs[i], claim, part).ok for part in (True, False))

    def two_that_differ(self, base: Scored) -> tuple[int, int]:
        """Return the runs that refute first: a cheap one, and one of other sizes.

        The first has as many keys as queries if any has: nothing depends on alignment.
        """
        failing = [i for i, verdict in enumerate(base.verdicts) if not verdict.ok]

        def cost(i: int) -> tuple[bool, bool, int]:
            s = self.runs[i].sizes
            scores = s.n_heads * s.n * s.m
            return scores < 100, s.n != s.m, scores

        cheap = sorted(failing, key=cost)
        sizes = self.runs[cheap[0]].sizes

        def differs(i: int) -> int:
            pairs = zip(self.runs[i].sizes, sizes, strict=True)
            return sum(a != b for a, b in pairs)

        return cheap[0], max(cheap[:12], key=differs)


def search(runs: list[Run], guesses: list[Claim], readings: Readings | None) -> Scored:
    """Return the first claim that explains every run, or the one that explains most."""
    state = Search(runs)
    for claims, base in _candidates(state, guesses, readings):
        if state.finds(claims, base):
            return state.last
    nearest = next(claim for claim, _ in state.best if not claim.format)
    return Scored(nearest, verify(runs, nearest))


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
            yield _two_regimes(state), None
    yield from _two_values(state)
    if readings is not None:
        yield from _read_off(state, guesses, readings)
        yield _two_regimes(state), None
    yield _few_bits(state, guesses), None


def _numbers(state: Search, claim: Claim, base: Scored) -> Iterator[Claim]:
    yield from capped(state.runs, claim)
    yield from scaled(state.runs, claim)
    for i in state.two_that_differ(base):
        yield from numbers(state.runs[i], claim)


def _two_regimes(state: Search) -> list[Regimes]:
    found = regimes(state.runs, [(x, scored.verdicts) for x, scored in state.tried])
    return [] if found is None else [found]


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
    if changed is None:
        return False
    return not changed.whole or s.n * s.m < LARGE


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
    first, _ = state.two_that_differ(state.tried[0][1])
    for fmt, claim in itertools.product(ROUNDINGS, some):
        if state.explains(first, rounded := claim.on(rounded=fmt)):
            yield rounded
    for fmt, claim in itertools.product(ROUNDINGS, some):
        narrow = replace(claim, format=fmt)
        if state.explains(first, narrow) and _is_coarse(state.runs, claim):
            yield narrow


def _is_coarse(runs: list[Run], claim: Claim) -> bool:
    """Say whether most runs are not explained, and none of them in one place alone."""
    verdicts = verify(runs, claim)
    few = sum(v.ok for v in verdicts) <= (len(runs) - 1) // 2
    return few and not any(map(_is_local, verdicts))


def _is_local(verdict: Verdict) -> bool:
    """Say whether some heads, columns, or a good part of the queries are right.

    Numbers that are wrong here and there, as rounding has them, are in no place.
    """
    wrong = verdict.wrong
    if wrong is None or not wrong.any() or wrong.shape[2] < FEW:
        return False
    items, heads, queries, columns = (
        wrong.any(axes) for axes in ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
    )
    box = items.sum() * heads.sum() * queries.sum() * columns.sum()
    whole = items.all() and heads.all() and columns.all() and queries.mean() >= 0.9
    return not whole and bool(wrong.sum() > box / 2)
