"""What the weights of a query were divided by, where they do not add up to 1."""

from __future__ import annotations

import math

import numpy as np

from attncheck.case import Case
from attncheck.questions.padding import is_none_in_full_blocks
from attncheck.questions.row_sums import Sums, tell_sums, weight_of_one_key


def not_divided(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize exp(score), divided by nothing."""
    ratio, top = _ratio(found), found.exps.max(-1)[found.rows]
    plain = np.allclose(ratio, 1, atol=2 * near)
    if not plain and not np.allclose(ratio * top, 1, atol=2 * near):
        return False
    name = "no" if plain else "no, less the largest"
    case.model = case.model.change(normalized=name)
    what = "exp(score)" if plain else "exp(score − the largest)"
    case.report.details["weights_are"] = f"{what}, divided by nothing"
    words = f"Weights are not normalized: {what}, divided by no sum."
    tell_sums(case, "no", words, sums)
    return True


def masked_after(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize a mask that came after the softmax."""
    total = found.all_exps.sum(-1)[found.rows]
    hidden = (found.exps == 0).any()
    if not hidden or not np.allclose(_ratio(found) * total, 1, atol=2 * near):
        return False
    case.model = case.model.change(masked="after")
    case.report.facts["mask"] = "multiplied after"
    tell_sums(
        case,
        "no",
        "The mask is multiplied onto the weights after the softmax: rows with hidden "
        "keys add up to less than 1.",
        sums,
    )
    return True


def other_axes(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize sums over the heads, or over all pairs."""
    w, by_row = found.weights, found.weights.sum(-1)[found.rows]
    if by_row.size > 1 and np.ptp(by_row) < 0.01 * abs(by_row).max():
        return False  # what every query has the same of is a factor
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
            tell_sums(
                case, "no", f"Softmax runs over {over}, rather than the keys.", sums
            )
            return True
    return False


def sink(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Find sinks: 1 / ratio is the sum of exp(score), and exp(a logit) more."""
    coarse = case.subject.format.bits <= 11
    logits = _of_one_key(case, found) if coarse else _of_all_keys(case, found)
    if logits is None:
        return False
    case.model = case.model.change(normalized="sink", sink=np.array(logits))
    if is_none_in_full_blocks(case, logits[0]):
        return True
    case.report.facts["normalized"] = "sink"
    case.report.details["sinks"] = logits
    shown = " ".join(f"{round(x, 4) + 0.0:.3g}" for x in logits)
    case.report.sentences.append(
        f"A sink takes part of each query's weight: its logits in {len(logits)} "
        f"head{'s' * (len(logits) > 1)}: {shown}."
    )
    return True


def _of_all_keys(case: Case, found: Sums) -> list[float] | None:
    """Find what every denominator holds beside the sum, if it is always the same."""
    extra, logits = _extra(found), []
    spread = 4 * case.subject.format.eps * float(found.exps.sum(-1).max())
    for head in range(case.heads):
        more = extra[head][np.isfinite(extra[head])]
        if not more.size or more.min() <= 0:
            return None
        if np.ptp(more) > spread + 0.1 * np.abs(more).max():
            return None
        logits.append(math.log(float(np.median(more))))
    return logits


def _of_one_key(case: Case, found: Sums) -> list[float] | None:
    """Find sinks where a sum would round them away, and see whether they fit there."""
    alone = weight_of_one_key(case)
    if alone is None or not (alone < 1).all():
        return None
    sinks = 1 / alone - 1
    total = found.exps.sum(-1)
    off = np.abs(found.weights.sum(-1) - total / (total + sinks[:, None]))
    near = 6 * case.subject.format.eps
    return np.log(sinks).tolist() if (off[found.rows] < near).all() else None


def _extra(found: Sums) -> np.ndarray:
    """Return what the denominators hold beside the sum of exp(score): (heads, n)."""
    extra = np.full(found.rows.shape, np.nan)
    total = found.exps.sum(-1)
    extra[found.rows] = 1 / _ratio(found) - total[found.rows]
    return extra


def shifted(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize a number that was added after the maximum was subtracted."""
    extra, top = _extra(found)[found.rows], found.exps.max(-1)[found.rows]
    share = extra / top
    if not np.all(share > 1e-3) or np.ptp(share) > 0.1 * share.max():
        return False
    case.report.details["added_after_the_maximum"] = float(np.median(share))
    tell_sums(
        case,
        "no",
        f"{float(np.median(share)):.3g} is added to each sum after the maximum was "
        "subtracted: what it takes depends on the largest score.",
        sums,
    )
    case.report.unexplained = "No model of mine has this denominator."
    return True


def tell_sigmoids(case: Case, found: Sums, sums: np.ndarray) -> None:
    """Tell sigmoids of the scores from those of score − log n_keys."""
    kept = (found.exps > 0) & found.rows[..., None] & (found.weights < 1)
    w, n_keys = found.weights[kept], found.weights.shape[-1]
    less = float(np.median(np.log(found.exps[kept]) - np.log(w / (1 - w))))
    if abs(less - math.log(n_keys)) < 0.05:
        case.model = case.model.change(normalized="sigmoid, less log n")
        words = "Weights are sigmoids of the score less log n_keys"
    elif abs(less) < 0.05:
        words = "Weights are sigmoids of the scores"
    else:
        words = f"Weights are sigmoids of the score less {less:.4g}"
        case.report.unexplained = "No model of mine has these weights."
    tell_sums(case, "no", f"{words}: no row adds up to 1.", sums)
    case.report.facts["mask"] = None


def constant(case: Case, found: Sums, sums: np.ndarray, near: float) -> bool:
    """Recognize weights that are right but for a factor, the same in every row."""
    times = (_ratio(found) * found.exps.sum(-1)[found.rows]).ravel()
    factor = float(np.median(times))
    if not np.allclose(times, factor, rtol=2 * near) or factor <= 0:
        return False
    if abs(factor - 1) < 2 * near:  # the sums are near 1, and none is what they are
        return False
    n_keys = found.weights.shape[-1]
    for name, of_keys, how in (
        ("n_keys", n_keys, "the number of keys"),
        ("1/n_keys", 1 / n_keys, "1 ÷ the number of keys"),
    ):
        if abs(factor / of_keys - 1) < near and _goes_with_keys(case, name):
            case.model = case.model.change(factor=name)
            words = f"The weights of every query add up to {how}, not to 1."
            tell_sums(case, "no", words, sums)
            return True
    case.model = case.model.change(factor=factor)
    usual = case.d**-0.5
    why = (
        ", which is 1/√d_k: it multiplies the weights, after the softmax"
        if abs(factor / usual - 1) < near
        else ""
    )
    words = f"The weights of every query add up to {factor:.4g}{why}."
    tell_sums(case, "no", words, sums)
    return True


def _goes_with_keys(case: Case, name: str) -> bool:
    """Say whether twice as many keys make the weights add up to twice, or half."""
    n, times = case.n, 2.0 if name == "n_keys" else 0.5
    few, many = (case.probes.even(n, m)[0].sum(-1).max() for m in (n, 2 * n))
    return bool(abs(many / (few or 1) / times - 1) < 0.05)


def _ratio(found: Sums) -> np.ndarray:
    """Return weights / exp(score), a number for each row; NaN for empty rows."""
    kept = (found.exps > 0) & found.rows[..., None]
    ratio = np.where(kept, found.weights / np.where(kept, found.exps, 1), np.nan)
    return np.asarray(np.nanmedian(ratio[found.rows], axis=-1))
