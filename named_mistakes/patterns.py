"""What wrong numbers have in common with the right ones, where no mistake is known.

A factor, a term too many, one row that is wrong, an order: each is said only if
it holds in every ordinary case that fails, so that it is a fact and not a guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from named_mistakes.compare import Judged
from named_mistakes.describe import be
from named_mistakes.exercise import Case, Exercise
from named_mistakes.places import Pair, Said, right_in_part

CONSTANTS = {
    "2": 2.0,
    "1/2": 0.5,
    "the logarithm of 2": math.log(2),
    "1 / the logarithm of 2": 1 / math.log(2),
    "1 / the logarithm of 10": 1 / math.log(10),
}


def pattern(exercise: Exercise, judged: list[Judged]) -> tuple[Judged, str, str] | None:
    """Find what holds of all wrong numbers.

    Returns
    -------
    tuple of Judged, code, words, or None
        The smallest case that fails, the name of the pattern, and what it says.
    """
    failing = [j for j in judged if not (j.right or j.case.is_large)]
    seen = [j for j in failing if j.fits and j.case.special_rows is None]
    if not seen or any(j.got is not None and not j.fits for j in failing):
        return None
    seen.sort(key=lambda j: j.case.order)
    for i, name in enumerate(exercise.returns):
        pairs = [(j.got[i], j.wanted[i], j) for j in seen]
        wrong = [(x, w, j) for x, w, j in pairs if not np.all(j.close(x, w))]
        few = sum(w.size for _, w, _ in wrong) < 4  # which might fit by chance
        if not wrong or few or not all(_usable(x, w) for x, w, _ in wrong):
            continue
        right = [n for k, n in enumerate(exercise.returns) if _all_right(seen, k)]
        places = partial(right_in_part, has_pairs=exercise.has_pairs)
        for look in (*LOOKS, places):
            said = look(wrong, name)
            if said:
                others = f" The {' and '.join(right)} that you give came out right."
                return seen[0], said[0], said[1] + others * bool(right)
    return None


def one_step_more(
    exercise: Exercise, judged: list[Judged]
) -> tuple[Judged, str, str] | None:
    """Find what was done to the right numbers, also where it happens to change none.

    A single number may be right by chance, as the absolute value of a positive one is.
    What that leaves looks like a matter of axes, and is none.
    """
    plain = [j for j in judged if not j.case.is_large and j.case.special_rows is None]
    failing = sorted((j for j in plain if not j.right), key=lambda j: j.case.order)
    if not failing or len(exercise.returns) > 1 or not all(j.fits for j in plain):
        return None
    if not any(np.any(j.got[0]) for j in failing):
        return None  # zeros everywhere have a reason of their own
    name, (first, *_) = exercise.returns[0], failing
    for look, some in ((_done, plain), (_a_little_less, failing)):
        pairs = [(j.got[0], j.wanted[0], j) for j in some]
        pairs = [p for p in pairs if _usable(*p[:2])]  # NaN has a finding of its own
        telling = any(w.size > 2 and not j.right for _, w, j in pairs)
        said = telling and look(pairs, name)
        if said:
            return first, *said
    return None


def _usable(x: np.ndarray, w: np.ndarray) -> bool:
    return bool(
        x.dtype.kind in "biuf" and np.isfinite(x).all() and np.isfinite(w).all()
    )


def _all_right(seen: list[Judged], k: int) -> bool:
    return all(np.all(j.close(j.got[k], j.wanted[k])) for j in seen)


def _same(pair: Pair, y: np.ndarray) -> bool:
    x, _, judged = pair
    return x.shape == np.shape(y) and bool(np.all(judged.close(x, np.asarray(y))))


def _in_all(pairs: list[Pair], give: Callable[[Pair], np.ndarray]) -> bool:
    with np.errstate(all="ignore"):
        try:
            return all(_same(pair, give(pair)) for pair in pairs)
        except (ValueError, IndexError):  # it cannot be computed with these shapes
            return False


def _factor(pairs: list[Pair], name: str) -> Said:
    """One factor for all numbers of a case: a constant, or made of one of the sizes."""
    if any(w.dtype.kind == "b" or not np.any(w) for _, w, _ in pairs):
        return None
    factors = [float(np.sum(x * w) / np.sum(w * w)) for x, w, _ in pairs]
    if not all(_same(p, p[1] * c) for p, c in zip(pairs, factors, strict=True)):
        return None
    if np.allclose(factors, 0):
        return "all-zeros", (
            f"your {name} {be(name)} 0 everywhere. Print what you have after each "
            "step: where does it become 0, or was it never filled?"
        )
    if np.allclose(factors, -1):
        return "sign-flipped", f"every number of your {name} has the wrong sign."
    for what, c in _named_factors(pairs, factors):
        return "off-by-a-factor", (
            f"every number of your {name} is the expected one times {c:.4g}, which is "
            f"{what}. Look for a factor or a division that is missing, or one too many."
        )
    return None


def _named_factors(
    pairs: list[Pair], factors: list[float]
) -> Iterator[tuple[str, float]]:
    for what, c in CONSTANTS.items():
        if np.allclose(factors, c, rtol=1e-4):
            yield what, factors[0]
    cases = [j.case for _, _, j in pairs]
    for what, first in sizes(cases[0]).items():
        counts = [sizes(case).get(what, 0) for case in cases]
        for form, power in (("{}", 1), ("1/{}", -1), ("√{}", 0.5), ("1/√{}", -0.5)):
            if min(counts) > 1 and np.allclose(
                factors, np.power(counts, float(power)), rtol=1e-4
            ):
                yield f"{form.format(first)}, and {first} is {what}", factors[0]
    if np.allclose(factors, factors[0], rtol=1e-4):
        yield "the same for every input", factors[0]


def sizes(case: Case) -> dict[str, float]:
    """Name every length of an axis, counted from the end, and every number given."""
    named: dict[str, float] = {}
    for name, x in case.inputs.items():
        if isinstance(x, int | float) and not isinstance(x, bool):
            named[name] = x
        for axis in range(1, np.ndim(x) + 1):
            named[f"the length of axis -{axis} of {name}"] = np.shape(x)[-axis]
    return named


def _term(pairs: list[Pair], name: str) -> Said:
    """Find the same number too much everywhere, or one of the inputs."""
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    off = [x - w for x, w, _ in pairs]
    several = max(d.size for d in off) > 1  # one number is always off by one number
    if several and all(
        _same(p, p[1] + d.flat[0]) for p, d in zip(pairs, off, strict=True)
    ):
        return "off-by-a-term", (
            f"every number of your {name} is off by {off[0].flat[0]:.4g}, the same "
            "everywhere. "
            "Look for something that is added or subtracted once too often."
        )
    for given in pairs[0][2].case.inputs:
        for sign, word in ((1, "more"), (-1, "less")):
            if _in_all(pairs, lambda p, g=given, s=sign: p[1] + s * _given(p, g)):
                look = "added" if sign > 0 else "left out or subtracted"
                return "off-by-a-term", (
                    f"your {name} {be(name)} what was expected, {word} {given}. "
                    f"Look at where {given} is {look}."
                )
    return None


def _given(pair: Pair, name: str) -> np.ndarray:
    given = pair[2].case.inputs[name]
    usable = getattr(given, "dtype", np.dtype(object)).kind == "f"
    return given if usable else np.full(np.shape(pair[1]), np.nan)


def _soft(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


# What may have been done to the right numbers at the end.
DONE = {
    "its absolute value": np.abs,
    "its square": np.square,
    "its root": np.sqrt,
    "its exponential": np.exp,
    "its logarithm": np.log,
    "1 divided by it": lambda w: 1 / w,
    "1 less it": lambda w: 1 - w,
    "its negative numbers set to 0": lambda w: np.maximum(w, 0),
    "rounded to whole numbers": np.round,
    "cut off to whole numbers": np.trunc,
    "rounded to 1 decimal": lambda w: np.round(w, 1),
    "rounded to 2 decimals": lambda w: np.round(w, 2),
    "rounded to 3 decimals": lambda w: np.round(w, 3),
    "clipped to between -1 and 1": lambda w: np.clip(w, -1, 1),
    "clipped to between 0 and 1": lambda w: np.clip(w, 0, 1),
    "softmax of it": lambda w: _soft(w) if w.ndim else w,
    "each row less its mean": lambda w: w - w.mean(-1, keepdims=True) if w.ndim else w,
    "each row divided by its sum": lambda w: (
        w / w.sum(-1, keepdims=True) if w.ndim else w
    ),
    "each row divided by its length": lambda w: (
        w / np.linalg.norm(w, axis=-1, keepdims=True) if w.ndim else w
    ),
    "its numbers sorted, the smallest first": lambda w: np.sort(w, -1) if w.ndim else w,
    "its numbers sorted, the largest first": lambda w: (
        -np.sort(-w, -1) if w.ndim else w
    ),
    "its running sum": lambda w: np.cumsum(w, -1) if w.ndim else w,
}


def _done(pairs: list[Pair], name: str) -> Said:
    """One step more than is asked."""
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    for what, f in DONE.items():
        if _in_all(pairs, lambda p, f=f: f(np.asarray(p[1], float))):
            return "one-step-too-many", (
                f"your {name} {be(name)} what was expected with one step more: {what}. "
                "Look at the last thing you do, and at what is asked."
            )
    return None


def _inverted(pairs: list[Pair], name: str) -> Said:
    if all(w.dtype.kind == "b" for _, w, _ in pairs) and _in_all(
        pairs, lambda p: ~p[1]
    ):
        return "inverted", (
            f"every entry of your {name} is inverted. Look at what True stands for."
        )
    return None


def _a_little_less(pairs: list[Pair], name: str) -> Said:
    """Every number nearer to 0 than expected, by little: something is added below."""
    if any(w.dtype.kind != "f" or not np.any(w) for _, w, _ in pairs):
        return None
    if not any(w.size > 2 for _, w, _ in pairs):
        return None
    most = 0.0
    for x, w, _ in pairs:
        x, w = x[np.abs(w) > 1e-3], w[np.abs(w) > 1e-3]
        less = 1 - x / w
        if not np.all((less > 0) & (less < 0.2)):
            return None
        most = max(most, float(less.max()))
    return "a-little-too-small", (
        f"every number of your {name} is a little nearer to 0 than expected, by up to "
        f"{most:.2g} of its size. Look for a small number that is added to what you "
        "divide by."
    )


LOOKS = (_inverted, _factor, _term, _done, _a_little_less)
