"""Questions about scores: their scale, a cap, and what they are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.model import rotate
from attncheck.scales import Fit, centered, fit_cap, fit_slope, log_weights, name_scale
from attncheck.subject import Refused

WRONG_ROLES = {
    "queries-keys-exchanged": "Queries and keys are exchanged: query i has the weights "
    "of key i.",
    "queries-as-keys": "Queries are used as keys.",
    "keys-as-queries": "Keys are used as queries.",
    "values-reversed": "The values are read in reversed order.",
    "values-shifted": "Each weight goes to the value beside its own.",
}


class Measured(NamedTuple):
    """Log weights and dot products, for the pairs that tell something."""

    logs: np.ndarray
    dots: np.ndarray
    kept: np.ndarray
    weights: np.ndarray
    query: np.ndarray
    key: np.ndarray


def measure(case: Case, q: np.ndarray, k: np.ndarray) -> Measured:
    """Return the log weights and dot products of some queries and keys."""
    w = case.probes.weights(q, k)[0]
    n, m = w.shape[-2:]
    if case.model.rotary is not None:
        q, k = _rotated(case, q, "q"), _rotated(case, k, "k")
    dots = (q @ k.swapaxes(-1, -2))[0]
    logs, kept = log_weights(w, case.smallest)
    kept = kept & case.allowed(n, m)
    logs = logs - case.bias(n, m, len(w))
    if case.by_query:
        logs, dots, kept = (x.swapaxes(-1, -2) for x in (logs, dots, kept))
    return Measured(logs, dots, kept, w, q[0], k[0])


def dots_of(case: Case, q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Return the products (n, m) of one head's queries and keys, as they are summed."""
    if case.model.rotary is not None:
        q, k = _rotated(case, q, "q"), _rotated(case, k, "k")
    dots = (q @ k.swapaxes(-1, -2))[0, 0]
    return np.asarray(dots.swapaxes(-1, -2) if case.by_query else dots)


def _rotated(case: Case, x: np.ndarray, role: str, back: bool = False) -> np.ndarray:
    """Rotate as the function does, or back; all columns, if it rotates all of them."""
    rotary = dict(case.model.rotary or {})
    if back:
        rotary["backwards"] = not rotary.get("backwards")
    if rotary["rotary_dim"] == case.d:
        rotary["rotary_dim"] = x.shape[-1]
    if rotary["rotary_dim"] > x.shape[-1]:
        raise Refused("fewer columns than are rotated")
    return rotate(x, rotary, role)


def ask_scale(case: Case) -> None:
    """Find the scale at several d_k and n_heads, so that it has a name."""
    found: dict[tuple[int, int], float] = {}
    if not (case.allowed(case.n, case.n).sum(-1) > 1).any():
        case.report.unexplained = case.report.unexplained or (
            "No query sees more than one key: its weights do not depend on scores."
        )
        case.hopeless = True
        return
    best = _slope_at(case, case.d, case.heads, name_roles=True)
    if best is None:
        return
    if abs(best.slope) < 1e-6:
        case.done, case.hopeless = "So there is no more to ask.", True
        words = "Its weights do not depend on queries and keys."
        case.report.add("scores-not-used", words)
        return
    found[case.d, case.heads] = best.slope
    case.report.details["left"] = best.left
    more = case.heads + 1
    for d, heads in ((32, more), (16, more), (32, case.heads), (case.d, more)):
        try:
            fit = _slope_at(case, d, heads)
        except Refused:
            continue
        if fit is not None:
            found[d, heads] = fit.slope
            break
    case.report.details["scales"] = {
        f"d_k {d}, {h} heads": a for (d, h), a in found.items()
    }
    _tell_scale(case, found)


def _tell_scale(case: Case, found: dict[tuple[int, int], float]) -> None:
    scale = next(iter(found.values()))
    name = name_scale(found, max(4e-3, case.subject.format.eps))
    case.report.facts["scale"], case.report.facts["scale_name"] = scale, name
    case.model = case.model.change(scale=scale)
    case.report.sentences.insert(
        0, f"Scores are query · key times {scale:.4g} at d_k = {case.d}: {name}."
    )


def _slope_at(case: Case, d: int, heads: int, name_roles: bool = False) -> Fit | None:
    """Find the slope of log weights against q · k, with smaller queries if need be."""
    probes = case.probes
    n, used = case.many, probes.d
    probes.d = d
    try:
        fits = [_try_size(case, d, heads, n, size) for size in _sizes(case, d)]
    finally:
        probes.d = used
    fits.sort(key=lambda pair: pair[0].left)
    best, measured = fits[0]
    if best.left < _loose(case):
        return best
    if name_roles:
        return _explain(case, measured)
    return None


