"""Detect numbers that are all off in the same way: by a factor, a term, or a bit."""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from named_mistakes.describe import be
from named_mistakes.exercise import Case
from named_mistakes.patterns.pair import Pair, Said, in_all, same

CONSTANTS = {
    "2": 2.0,
    "1/2": 0.5,
    "the logarithm of 2": math.log(2),
    "1 / the logarithm of 2": 1 / math.log(2),
    "1 / the logarithm of 10": 1 / math.log(10),
}
FEW_DIGITS = 2e-3  # a wrong formula is off by more, rounding to float32 by less


def inverted(pairs: list[Pair], name: str) -> Said:
    """Detect True and False swapped everywhere."""
    of_truth = all(p.w.dtype.kind == "b" for p in pairs)
    if of_truth and in_all(pairs, lambda p: ~p.w):
        return "inverted", (
            f"every entry of your {name} is inverted. Look at what True stands for."
        )
    return None


def factor(pairs: list[Pair], name: str) -> Said:
    """Detect a constant factor, or one made from a size of the inputs."""
    if any(w.dtype.kind == "b" or not np.any(w) for _, w, _ in pairs):
        return None
    factors = [float(np.sum(x * w) / np.sum(w * w)) for x, w, _ in pairs]
    if not all(same(p, p[1] * c) for p, c in zip(pairs, factors, strict=True)):
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
    """List the length of every axis, counted from the end, and every given number."""
    named: dict[str, float] = {}
    for name, x in case.inputs.items():
        if isinstance(x, int | float) and not isinstance(x, bool):
            named[name] = x
        for axis in range(1, np.ndim(x) + 1):
            named[f"the length of axis -{axis} of {name}"] = np.shape(x)[-axis]
    return named


def term(pairs: list[Pair], name: str) -> Said:
    """Detect a constant, or one of the inputs, added everywhere."""
    if any(w.dtype.kind == "b" for _, w, _ in pairs):
        return None
    off = [x - w for x, w, _ in pairs]
    several = max(d.size for d in off) > 1  # a lone number is always off by some term
    if several and all(
        same(p, p[1] + d.flat[0]) for p, d in zip(pairs, off, strict=True)
    ):
        return "off-by-a-term", (
            f"every number of your {name} is off by {off[0].flat[0]:.4g}, the same "
            "everywhere. Look for something that is added or subtracted once too often."
        )
    for given in pairs[0][2].case.inputs:
        for sign, word in ((1, "more"), (-1, "less")):
            if in_all(pairs, partial(_with_input, given, sign)):
                look = "added" if sign > 0 else "left out or subtracted"
                return "off-by-a-term", (
                    f"your {name} {be(name)} what was expected, {word} {given}. "
                    f"Look at where {given} is {look}."
                )
    return None


def _with_input(name: str, sign: int, pair: Pair) -> np.ndarray:
    """Add or subtract an input; NaN if it is not an array of floats."""
    given = pair.judged.case.inputs[name]
    usable = getattr(given, "dtype", np.dtype(object)).kind == "f"
    return pair.w + sign * given if usable else np.full(np.shape(pair.w), np.nan)


def a_little_less(pairs: list[Pair], name: str) -> Said:
    """Detect numbers slightly too near to 0, as if something is added to a divisor."""
    if any(w.dtype.kind != "f" or not np.any(w) for _, w, _ in pairs):
        return None
    if not any(w.size > 2 for _, w, _ in pairs):
        return None
    far = [(x[np.abs(w) > 1e-3], w[np.abs(w) > 1e-3]) for x, w, _ in pairs]
    less = np.concatenate([1 - x / w for x, w in far])
    if not less.size or not np.all((less > 0) & (less < 0.2)):
        return None
    return "a-little-too-small", (
        f"every number of your {name} is a little nearer to 0 than expected, by up to "
        f"{less.max():.2g} of its size. Look for a small number that is added, most "
        "often to what you divide by."
    )


def a_little_off(pairs: list[Pair], name: str) -> Said:
    """Detect numbers that are right to only a few digits."""
    if any(w.dtype.kind != "f" or not np.any(w) for _, w, _ in pairs):
        return None
    off = [np.max(np.abs(x - w)) / np.max(np.abs(w)) for x, w, _ in pairs]
    if max(off) > FEW_DIGITS or all(w.size < 3 for _, w, _ in pairs):
        return None
    return "few-digits", (
        f"every number of your {name} is nearly right: it is off by at most "
        f"{max(off):.1g} of the largest. Look for what costs digits: float16, a number "
        "that is rounded, a step that is too long."
    )
