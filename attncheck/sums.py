"""What weights add up to: over the keys, the queries, not at all, or with a sink."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from attncheck.case import Case
from attncheck.model import attend
from attncheck.subject import Refused


class Sums(NamedTuple):
    """Weights that were seen, and exp(score) of the same pairs; 0 where hidden."""

    weights: np.ndarray
    exps: np.ndarray
    all_exps: np.ndarray  # of hidden pairs too
    rows: np.ndarray  # the rows that see something


def ask_sums(case: Case) -> None:
    """Compare weights with exp(score), and find what they were divided by."""
    facts = case.report.facts
    found = _measure(case)
    near = 5 * case.tolerance
    sums = found.weights.sum(-1)[found.rows]
    if not sums.size:
        return
    if case.model.normalized == "sigmoid":
        _tell(
            case, "no", "Weights are sigmoids of the scores: no row adds up to 1.", sums
        )
        facts["mask"] = None
        return
    eps = case.subject.format.eps
    if _padded(case):
        return
    if np.allclose(sums, 1, atol=max(0.012, 2.5 * eps)) and (
        abs(sums.mean() - 1) < max(4e-3, eps)
    ):
        facts["normalized"] = "keys"
        case.report.sentences.append("The weights of each query add up to 1.")
        return
    if case.by_query:
        case.model = case.model.change(normalized="queries")
        words = "Softmax runs over the queries: the weights of each key add up to 1."
        _tell(case, "queries", words, sums)
        return
    if facts["scale"] is None:
        _tell(case, "no", "The weights of a query do not add up to 1.", sums)
        return
    for explain in (_exps, _masked_after, _other_axes, _sink, _shifted):
        if explain(case, found, sums, near):
            return
    _tell(case, "no", "The weights of a query do not add up to 1.", sums)
    case.report.unexplained = case.report.unexplained or (
        "What its weights are divided by is none of the sums that I know."
    )
    if case.report.details.get("left", 0) > max(1e-3, 10 * eps):
        facts["scale"] = facts["scale_name"] = None


def _padded(case: Case) -> bool:
    """With even scores, see whether sums lack what keys of 0 would take."""
    if case.model.lost is not None or case.model.slopes is not None or case.by_query:
        return False
    lacking: dict[int, float] = {}
    for n in (case.n + 1, case.n + 5, case.n + 12):
        try:
            seen = case.allowed(n, n).sum(-1)
            total = case.probes.even(n, n, case.heads)[0].sum(-1)
        except Refused:
            return False
        row = int(seen.argmax())
        lacking[n] = float(seen[row] / total[row] - seen[row]) if total[row] else 0.0
        if abs(lacking[n]) < 0.5:
            break
    blocks = (4, 8, 16, 32, 64, 128)
    near = 0.05 + 8 * case.subject.format.eps * (case.n + 12)
    if len(lacking) < 3 or len({round(x) for x in lacking.values()}) == 1:
        return False
    for block in blocks:
        if all(abs(x - (-n % block)) < near for n, x in lacking.items()):
            return _tell_padding(case, block, lacking)
    return False


def _tell_padding(case: Case, block: int, lacking: dict[int, float]) -> bool:
    case.model = case.model.change(pad=block)
    case.report.facts["normalized"] = "no"
    case.report.add(
        "padding",
        f"Keys of 0 that fill a block of {block} take part in the softmax: the weights "
        "of a query add up to less than 1.",
        **{f"keys too many, of {n}": x for n, x in lacking.items()},
    )
    return True


def _measure(case: Case) -> Sums:
    n, d = case.many, case.d
    scale = case.report.facts["scale"] or d**-0.5
    size = min(1.0, 1 / (abs(scale) * d**0.5 + 1e-9))
    q = case.probes.draw(1, case.heads, n, d, size=size)
    k = case.probes.draw(1, case.heads, n, d)
    weights = case.probes.weights(q, k)[0]
    plain = case.model.change(normalized="keys", sink=None, window=(None, None))
    scores = attend(q, k, k, plain.change(masked="before")).scores[0]
    allowed = np.broadcast_to(case.allowed(n, n), scores.shape)
    exps = np.exp(scores)
    rows = allowed.any(-1) & np.isfinite(weights).all(-1)
    return Sums(weights, np.where(allowed, exps, 0), exps, rows)


def _tell(case: Case, normalized: str, words: str, sums: np.ndarray) -> None:
    """Rows that do not add up are wrong, whatever was meant, unless it says so."""
    case.report.facts["normalized"] = normalized
    case.report.sentences.append(words)
    numbers = {"smallest sum": float(sums.min()), "largest": float(sums.max())}
    case.report.add("rows", words, **numbers)


def _ratio(found: Sums) -> np.ndarray:
    """Return weights / exp(score), a number for each row; NaN for empty rows."""
    kept = (found.exps > 0) & found.rows[..., None]
    ratio = np.where(kept, found.weights / np.where(kept, found.exps, 1), np.nan)
    return np.asarray(np.nanmedian(ratio[found.rows], axis=-1))


def _exps(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    ratio, top = _ratio(found), found.exps.max(-1)[found.rows]
    plain = np.allclose(ratio, 1, atol=2 * near)
    if not plain and not np.allclose(ratio * top, 1, atol=2 * near):
        return False
    name = "no" if plain else "no, less the largest"
    case.model = case.model.change(normalized=name)
    case.report.details["weights_are"] = "exp(score), divided by nothing"
    _tell(
        case, "no", "Weights are not normalized: exp(score), divided by no sum.", sums
    )
    return True


def _masked_after(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    total = found.all_exps.sum(-1)[found.rows]
    hidden = (found.exps == 0).any()
    if not hidden or not np.allclose(_ratio(found) * total, 1, atol=2 * near):
        return False
    case.model = case.model.change(masked="after")
    case.report.facts["mask"] = "multiplied after"
    _tell(
        case,
        "no",
        "The mask is multiplied onto the weights after the softmax: rows with hidden "
        "keys add up to less than 1.",
        sums,
    )
    return True


def _other_axes(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    w = found.weights
    words = {
        "heads": (w.sum(0)[found.rows.all(0)], "the heads"),
        "all": (w.sum((-2, -1)), "all pairs of queries and keys"),
    }
    for name, (total, over) in words.items():
        if total.size and np.allclose(total[total > 0], 1, atol=near) and total.any():
            if name == "heads" and case.heads < 2:
                continue
            case.model = case.model.change(normalized=name)
            case.report.details["normalized_over"] = over
            _tell(case, "no", f"Softmax runs over {over}, rather than the keys.", sums)
            return True
    return False


def _sink(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Find sinks: 1 / ratio is the sum of exp(score), and exp(a logit) more."""
    extra = _extra(found)
    spread = 4 * case.subject.format.eps * float(found.exps.sum(-1).max())
    logits = []
    for head in range(case.heads):
        more = extra[head][np.isfinite(extra[head])]
        if (
            not more.size
            or more.min() <= 0
            or np.ptp(more) > spread + 0.1 * np.abs(more).max()
        ):
            return False
        logits.append(math.log(float(np.median(more))))
    case.report.facts["normalized"] = "sink"
    case.model = case.model.change(normalized="sink", sink=np.array(logits))
    case.report.details["sinks"] = logits
    shown = " ".join(f"{x:.3g}" for x in logits)
    case.report.sentences.append(
        f"A sink takes part of each query's weight: its logits, head by head: {shown}."
    )
    return True


def _extra(found: Sums) -> np.ndarray:
    """Return what the denominators hold beside the sum of exp(score): (heads, n)."""
    extra = np.full(found.rows.shape, np.nan)
    total = found.exps.sum(-1)
    extra[found.rows] = 1 / _ratio(found) - total[found.rows]
    return extra


def _shifted(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize a number that was added after the maximum was subtracted."""
    extra, top = _extra(found)[found.rows], found.exps.max(-1)[found.rows]
    share = extra / top
    if not np.all(share > 1e-3) or np.ptp(share) > 0.1 * share.max():
        return False
    _tell(
        case,
        "no",
        f"{float(np.median(share)):.3g} is added to each sum after the maximum was "
        "subtracted: what it takes depends on the largest score.",
        sums,
    )
    case.report.unexplained = "No model of mine has this denominator."
    return True
