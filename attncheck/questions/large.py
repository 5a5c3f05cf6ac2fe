"""Scores of thousands, and scores far below 0."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import NORMALIZED, attend, band
from attncheck.questions.last_check import NEAR, deviation
from attncheck.subject import Refused

HIGH = 1e4  # a score
MANY = 8  # times as many tokens as a small probe has


def ask_large(case: Case) -> None:
    """Ask with scores of thousands, and with even scores far below 0."""
    report = case.report
    if "nan" in {problem.code for problem in report.problems}:
        return  # also where scores are ordinary
    report.facts["large_scores"] = "fine"
    half = case.subject.format.name == "float16"
    size = 48.0 if half else 60.0  # (query · key, before the scale, passes 65,504)
    n = _number(case)
    q, k = (case.probes.draw(1, case.heads, n, case.d, size=size) for _ in range(2))
    inside = np.asarray(band(n, n, case.model).any(-1))
    w = case.probes.weights(q, k)[0][:, inside]
    top = float(np.abs(q @ k.swapaxes(-1, -2)).max() * abs(report.facts["scale"] or 0))
    if not np.isfinite(w).all():
        report.facts["large_scores"], report.details["nan_at"] = "nan", top
        report.sentences.append(
            f"With random scores of up to {top:.4g} it gives NaN: the largest score of "
            "each row is not subtracted, or numbers overflow before that."
        )
        return
    bounded = case.model.product in NORMALIZED
    if top and not bounded:
        bent = any(note.startswith("Far from 0") for note in report.notes)
        bent |= case.model.squash == "clip"  # (larger ones weigh all the same)
        fine = "give finite numbers" if bent else "are fine"
        if _are_other(case, q, k, w, inside):
            fine = "give finite numbers, but other weights than these facts do"
            report.facts["large_scores"] = None
            report.details["other_weights_at"] = top
        report.sentences.append(f"{_begins(case, n)} scores of up to {top:.4g} {fine}.")
    known = report.facts["scale"] is not None and not report.unexplained
    known = known and not bounded
    if known and not half and case.model.rotary is None:
        _ask_hidden(case)
    by_keys = report.facts["normalized"] == "keys" or case.model.pad > 1
    if known and by_keys and case.model.rotary is None:
        _ask_low(case, -(2.0**14) if half else -(2.0**20))


def _number(case: Case) -> int:
    """Choose many tokens, if their small scores give what the facts do.

    A maximum may be that of the first keys alone.
    """
    told = case.report.facts["scale"] is not None and not case.report.unexplained
    for many in (MANY * case.n, 2 * case.n):
        try:
            off = deviation(case, b=1, heads=case.heads, n=many, m=many)
        except Refused:
            continue
        if not told or case.subject.format.bits <= 11 or off.max() <= NEAR:
            return many
    return case.n


def _begins(case: Case, n: int) -> str:
    """Say of random scores with how many tokens, if more do not follow the facts."""
    return f"With {n} tokens, random" if n < MANY * case.n else "Random"


def _are_other(
    case: Case, q: np.ndarray, k: np.ndarray, w: np.ndarray, inside: np.ndarray
) -> bool:
    """Say whether large scores give other weights than the facts do."""
    if case.report.unexplained or case.subject.format.bits <= 11:
        return False
    try:
        expected = attend(q, k, k, case.model).weights[0][:, inside]
    except ValueError:
        return False
    return bool((np.abs(w - expected) > 0.1).mean() > 1e-3)


def _ask_hidden(case: Case) -> None:
    """Give hidden keys scores far above those that are seen: they stay hidden."""
    inside = band(case.n, case.n, case.model)
    told = {"mask-leaks", "rows"} & {problem.code for problem in case.report.problems}
    if inside.all() or told or not case.report.facts["scale"]:
        return
    n, side = case.n, abs(HIGH / case.report.facts["scale"]) ** 0.5
    q, k = np.zeros((2, 2, case.heads, n, case.d))
    q[..., 0] = side
    k[0, ..., 0], k[1, ..., 0] = (x * np.linspace(-side, side, n) for x in (1, -1))
    w = case.probes.weights(q, k)
    hidden = np.broadcast_to(~inside & inside.any(-1, keepdims=True), w.shape)
    largest = float(np.nan_to_num(w[hidden]).max(initial=0.0))
    if largest > 0.01:
        case.report.details["hidden_at_large_scores"] = largest
        case.report.but.append(
            "keys that are hidden get a weight where their scores are "
            f"{2 * HIGH:,.0f} above those of the others: what hides them is a number, "
            "and not low enough for that"
        )


def _ask_low(case: Case, lowest: float) -> None:
    """Put all scores far below 0: a maximum that starts at −50,000 never moves.

    If rows are lost so, say from which score on, of powers of two.
    """
    sums = _sums(case, lowest)
    if np.allclose(sums, 1, atol=0.05):
        return
    scale, told = case.report.facts["scale"] or 1, case.report.sentences
    told[:] = [line for line in told if "andom scores of up to" not in line]
    if not np.allclose(_sums(case, -lowest), 1, atol=0.05):  # in both directions
        score = abs(lowest * scale)
        case.report.but.append(f"its numbers overflow at scores of {score:.4g}")
        return
    if not np.isfinite(sums).all():
        case.report.facts["large_scores"] = "nan"
    powers = range(3, round(np.log2(abs(lowest))))
    some = ((-(2.0**power), _sums(case, -(2.0**power))) for power in powers)
    lost = (one for one in some if not np.allclose(one[1], 1, atol=0.05))
    first, sums = next(lost, (lowest, sums))
    score = first * scale
    case.report.add(
        "low-scores-lost",
        f"When every score is {score:.4g}, or less, rows do not add up to 1. Perhaps "
        "numbers overflow or vanish, or a constant that stands for −∞, or the start of "
        "a running maximum, is not low enough.",
        **{"smallest sum": float(sums.min()), "score": score},
    )


def _sums(case: Case, dot: float) -> np.ndarray:
    """Return what the weights of each query add up to where every query · key is so.

    Where keys of 0 fill up blocks, so many tokens are taken that they fill some.
    """
    n, d = -(-case.n // case.model.pad) * case.model.pad, case.d
    q, k = np.zeros((2, 1, case.heads, n, d))
    q[..., 0] = 2.0 ** np.floor(np.log2(abs(dot)) / 2)
    k[..., 0] = dot / q[..., 0]
    w = case.probes.weights(q, k)[0, 0][band(n, n, case.model).any(-1)]
    return np.asarray(w.sum(-1))
