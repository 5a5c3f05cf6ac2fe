"""The loop: candidates, cheapest first, until one explains every run."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from attncheck.claim import Claim, Claimed, Run
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


class Search:
    """The runs, what was tried on all of them, and how many candidates are left."""

    def __init__(self, runs: list[Run]):
        self.runs = runs
        self.tried: list[Scored] = []
        self.left = BUDGET

    def full(self, claim: Claimed, base: Scored | None = None) -> bool:
        """Judge a claim on all runs; `base` is one that was judged before."""
        base = base or Scored(claim, [Verdict(False)] * len(self.runs))
        self.tried.append(Scored(claim, counted(self.runs, claim, *base)))
        return self.tried[-1].whole

    def quick(self, claims: Iterable[Claim], base: Scored) -> bool:
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

    def explains(self, i: int, claim: Claim) -> bool:
        """Say whether a claim explains one run: a few queries first."""
        return all(judge(self.runs[i], claim, part).ok for part in (True, False))

    def two_that_differ(self, base: Scored) -> tuple[int, int]:
        """Return the runs that refute first: a cheap one, and one of other sizes.

        The first has as many keys as queries if any has: nothing depends on a corner.
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
    ways: tuple[Callable[[], bool], ...] = (
        lambda: any(state.full(claim) for claim in guesses[:GUESSES]),
        lambda: _near_the_best(state),
        lambda: _two_values(state),
        lambda: readings is not None and _read_off(state, guesses, readings),
        lambda: _few_bits(state, guesses),
    )
    if any(way() for way in ways):
        return state.tried[-1]
    exact = [one for one in state.tried if not all(c.format for c in one.claim.parts)]
    nearest = max(exact, key=lambda one: one.explained).claim
    return Scored(nearest, verify(runs, nearest))


def _near_the_best(state: Search) -> bool:
    """Try one value more, and fitted numbers, on what explains most; three times."""
    seen: set[int] = set()
    for depth in range(3):
        best = sorted(state.tried, key=lambda one: -one.explained)
        some = [one for one in best[: 2 if depth else 4] if id(one.claim) not in seen]
        if not some:
            break
        for one in some:
            seen.add(id(one.claim))
            if not isinstance(one.claim, Claim):
                continue
            if state.quick(one_off(one.claim), one):
                return True
            if state.quick(_numbers(state, one.claim, one), one):
                return True
        if _two_regimes(state):
            return True
    return False


def _numbers(state: Search, claim: Claim, base: Scored) -> Iterator[Claim]:
    yield from capped(state.runs, claim)
    yield from scaled(state.runs, claim)
    for i in state.two_that_differ(base):
        yield from numbers(state.runs[i], claim)


def _two_regimes(state: Search) -> bool:
    found = regimes(state.runs, state.tried)
    return found is not None and state.full(found)


def _two_values(state: Search) -> bool:
    best = max(state.tried, key=lambda one: one.explained)
    if best.explained >= max(1, len(state.runs) // 2) or not isinstance(
        best.claim, Claim
    ):
        return False
    claim, run = best.claim, state.runs[state.two_that_differ(best)[0]]
    common = [v for v in ALL if not v.rare and _shows(v, claim, run)]
    pairs = itertools.combinations(common, 2)
    both = (claim.plus(a, b) for a, b in pairs if a.field != b.field)
    moved = [claim.plus(value) for value in common if value.field == "gives"]
    wide = (replace(x, base=y) for x in moved for y in windows(run, claim.base))
    if state.quick(both, best) or state.quick(wide, best):
        return True
    near = max(state.tried, key=lambda one: one.explained)
    if near is best or not isinstance(near.claim, Claim):
        return False
    return state.quick(one_off(near.claim), near)


def _shows(value: Value, claim: Claim, run: Run) -> bool:
    """Say whether a value changes a run, and has no sums over all queries if large.

    One that does not was tried on top of each single value.
    """
    s = run.sizes
    changed = value.change(claim.base, s)
    if changed is None:
        return False
    return not changed.whole or s.n * s.m < LARGE


def _read_off(state: Search, guesses: list[Claim], readings: Readings) -> bool:
    """Read which heads are read, and who sees whom, at every size."""
    best = max(state.tried, key=lambda one: one.explained).claim
    if not isinstance(best, Claim):
        return False
    if any(state.full(claim) for claim in heads_read(readings, state.runs, best)):
        return True
    bases = [best, *([guesses[0]] if guesses[0].base is not best.base else [])]
    for base in bases:
        claims = places_read(readings, state.runs, replace(best, base=base.base))
        if any(state.full(claim) for claim in claims):
            return True
    return _two_regimes(state)


def _few_bits(state: Search, guesses: list[Claim]) -> bool:
    """Try the same models to fewer bits, where most runs are not explained."""
    # A scale that was read in few bits is no rule: the usual one is tried as well.
    usual = [claim.on(scale=Model().scale) for claim in guesses[:1]]
    some = [*guesses[:3], *usual]
    rounded = [claim.on(rounded=fmt) for fmt in ROUNDINGS for claim in some]
    first, _ = state.two_that_differ(state.tried[0])
    for claim in rounded:
        if state.explains(first, claim) and state.full(claim):
            return True
    for fmt, claim in itertools.product(ROUNDINGS, some):
        narrow = replace(claim, format=fmt)
        whole = state.explains(first, narrow) and state.full(narrow)
        if whole and _is_coarse(state.runs, claim):
            return True
    return False


def _is_coarse(runs: list[Run], claim: Claim) -> bool:
    """Say whether most runs are not explained, and none of them in one place alone."""
    verdicts = verify(runs, claim)
    few = sum(v.ok for v in verdicts) <= (len(runs) - 1) // 2
    return few and not any(map(_is_local, verdicts))


def _is_local(verdict: Verdict) -> bool:
    """Say whether some heads, columns, or a good part of the queries are right."""
    wrong = verdict.wrong
    if wrong is None or not wrong.any() or wrong.shape[2] < FEW:
        return False
    whole = all(wrong.any(axes).all() for axes in ((0, 2, 3), (0, 1, 2), (1, 2, 3)))
    return not whole or bool(wrong.any((0, 1, 3)).mean() < 0.9)
