"""Whether scores far from 0 are bent: a cap, and how they are clipped."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import SCALES
from attncheck.questions.last_check import NEAR, deviation, surely_near
from attncheck.questions.measure import Measured, measure, rotated
from attncheck.questions.scale import ODD
from attncheck.scales import Fit, centered, fit_cap, fit_slope, name_scale
from attncheck.subject import Refused

SPANS = (40.0, 8.0, 2.0, 0.5)  # (a low cap leaves nothing to see far from 0)
ROUNDED = 0.02  # what a cap may be wrong by in a narrow format


def ask_cap(case: Case) -> None:
    """Move the scores of whole rows far from 0: a cap makes differences smaller."""
    report, model = case.report, case.model
    report.facts["softcap"] = None
    scale = report.facts["scale"]
    plain = model.sees == "keys" and model.values == "as they are"
    plain = plain and model.roles == "qkv" and model.product == "dot"
    if scale is None or not plain or model.normalized == "sigmoid":
        return
    small = max(3e-3, 12 * case.subject.format.eps)
    found = _far(case, scale, SPANS[0])
    if fit_slope(found.logs, found.dots, found.kept).left < small:
        return
    fits = [fit for span in SPANS if (fit := _fit_at(case, scale, span, small))]
    if not fits:
        clipped = any(_ask_clip(case, _far(case, scale, span)) for span in SPANS[:3])
        if not clipped and model.columns is None:  # else it is the columns left out
            far = "Far from 0, at about 40, weights are not those of the scores."
            report.notes.append(far)
        return
    capped = min(fits, key=lambda fit: fit.left)
    capped = capped._replace(cap=_rounded(case, capped.cap or 0.0))
    report.facts["softcap"] = float(f"{capped.cap or 0:.3g}")
    report.facts["scale"] = capped.slope
    case.model = model.change(softcap=capped.cap, scale=capped.slope)
    name = _name_under(case, capped)
    report.facts["scale_name"] = name
    words = f"Scores are capped: c · tanh(score / c) with c = {capped.cap:.4g}"
    if name not in SCALES and not name.endswith("whatever d_k is"):
        report.details["cap_at"] = f" at d_k = {case.d}"  # its order cannot be asked
    words += f"{report.details.get('cap_at', '')}."
    shown = (
        f"Scores are query · key times {capped.slope:.4g} at d_k = {case.d}: {name}."
    )
    report.sentences[:1] = [shown, words]
    if _is_flat_beyond(case, capped.cap or 0.0):
        ask_order(case)
        return
    report.facts["softcap"] = None
    seen = f"scores bend as under a cap of {capped.cap:.3g}"
    seen = f"{seen}, but still differ far beyond"
    report.details["cap_seen"] = seen
    report.sentences[1] = f"{seen[:1].upper()}{seen[1:]}: it is no tanh."
    report.but.append(seen)


def _is_flat_beyond(case: Case, cap: float) -> bool:
    """Say whether scores far beyond the cap weigh the same, as tanh makes them."""
    scale = case.report.facts["scale"] or 1.0
    found = _far(case, scale, 40 * cap, apart=cap)
    scores = scale * found.dots
    beyond = np.abs(np.where(found.kept, scores, np.inf)).min(-1) > 8 * cap
    spread = np.ptp(np.where(found.kept, centered(found.logs, found.kept), 0), axis=-1)
    return bool(not beyond.any() or np.median(spread[beyond]) < 0.05)


def _fit_at(case: Case, scale: float, span: float, small: float) -> Fit | None:
    """Fit a cap to scores up to that span; None where it explains too little."""
    found = _far(case, scale, span)
    fit = fit_slope(found.logs, found.dots, found.kept)
    capped = fit_cap(found.logs, found.dots, found.kept, case.subject.format.eps)
    bends = (capped.cap or 0.0) < 10 * span  # else a cap explains nothing here
    left = case.report.details.get("left", 0.0)  # of small scores: it is as exact
    near = min(max(3 * small, 0.02), fit.left / 2, max(4e-3, 10 * left))
    return capped if bends and capped.left < near else None


def ask_order(case: Case) -> None:
    """Ask whether the cap comes before the scale: at fewer columns it is another."""
    report, cap = case.report, case.model.softcap
    name = report.facts["scale_name"]
    if name not in SCALES or cap is None or case.model.rotary is not None:
        return
    off = _off_with_columns(case, name, cap, case.d // 2)
    if off is None or off[1] > NEAR or 5 * off[1] > off[0]:
        return
    cap = float(f"{cap / SCALES[name](case.d, case.heads):.3g}")
    report.facts["softcap"], report.details["cap_before_scale"] = cap, True
    report.sentences[1] = (
        "Scores are capped before they are scaled: scale · c · tanh(query · key / c) "
        f"with c = {cap:.4g}."
    )


def _off_with_columns(
    case: Case, name: str, cap: float, d: int
) -> tuple[float, float] | None:
    """Return by how much d columns are off: capped when scaled, or before that."""
    model, rule = case.model, SCALES[name]
    here, there = rule(case.d, case.heads), rule(d, case.heads)
    off = []
    for cap_there in (cap, cap * there / here):
        fill = model.fill  # which the cap makes of −∞, where a mask comes before it
        fill = -cap_there if abs(fill / cap + 1) < 0.01 else fill
        case.model = model.change(softcap=cap_there, scale=there, fill=fill)
        try:
            found = deviation(case, b=1, heads=case.heads, n=case.n, m=case.n, d=d)
        except Refused:
            return None
        finally:
            case.model = model
        off.append(float(found.max()))
    return off[0], off[1]


def _name_under(case: Case, capped: Fit) -> str:
    """Name the scale under a cap: as exactly as it was found, and with other columns.

    A low cap bends what was measured with those.
    """
    near = max(2e-3, case.subject.format.eps)
    for name, rule in SCALES.items():
        if abs(rule(case.d, case.heads) / capped.slope - 1) > near:
            continue
        if case.model.rotary is not None:
            break  # (columns without a partner are not rotated)
        asked = (case.d // 2, *ODD)
        found = [_off_with_columns(case, name, capped.cap or 0.0, d) for d in asked]
        told = [min(off) for off in found if off is not None]
        if told and max(told) <= surely_near(case):
            return name
    slopes = _elsewhere(case, capped) or {(case.d, case.heads): capped.slope}
    return name_scale(slopes, 0.02, max(6e-3, case.subject.format.eps))


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
    inside = np.abs(np.where(found.kept, scores, np.inf))[rows].min(-1)
    least, moving = float(inside.min()), ~rows  # what stays the same is beyond the cap

    def left(c: float) -> float:
        clipped = centered(scores.clip(-c, c), found.kept)
        return float(np.abs(y - clipped)[moving].max())

    cap, ratio = 0.55 * least, 1.015
    for _ in range(3):
        cap = min(cap * ratio ** np.linspace(-41, 41, 83), key=left)
        ratio **= 1 / 30
    cap = float(cap)
    if left(cap) > 0.05 or not _all_beyond_are_even(case, cap):
        return False
    case.model = case.model.change(softcap=cap, squash="clip")
    case.report.add(
        "scores-clipped",
        f"Scores are clipped at about {cap:.3g}: all beyond it weigh the same.",
        **{"clipped at": cap},
    )
    return True


def _all_beyond_are_even(case: Case, cap: float) -> bool:
    """Say whether scores far beyond the cap weigh the same, however they differ.

    In a narrow format, small differences between large scores are rounded away too.
    """
    found = _far(case, case.report.facts["scale"] or 1.0, 4 * cap, apart=cap)
    scores = (case.report.facts["scale"] or 1.0) * found.dots
    beyond = np.abs(np.where(found.kept, scores, np.inf)).min(-1) > 1.5 * cap
    spread = np.ptp(np.where(found.kept, centered(found.logs, found.kept), 0), axis=-1)
    return bool(beyond.any() and spread[beyond].max() < 0.05)


def _far(case: Case, scale: float, span: float, apart: float | None = None) -> Measured:
    """Measure rows whose scaled scores are around −span … span, and differ a little."""
    n, d = case.many, case.d
    few = {"bfloat16": 3.0, "float16": 2.0}.get(case.subject.format.name, 1.0)
    apart = apart or few
    draw, size = case.probes.draw, apart / (abs(scale) * (d - 1) ** 0.5)
    h = case.heads
    q, k = draw(1, h, n, d, size=size), draw(1, h, n, d)
    k[..., 0] = 8.0
    q[..., 0] = np.linspace(-span, span, n) / (8.0 * scale)
    if case.model.rotary is not None:  # what it rotates comes out as it was meant
        q, k = rotated(case, q, "q", back=True), rotated(case, k, "k", back=True)
    return measure(case, case.subject.round(q), case.subject.round(k))