def _sizes(case: Case, d: int) -> tuple[float, ...]:
    """Of the queries: scores of about √d, 1 and a little before they are scaled."""
    return (
        (1.0, d**-0.5, 0.2 * d**-0.5)
        if case.subject.format.bits > 11
        else (1.0, d**-0.5)
    )


def _try_size(
    case: Case, d: int, heads: int, n: int, size: float
) -> tuple[Fit, Measured]:
    draw = case.probes.draw
    q, k = draw(1, heads, n, d, size=size), draw(1, heads, n, d)
    found = measure(case, q, k)
    fit = fit_slope(found.logs, found.dots, found.kept)
    told = found.kept.sum() / max(case.allowed(n, n).sum() * heads, 1)
    return (fit if told > 0.3 else fit._replace(left=1.0)), found


def _loose(case: Case) -> float:
    return max(0.02, 10 * case.subject.format.eps)


def _explain(case: Case, found: Measured) -> Fit | None:
    """No multiple of q · k: capped, exchanged, shifted, a sigmoid, or not known."""
    logs, dots, kept, w, q, k = found
    turned = dots.swapaxes(-1, -2)
    others = {
        "queries-keys-exchanged": (logs, turned),
        "queries-as-keys": (logs, q @ q.swapaxes(-1, -2)),
        "keys-as-queries": (logs, k @ k.swapaxes(-1, -2)),
        "values-reversed": (logs, dots[..., ::-1]),
        "values-shifted": (logs, np.roll(dots, 1, -1)),
        "values-shifted ": (logs, np.roll(dots, -1, -1)),
    }
    for code, (y, x) in others.items():
        fit = fit_slope(y, x, kept)
        if fit.left < _loose(case):
            _blame(case, code)
            return fit
    capped = fit_cap(logs, dots, kept)
    if capped.left < _loose(case):
        return capped
    odds = np.log(w / np.maximum(1 - w, 1e-12))
    fit = fit_slope(odds, dots, kept & (w < 1))
    if fit.left < _loose(case):
        case.model = case.model.change(normalized="sigmoid")
        return fit
    case.report.unexplained = case.report.unexplained or (
        "Its weights are not the exponentials of multiples of query · key: "
        f"{min(capped.left, 1.0):.0%} of them is left over."
    )
    return None


def _blame(case: Case, code: str) -> None:
    roles = {"queries-as-keys": "qqv", "keys-as-queries": "kkv"}
    values = {"values-reversed": "reversed", "values-shifted": "one earlier"}
    later = {"values-shifted ": "one later"}
    case.model = case.model.change(
        values={**values, **later}.get(code, "as they are"),
        roles=roles.get(code, "qkv"),
        sees="queries" if code.startswith("queries") else "keys",
    )
    name = code.strip()
    case.report.add(name, WRONG_ROLES[name])


def ask_cap(case: Case) -> None:
    """Move the scores of whole rows far from 0: a cap makes differences smaller."""
    report, model = case.report, case.model
    report.facts["softcap"] = None
    scale = report.facts["scale"]
    plain = model.sees == "keys" and model.values == "as they are"
    plain = plain and model.roles == "qkv"
    if scale is None or not plain:
        return
    small, spans = max(3e-3, 12 * case.subject.format.eps), (40.0, 8.0, 2.0)
    for span in spans:  # a low cap leaves nothing to see far from 0
        found = _far(case, scale, span)
        fit = fit_slope(found.logs, found.dots, found.kept)
        if span == spans[0] and fit.left < small:
            return
        capped = fit_cap(found.logs, found.dots, found.kept)
        if capped.left < min(max(3 * small, 0.02), fit.left / 2):
            break
    else:
        if not _ask_clip(case, _far(case, scale, spans[0])):
            far = "Far from 0, at about 40, scores are less exact or bent."
            report.notes.append(far)
        return
    report.facts["softcap"] = float(f"{capped.cap or 0:.3g}")
    report.facts["scale"] = capped.slope
    name = name_scale({(case.d, case.heads): capped.slope}, 0.02)
    report.facts["scale_name"] = name
    case.model = model.change(softcap=capped.cap, scale=capped.slope)
    words = f"Scores are capped: c · tanh(score / c) with c = {capped.cap:.4g}."
    shown = (
        f"Scores are query · key times {capped.slope:.4g} at d_k = {case.d}: {name}."
    )
    report.sentences[:1] = [shown, words]


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
        q, k = _rotated(case, q, "q", back=True), _rotated(case, k, "k", back=True)
    return measure(case, case.subject.round(q), case.subject.round(k))
