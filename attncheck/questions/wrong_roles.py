"""Scores that are no multiple of q · k: exchanged, shifted, capped, a sigmoid."""

from __future__ import annotations

import numpy as np

from attncheck.case import Case
from attncheck.model import normalized
from attncheck.questions.measure import Measured
from attncheck.scales import Fit, centered, fit_cap, fit_slope

WRONG_ROLES = {
    "queries-keys-exchanged": "Queries and keys are exchanged: query i has the weights "
    "of key i.",
    "queries-as-keys": "Queries are used as keys.",
    "keys-as-queries": "Keys are used as queries.",
    "values-reversed": "The values are read in reversed order.",
    "values-shifted": "Each weight goes to the value beside its own.",
}


def loose(case: Case) -> float:
    """Return the share of the log weights that may be left over."""
    return max(0.02, 10 * case.subject.format.eps)


def explain_otherwise(case: Case, found: Measured) -> Fit | None:
    """No multiple of q · k: capped, exchanged, shifted, a sigmoid, or not known."""
    logs, dots, kept, _, q, k = found
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
        if fit.left < loose(case):
            _blame(case, code)
            return fit
    unit = [normalized(x, "cosine") for x in (q, k)]
    cosines = fit_slope(logs, unit[0] @ unit[1].swapaxes(-1, -2), kept)
    if cosines.left < loose(case):
        case.model = case.model.change(product="cosine")
        return cosines
    some = _some_columns(case, found)
    if some is not None:
        return some
    capped = fit_cap(logs, dots, kept)
    if capped.left < loose(case):
        return capped
    fit = fit_odds(found)
    if fit.left < loose(case):
        case.model = case.model.change(normalized="sigmoid")
        return fit
    if _are_left_over(case, q, k):
        return None
    case.report.unexplained = case.report.unexplained or (
        f"With {logs.shape[-2]} queries and {logs.shape[-1]} keys its weights are not "
        "the exponentials of one multiple of query · key: "
        f"{min(capped.left, 1.0):.0%} of their logarithms is left over."
    )
    return None


def fit_odds(found: Measured) -> Fit:
    """Find how much of the products is in log(w / (1 − w)): all, if w is a sigmoid."""
    odds = np.log(found.weights / np.maximum(1 - found.weights, 1e-12))
    return fit_slope(odds, found.dots, found.kept & (found.weights < 1))


def _are_left_over(case: Case, q: np.ndarray, k: np.ndarray) -> bool:
    """Say whether other keys, or other queries, change nothing: a call before did."""
    weights, q, k = case.probes.weights, q[None], k[None]
    before = weights(q, k)
    for name, other in (("keys", (q, -k)), ("queries", (-q, k))):
        if np.array_equal(weights(*other), before, equal_nan=True):
            words = (
                f"With other {name} its weights stay the same, and they are not even"
            )
            case.report.add(
                f"{name}-left-over", f"{words}: {name} of an earlier call are in it."
            )
            case.done, case.hopeless = "So there is no more to ask.", True
            return True
    return False


def _some_columns(case: Case, found: Measured) -> Fit | None:
    """Find out, column by column, how much each counts; some may not count at all."""
    products = found.query[0, :, None, :] * found.key[0, None, :, :]
    kept, d = found.kept[0], products.shape[-1]
    if case.by_query or case.model.rotary is not None or kept.sum() < 4 * d:
        return None
    x = np.stack([centered(products[..., c], kept)[kept] for c in range(d)], -1)
    counts = np.linalg.lstsq(x, centered(found.logs[0], kept)[kept], rcond=None)[0]
    used = np.flatnonzero(np.abs(counts) > 0.1 * np.abs(counts).max())
    if len(used) in (0, d) or len(used) != np.ptp(used) + 1:
        return None
    first, end = int(used[0]), int(used[-1]) + 1
    q, k = found.query[..., first:end], found.key[..., first:end]
    fit = fit_slope(found.logs, q @ k.swapaxes(-1, -2), found.kept)
    if fit.left > loose(case):
        return None
    case.model = case.model.change(columns=(first, end))
    words = f"Only columns {first} to {end - 1} of {d} are multiplied for the scores."
    case.report.add("columns-not-used", words, used=end - first, of=d)
    return fit


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
