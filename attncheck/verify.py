"""The one judge: what rounding may do, in every run; and where a model is wrong."""

from typing import NamedTuple

import numpy as np

from attncheck.claim import Claim, Claimed, Run
from attncheck.formats import FORMATS, Format
from attncheck.model import (
    NORMALIZED,
    Attended,
    Model,
    attend,
    heads_alike,
    of_first,
    scale_of,
)


def shares(
    output: np.ndarray, found: Attended, fmt: Format, most: float = np.inf
) -> np.ndarray:
    """Return |output − expected| as a share of what rounding may do."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(output - found.output)
        share = off / tolerance(found, fmt, most)
    same = np.isnan(output) & np.isnan(found.output)
    same |= np.isinf(output) & (output == found.output)
    return np.where(same, 0.0, np.where(np.isfinite(share), share, np.inf))


def tolerance(found: Attended, fmt: Format, most: float = np.inf) -> np.ndarray:
    """Bound what rounding alone may do to an output.

    A score whose terms have the size s may be wrong by eps · s, and so its weight by
    that share; a weight is rounded once or twice, and so is the output. Sums are kept
    in float32 at least: those of scores, those over m keys, and those of blocks that
    are merged, which may be as large as the values though the output is small.
    """
    m, fine = found.weights.shape[-1], min(fmt.eps, FORMATS["float32"].eps)
    largest = np.abs(found.value).max(initial=0)
    sums = fine * (2 * found.terms + m**0.5)
    share = np.minimum(fmt.eps * (4 + 2 * found.terms) + sums, most)
    least = max(1e-2 * fmt.eps, 2 * fine) * largest + fmt.smallest * fmt.eps + 1e-300
    return np.asarray(share * found.spread + least)


EXPLAINED = 0.1  # however large scores are, rounding explains no more of an output
COARSE = 0.5  # the same, where a claim is about few bits
OVERFLOWS = 85.0  # exp of more overflows in float32; of less than −85, it underflows
WORTH = 500  # scores of an item: fewer are computed at once
CANNOT = (ValueError, IndexError, KeyError, ZeroDivisionError, OverflowError)


class Verdict(NamedTuple):
    """Whether a claim explains a run to rounding, and where not."""

    ok: bool
    wrong: np.ndarray | None = None  # (b, h, n, d_v); None: the shapes do not fit
    empty: str = ""  # what fully masked rows get
    lost: bool = False  # NaN, or 0, where exp overflows or underflows
    few: bool = False  # fully masked rows although there are as many keys as queries


def verify(runs: list[Run], claim: Claimed) -> list[Verdict]:
    """Judge every run, with one tolerance."""
    return [judge(run, claim) for run in runs]


def counted(
    runs: list[Run], claim: Claimed, base: Claimed, known: list[Verdict]
) -> list[Verdict]:
    """Judge every run; where a few queries refute it, the others are not computed.

    Nor are runs for which the claim is the one that was judged before, with what is
    known of that.
    """
    return [
        verdict
        if _same(run, claim, base)
        else _refuted(run, claim) or judge(run, claim)
        for run, verdict in zip(runs, known, strict=True)
    ]


def _same(run: Run, claim: Claimed, base: Claimed) -> bool:
    """Say whether two claims are one model for a run: what differs is not reached."""
    if claim is base:
        return False
    claim, base = claim.of(run), base.of(run)
    try:
        fields = [vars(one.at(run)).values() for one in (claim, base)]
    except CANNOT:
        return False
    alike = (
        a is b or (np.ndim(a) == np.ndim(b) == 0 and a == b)
        for a, b in zip(*fields, strict=True)
    )
    return claim.format == base.format and all(alike)


def _refuted(run: Run, claim: Claimed) -> Verdict | None:
    s = run.sizes
    if s.n_heads * s.n * s.m < WORTH:
        return None
    verdict = judge(run, claim, part=True)
    return None if verdict.ok else verdict._replace(wrong=None)


def judge(
    run: Run, claim: Claimed, part: bool = False, most: float = EXPLAINED
) -> Verdict:
    """Judge one run; with `part`, a few queries of the first batch item: to refute.

    Rounding explains at most `most` of an output, however large scores are.
    """
    claim = claim.of(run)
    try:
        model = claim.at(run)
        if part:
            return _judge_part(run, claim, model, most)
        whole = model.over_queries or model.moves_rows
        chunks = [None] if whole else run.chunks()
        if len(chunks) == 1:
            return _judge_rows(run, claim, model, None, most)
        return _joined([_judge_rows(run, claim, model, rows, most) for rows in chunks])
    except CANNOT:
        return Verdict(False)


def _judge_part(run: Run, claim: Claim, model: Model, most: float) -> Verdict:
    s, run, model = run.sizes, run.first_item, of_first(model)
    if heads_alike(model):
        model = model.change(scale=scale_of(model.scale, s.d, s.n_heads))
        run = run.first_head  # (of the first item, it is the same)
    n = run.query.shape[2]
    rows = np.unique([n // 3, n // 2, n - 1, min(n - 1, 1)])
    whole = model.over_queries or model.moves_rows
    return _judge_rows(run, claim, model, None if whole else rows, most)


def _joined(parts: list[Verdict]) -> Verdict:
    """Put the verdicts on some queries each together."""
    wrong = [x.wrong for x in parts if x.wrong is not None]
    kinds = {x.empty for x in parts} - {""}
    return Verdict(
        all(x.ok for x in parts),
        np.concatenate(wrong, -2) if len(wrong) == len(parts) else None,
        kinds.pop() if len(kinds) == 1 else "other" if kinds else "",
        any(x.lost for x in parts),
        any(x.few for x in parts),
    )


def _judge_rows(
    run: Run, claim: Claim, model: Model, rows: np.ndarray | None, most: float
) -> Verdict:
    found = attend(run.query, run.key, run.value, model, rows)
    output = run.output if rows is None else run.output[..., rows, :]
    if found.output.shape != output.shape:
        return Verdict(False)
    fmt = FORMATS[claim.format] if claim.format else run.format
    most = COARSE if claim.format else most
    wrong = ~(shares(output, found, fmt, most) <= 1)
    if model.over_queries or model.moves_rows:
        return _over_queries(output, found, wrong, model)
    if model.product in NORMALIZED:  # a query of 0 has no direction
        asked = run.query if rows is None else run.query[..., rows, :]
        nothing = np.abs(asked).max(-1, keepdims=True) == 0
        wrong &= ~(nothing & ~np.isfinite(output))
    return _past_overflow(output, found, wrong, model, fmt, run)


def _over_queries(
    output: np.ndarray, found: Attended, wrong: np.ndarray, model: Model
) -> Verdict:
    """Set NaN apart: of fully masked rows that are moved, or of keys nobody sees."""
    if model.moves_rows:
        lost = (found.spread == 0) & np.isnan(output)
        wrong = wrong & ~lost
        return Verdict(not wrong.any(), wrong, "nan" if lost.any() else "")
    unseen = ~np.isfinite(found.scores).any(-2)
    if unseen.any() and np.isnan(output).all():
        return Verdict(True, wrong & False, "nan")
    return Verdict(not wrong.any(), wrong)


def _past_overflow(
    output: np.ndarray,
    found: Attended,
    wrong: np.ndarray,
    model: Model,
    fmt: Format,
    run: Run,
) -> Verdict:
    """Set apart what overflows, and what fully masked rows get: facts of their own."""
    empty = np.asarray(~np.isfinite(found.scores).any(-1))
    top = np.where(empty, 0, found.scores.max(-1))[..., None]
    broken = ~np.isfinite(output)
    gone = (top > OVERFLOWS) & broken
    gone |= (top < -OVERFLOWS) & (np.isnan(output) | (output == 0))
    if model.normalized == "keys, no maximum":
        gone |= top < -OVERFLOWS
    lost = bool((gone & wrong).any())
    wrong = wrong & ~gone
    kind = ""
    if empty.any():
        kind = _empty_kind(output, found, empty, wrong, model, fmt)
        wrong = wrong & ~empty[..., None] if kind else wrong
    few = bool(empty.any() and run.sizes.n <= run.sizes.m)
    return Verdict(not wrong.any(), wrong, kind, lost, few)


def _empty_kind(
    output: np.ndarray,
    found: Attended,
    empty: np.ndarray,
    wrong: np.ndarray,
    model: Model,
    fmt: Format,
) -> str:
    """Name what fully masked rows get: one of a few kinds, or what the model says."""
    if not wrong[empty].any():
        return "mean" if model.empty == "mean" else "zeros"
    got = output[empty]
    mean = np.broadcast_to(found.value.mean(-2, keepdims=True), output.shape)[empty]
    if not got.any():
        return "zeros"
    if np.isnan(got).all():
        return "nan"
    allowed = min(64 * fmt.eps, 0.02) * (1 + np.abs(found.value).max())
    return "mean" if np.abs(got - mean).max() <= allowed else ""
