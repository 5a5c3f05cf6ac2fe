"""The first questions: the same answer twice, and a mean of the values."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case


def ask_twice(case: Case) -> None:
    """Call it twice on ordinary numbers; look for NaN and for two answers."""
    probes, shape = case.probes, (1, case.heads, case.n, case.d)
    inputs = [probes.draw(*shape) for _ in range(3)]
    first = case.subject(*inputs)
    again = case.subject(*inputs)
    words = (
        "The same call gives two answers: something random, or left over from the "
        "call before, is in it."
    )
    if _differ(case, first, again, words):
        case.done = "What changes from call to call cannot be asked."
    same = np.array_equal(first, again, equal_nan=True)
    case.report.details["same_twice"] = same
    case.first_call = (inputs, first)
    lost = np.asarray(~np.isfinite(first).all((0, 1, 3)))
    if case.nothing and not np.nan_to_num(first).any():
        case.done, case.hopeless = "There is nothing to look into.", True
        code = "nan" if lost.all() else "nothing"
        case.report.add(code, "It gives nothing but 0 or NaN on ordinary numbers.")
    elif lost.all():
        case.report.add(
            "nan",
            "It gives NaN or infinity on ordinary numbers.",
            **{"rows": np.flatnonzero(lost), "of": len(lost)},
        )


def _differ(case: Case, first: np.ndarray, again: np.ndarray, words: str) -> bool:
    """Add the problem that two answers to one call differ by more than rounding."""
    gap = float(np.nanmax(np.abs(first - again), initial=0))
    size = float(np.nanmax(np.abs(first), initial=0)) or 1.0
    if gap <= 64 * case.subject.format.eps * size:
        return False
    numbers = {"they differ by up to": gap, "of numbers up to": size}
    case.report.add("not-the-same-twice", words, **numbers)
    return True


def ask_first_again(case: Case) -> None:
    """Repeat the first call at the end: nothing of other calls should be in it."""
    subject = case.subject  # (which may read axes otherwise since)
    read_otherwise = subject.swapped or subject.orders or subject.scrambled
    given = "layout_given" in case.report.details
    if case.first_call is None or read_otherwise or given:
        return
    inputs, first = case.first_call
    words = (
        "The first call, repeated after others, gives another answer: something "
        "is left over from calls in between."
    )
    if _differ(case, first, subject(*inputs), words):
        case.report.unexplained, case.hopeless = "What it computes changes.", True


def ask_roles(case: Case) -> None:
    """Ask whether the output is made of the values, and of the values alone."""
    probes, subject = case.probes, case.subject
    shape = (1, case.heads, case.n, case.d)
    q, k, v = (probes.draw(*shape) for _ in range(3))
    zero = np.zeros(shape)
    plain, without = subject(q, k, v), subject(q, k, zero)
    size = float(np.nanmax(np.abs(plain), initial=0)) or 1.0
    if np.nanmax(np.abs(without), initial=0) <= 1e-3 * size:
        return
    same = np.allclose(plain, without, atol=1e-3 * size, equal_nan=True)
    if not same and not np.abs(subject(q, zero, v)).max() > 1e-3 * size:
        subject.swapped = True
        case.report.add(
            "keys-values-exchanged",
            "Keys and values are exchanged: with keys of 0 the output is 0, with "
            "values of 0 it is not.",
            **{"output up to, with values of 0": float(np.abs(without).max())},
        )
        return
    words = "The values are not used" if same else "The output is no mean of the values"
    case.done = f"{words}, so its weights cannot be seen."
    case.report.add(
        "values-not-used" if same else "not-a-mean",
        f"{words}: with values of 0 the output is not 0.",
        **{"output up to, with values of 0": float(np.abs(without).max())},
    )
