"""Signs of weights too small to be stored: their logarithm is −∞, or a floor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.mistakes.overflow_and_masked_rows import stopped_by_size
from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise
from named_mistakes.report import Finding

# What math.log says of 0, in older and in newer Pythons.
OF_ZERO = ("math domain error", "expected a positive input")


def log_of_zero(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell −∞, or a crash, where a weight is too small to be stored."""
    ordinary = [j for j in judged if not j.case.is_large and j.got is not None]
    for one in judged:
        what = _lost(one) if one.case.is_large and ordinary else ""
        if what:
            yield Finding(
                "log-of-zero",
                f"For {one.case.described()}, finite but large, your function gives "
                f"{what}. A weight far below 5e-324 is stored as 0, and its logarithm "
                "is −∞: look at what reaches the logarithm.",
                about="large",
                explains=stopped_by_size(judged),
            )


def _lost(one: Judged) -> str:
    """Say what became of small weights, where the largest of each row came out."""
    said = one.outcome.note.partition(" (line ")[0]  # a logarithm may stand in the line
    if one.outcome.error is ValueError and any(words in said for words in OF_ZERO):
        return "a ValueError"
    if not one.fits:
        return ""
    finite, gone = np.isfinite(one.got[0]), one.got[0] == -np.inf
    if gone.any() and finite.any(axis=-1).all():
        return f"−∞ in {gone.sum()} of {gone.size} places"
    return ""


def floor(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """Tell one and the same number wherever logarithms far below it are expected."""
    if not all(_nearly_right(j) for j in judged if not j.case.is_large):
        return
    for one in judged:
        if not one.case.is_large or not one.fits:
            continue
        far = one.wanted[0] < -1000  # no weight so small can be stored
        low = one.got[0][far]
        if np.isfinite(low).all() and np.ptp(low) == 0:
            code, meaning = _what_stands_there(low[0])
            yield Finding(
                code,
                f"For {one.case.described()}, finite but large, {low.size} numbers "
                f"expected at {one.wanted[0][far].max():.0f} and below all come back "
                f"as {low[0]:.4g}. {meaning}",
                about="large",
            )


def _nearly_right(one: Judged) -> bool:
    return one.fits and bool(np.allclose(one.got[0], one.wanted[0], atol=0.1))


def _what_stands_there(low: float) -> tuple[str, str]:
    if low < -745:  # the logarithm of the smallest number there is
        return "log-of-zero", (
            "It stands in for −∞, the logarithm of a weight that is stored as 0: look "
            "at what reaches the logarithm."
        )
    return "floor-under-logarithm", (
        "That is the logarithm of a floor under the weights: look for the small number "
        "that keeps them above 0."
    )
