"""What query · key is multiplied by."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.model import NORMALIZED, SCALES
from attncheck.questions.measure import Measured, measure
from attncheck.questions.wrong_roles import explain_otherwise, fit_odds, loose
from attncheck.scales import Fit, fit_slope, name_scale, short
from attncheck.subject import Refused

ODD = (77, 78, 76, 72)  # some take even numbers, or multiples of 8, alone
WORDS = {
    "rms": "queries and keys are normalized before they are multiplied (QK-norm)",
    "cosine": "its scores are made of the cosines of queries and keys",
}


def ask_scale(case: Case) -> None:
    """Find the scale at several d_k and n_heads, so that it has a name."""
    found = case.scales
    if not (case.allowed(case.n, case.n).sum(-1) > 1).any():
        case.report.unexplained = case.report.unexplained or (
            "No query sees more than one key, so its weights tell nothing of scores."
        )
        case.hopeless = True
        return
    best = _slope_at(case, case.d, case.heads, name_roles=True)
    if best is None:
        return
    if case.model.product in NORMALIZED:  # (small queries would show what eps adds)
        best = _slope_at(case, case.d, case.heads) or best
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
    _ask_odd_columns(case)
    case.report.details["scales"] = {
        f"d_k {d}, {h} heads": short(a) for (d, h), a in found.items()
    }
    _tell_scale(case, found)


def _ask_odd_columns(case: Case) -> None:
    """Find the scale at another number of columns than a power of two."""
    for d in ODD:
        if d % 2 and case.model.rotary is not None:
            continue  # a column without a partner: what it gets is not fixed
        try:
            fit = _slope_at(case, d, case.heads)
        except Refused:
            continue
        if fit is not None:
            case.scales[d, case.heads] = fit.slope
        return


def _tell_scale(case: Case, found: dict[tuple[int, int], float]) -> None:
    near, what = _nearness(case), "query · key"
    if case.model.product == "cosine":
        by_rms = {size: slope / size[0] for size, slope in found.items()}
        if name_scale(by_rms, near) in ("1/√d_k", "1 (none)"):
            case.model = case.model.change(product="rms")
            found.update(by_rms)
        rms = case.model.product == "rms"
        case.report.details["product"] = "rms" if rms else "cosine"
        case.report.but.append(WORDS["rms" if rms else "cosine"])
        what = (
            f"{what}, both of root mean square 1,"
            if rms
            else "cosines of query and key"
        )
    scale, name = next(iter(found.values())), name_scale(found, near)
    case.report.facts["scale"], case.report.facts["scale_name"] = scale, name
    case.model = case.model.change(scale=scale)
    exact = SCALES[name](case.d, case.heads) if name in SCALES else short(scale)
    case.report.sentences.insert(
        0, f"Scores are {what} times {exact:.4g} at d_k = {case.d}: {name}."
    )


def _nearness(case: Case) -> float:
    """Return by how much a scale may miss the number that a name stands for.

    Where the scores are known to many digits, it is too.
    """
    exact = case.subject.format.bits >= 24 and case.report.details["left"] < 5e-5
    return 1e-3 if exact else max(4e-3, case.subject.format.eps)


def _slope_at(case: Case, d: int, heads: int, name_roles: bool = False) -> Fit | None:
    """Find the slope of log weights against q · k, with smaller queries if need be."""
    probes = case.probes
    n, used = case.many, probes.d
    probes.d = d
    try:
        fits = [_try_size(case, d, heads, n, size) for size in _sizes(case, d)]
    finally:
        probes.d = used
    if name_roles and _are_sigmoids(case, *fits[0]):
        case.model = case.model.change(normalized="sigmoid")
        return fit_odds(fits[0][1])
    fits.sort(key=lambda pair: pair[0].left)
    best, measured = fits[0]
    if best.left < loose(case):
        return best
    if name_roles:
        return explain_otherwise(case, measured)
    return None


def _are_sigmoids(case: Case, fit: Fit, found: Measured) -> bool:
    """Say whether the odds of the weights explain the products far better.

    Small sigmoids are nearly exponentials: only large scores tell them apart.
    """
    left = fit_odds(found).left
    return left < loose(case) and left < 0.1 * fit.left and fit.left > 1e-3


def _sizes(case: Case, d: int) -> tuple[float, ...]:
    """Of the queries: scores of about √d, 1 and a little before they are scaled."""
    if case.model.product in NORMALIZED:
        return (1.0,)
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
    sigmoid = case.model.normalized == "sigmoid"
    fit = fit_odds(found) if sigmoid else fit_slope(found.logs, found.dots, found.kept)
    told = found.kept.sum() / max(case.allowed(n, n).sum() * heads, 1)
    return (fit if told > 0.3 else fit._replace(left=1.0)), found
