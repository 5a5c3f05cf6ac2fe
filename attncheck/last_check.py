"""Compare it with a model made of the facts, on new numbers."""

from __future__ import annotations

import math

import numpy as np

from attncheck.case import Case
from attncheck.model import attend
from attncheck.subject import Refused

NEAR = 0.03  # of the largest number: far from what any wrong fact would do


def ask_all_at_once(case: Case) -> None:
    """Compare outputs for two sentences, several heads and unequal lengths."""
    if case.report.unexplained or case.report.facts["scale"] is None:
        return
    if case.report.facts["position"] == "other":
        return
    worst, sizes = 0.0, [(case.many, case.many)]
    if case.model.rotary is None:
        sizes.append((case.n, 4 * case.n))
    for n, m in sizes:
        try:
            found = _error(case, n, m)
        except Refused:
            continue
        worst = max(worst, found)
    bits = -math.log2(max(worst, 2.0**-52))
    case.report.details["bits"] = round(bits, 1)
    if worst > NEAR:
        case.report.unexplained = (
            "The facts above do not explain its numbers on new ones: off by "
            f"{worst:.2g} of the size of the output."
        )
        case.report.facts["scale"] = case.report.facts["scale_name"] = None
        return
    case.report.sentences.append(_words(case, bits))


def _error(case: Case, n: int, m: int) -> float:
    heads, d, draw = case.heads, case.d, case.probes.draw
    scale = abs(case.report.facts["scale"]) or 1.0
    size = min(1.0, 1 / (scale * d**0.5))
    q = draw(2, heads, n, d, size=size)
    k, v = draw(2, heads, m, d), draw(2, heads, m, d)
    output = case.subject(q, k, v)
    expected = attend(q, k, v, case.model)
    rows = expected.weights.any(-1) & np.isfinite(output).all(-1)
    if not rows.any():
        return 0.0
    spread = expected.weights @ np.abs(expected.value)
    off = np.abs(output - expected.output) / (spread + 1e-3 * spread.max())
    return float(off[rows].max())


def _words(case: Case, bits: float) -> str:
    have = case.subject.format.bits
    name = case.subject.format.name
    words = f"Its outputs agree with these facts to {bits:.0f} bits; {name} has {have}."
    if case.subject.format.name == "float32" and bits < 14:
        words += " Somewhere it computes in a narrower format."
    return words
