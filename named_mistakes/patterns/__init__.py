"""Patterns that wrong numbers share with the right ones, where no mistake is known.

A factor, an extra term, one wrong row, another order: each is reported only if it
holds in every ordinary case that fails, so that it is a fact and not a guess.
"""

from typing import NamedTuple

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise
from named_mistakes.patterns import numbers, places, steps
from named_mistakes.patterns.pair import Look, Pair, usable

# A formula for all numbers is surer than a place where they are wrong.
LOOKS: tuple[Look, ...] = (
    *(numbers.inverted, numbers.factor, numbers.term, steps.done),
    *(numbers.a_little_less, numbers.a_little_off, steps.in_order),
    *(places.triangle, places.one_wrong, places.in_pairs, places.alike),
    *(places.one_right, places.zeros),
)


class Pattern(NamedTuple):
    """The smallest failing case, the code of the pattern, and its message."""

    one: Judged
    code: str
    said: str


def pattern(exercise: Exercise, judged: list[Judged]) -> Pattern | None:
    """Find a pattern that all wrong numbers share."""
    failing = [j for j in judged if not (j.right or j.case.is_large)]
    seen = [j for j in failing if j.fits and j.case.special_rows is None]
    if not seen or any(j.got is not None and not j.fits for j in failing):
        return None
    seen.sort(key=lambda j: j.case.order)
    for i, name in enumerate(exercise.returns):
        pairs = [Pair(j.got[i], j.wanted[i], j) for j in seen]
        wrong = [p for p in pairs if not np.all(p.judged.close(p.x, p.w))]
        few = sum(p.w.size for p in wrong) < 4  # which might fit by chance
        if not wrong or few or not all(map(usable, wrong)):
            continue
        for look in LOOKS:
            # Halves and every second column matter only where columns form pairs.
            if look is places.in_pairs and not exercise.has_pairs:
                continue
            if said := look(wrong, name):
                return Pattern(seen[0], said[0], said[1] + _others(exercise, seen))
    return None


def _others(exercise: Exercise, seen: list[Judged]) -> str:
    """Name the returned arrays that are right."""
    right = [n for k, n in enumerate(exercise.returns) if _all_right(seen, k)]
    return f" The {' and '.join(right)} that you give came out right." * bool(right)


def _all_right(seen: list[Judged], k: int) -> bool:
    return all(np.all(j.close(j.got[k], j.wanted[k])) for j in seen)


def one_step_more(exercise: Exercise, judged: list[Judged]) -> Pattern | None:
    """Find an extra step, even if it happens to change nothing in some cases.

    A single number may be right by chance, as the absolute value of a positive one is.
    The cases that still fail then look like a problem with axes.
    """
    plain = [j for j in judged if not j.case.is_large and j.case.special_rows is None]
    failing = sorted((j for j in plain if not j.right), key=lambda j: j.case.order)
    if not failing or len(exercise.returns) > 1 or not all(j.fits for j in plain):
        return None
    if not any(np.any(j.got[0]) for j in failing):
        return None  # zeros everywhere have a reason of their own
    name = next(iter(exercise.returns))
    for look, some in ((steps.done, plain), (numbers.a_little_less, failing)):
        pairs = [Pair(j.got[0], j.wanted[0], j) for j in some]
        pairs = [p for p in pairs if usable(p)]  # NaN has a finding of its own
        telling = any(p.w.size > 2 and not p.judged.right for p in pairs)
        if telling and (said := look(pairs, name)):
            return Pattern(failing[0], *said)
    return None
