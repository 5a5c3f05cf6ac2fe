"""Whether scores far from 0 are bent: a cap, and how they are clipped."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.questions.measure import Measured, measure, rotated
from attncheck.scales import Fit, centered, fit_cap, fit_slope, name_scale

ROUNDED = 0.02  # what a cap may be wrong by in a narrow format


def ask_cap(case: Case) -> None:
    """Move the scores of whole rows far from 0: a cap makes differences smaller."""
    report, model = case.report, case.model
    report.facts["softcap"] = None
    scale = report.facts["scale"]
    plain = model.sees == "keys" and model.values == "as they are"
    plain = plain and model.roles == "qkv" and model.product == "dot"
    if scale is None or not plain:
        return
    small, spans = max(3e-3, 12 * case.subject.format.eps), (40.0, 8.0, 2.0)
    for span in spans:  # a low cap leaves nothing to see far from 0
        found = _far(case, scale, span)
        fit = fit_slope(found.logs, found.dots, found.kept)
        if span == spans[0] and fit.left < small:
            return
        capped = fit_cap(found.logs, found.dots, found.kept, case.subject.format.eps)
        if capped.left < min(max(3 * small, 0.02), fit.left / 2):
            break
    else:
        clipped = _ask_clip(case, _far(case, scale, spans[0]))
        if not clipped and model.columns is None:  # else it is the columns left out
            far = "Far from 0, at about 40, weights are not those of the scores."
            report.notes.append(far)
        return
    capped = capped._replace(cap=_rounded(case, capped.cap or 0.0))
    report.facts["softcap"] = float(f"{capped.cap or 0:.3g}")
    report.facts["scale"] = capped.slope
    slopes = _elsewhere(case, capped) or {(case.d, case.heads): capped.slope}
    name = name_scale(slopes, 0.02)
    report.facts["scale_name"] = name
    case.model = model.change(softcap=capped.cap, scale=capped.slope)
    words = f"Scores are capped: c · tanh(score / c) with c = {capped.cap:.4g}."
    shown = (
        f"Scores are query · key times {capped.slope:.4g} at d_k = {case.d}: {name}."
    )
    report.sentences[:1] = [shown, words]


def _elsewhere(case: Case, capped: Fit) -> dict[tuple[int, int], float]:
    """Return the scale under that cap at each d_k that was asked: they name it.

    Scores are small there, and were read as if there were no cap.
    """
    here = case.scales.get((case.d, case.heads))
    if not here:
        return {}
    return {size: capped.slope * slope / here for size, slope in case.scales.items()}


def _rounded(case: Case, cap: float) -> float:
    """Round a cap to one digit, if in a narrow format it cannot be told from that."""
    short = float(f"{cap:.1g}")
    coarse = case.subject.format.bits <= 11
    return short if coarse and abs(short / cap - 1) < ROUNDED else cap


def _ask_clip(case: Case, found: Measured) -> bool:
    """Find the size from which on scores stay the same."""
    scores = (case.report.facts["scale"] or 1.0) * found.dots
    y = centered(found.logs, found.kept)
    rows = np.ptp(np.where(found.kept, y, 0), axis=-1) < 1e-3
    if not rows.any() or rows.all():
        return False
    least = float(np.abs(scores[rows]).max(-1).min())
    moving = ~rows
    caps = np.geomspace(0.5 * least, 1.02 * least, 400)
    left = [
        float(np.abs(y - centered(scores.clip(-c, c), found.kept))[moving].max())
        for c in caps
    ]
    cap = float(caps[int(np.argmin(left))])
    if min(left) > 0.05:
        return False
    case.model = case.model.change(softcap=cap, squash="clip")
    case.report.add(
        "scores-clipped",
        f"Scores are clipped at about {cap:.2g}: all beyond it weigh the same.",
        **{"clipped at": cap},
    )
    return True


def _far(case: Case, scale: float, span: float) -> Measured:
    """Measure rows whose scaled scores are around −span … span, and differ a little."""
    n, d = case.many, case.d
    apart = {"bfloat16": 3.0, "float16": 2.0}.get(case.subject.format.name, 1.0)
    draw, size = case.probes.draw, apart / (abs(scale) * (d - 1) ** 0.5)
    h = case.heads
    q, k = draw(1, h, n, d, size=size), draw(1, h, n, d)
    k[..., 0] = 8.0
    q[..., 0] = np.linspace(-span, span, n) / (8.0 * scale)
    if case.model.rotary is not None:  # what it rotates comes out as it was meant
        q, k = rotated(case, q, "q", back=True), rotated(case, k, "k", back=True)
    return measure(case, case.subject.round(q), case.subject.round(k))
