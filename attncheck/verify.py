"""The one judge: what rounding may do, in every run; and where a model is wrong."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from attncheck.claim import Claimed, Run
from attncheck.formats import FORMATS, Format
from attncheck.model.attending import NORMALIZED, Attended, attend
from attncheck.model.fields import Model, of_first, scale_of
from attncheck.model.moves import LOSES_LAST

EXPLAINED = 0.1  # however large scores are, rounding explains no more of an output
COARSE = 0.5  # the same, where a claim is about few bits
OVERFLOWS = 85.0  # exp of more overflows in float32; of less than −85, it underflows
UNDERFLOWS = 104.0  # exp of less than −104 is 0 in float32
WORTH = 500  # scores of an item: fewer are computed at once
CANNOT = (ValueError, IndexError, KeyError, ZeroDivisionError, OverflowError)


def tolerance(found: Attended, fmt: Format, d: int, most: float = np.inf) -> np.ndarray:
    """Bound what rounding alone may do to an output.

    A score whose terms have the size s may be wrong by eps · s, and so its weight by
    that share; a weight is rounded once or twice, and so is the output. Sums are kept
    in float32 at least: those of scores, of d terms one after another, those over m
    keys, and those of blocks that are merged, which may be as large as the values
    though the output is small.
    """
    m, fine = found.weights.shape[-1], min(fmt.eps, FORMATS["float32"].eps)
    largest = np.abs(found.value).max(initial=0)
    sums = fine * (d**0.5 * found.terms + m**0.5)
    share = np.minimum(fmt.eps * (4 + 2 * found.terms) + sums, most)
    least = max(1e-2 * fmt.eps, 2 * fine) * largest + fmt.smallest * fmt.eps + 1e-300
    return np.asarray(share * found.spread + least)


class Verdict(NamedTuple):
    """Whether a claim explains a run to rounding, and where not."""

    ok: bool
    wrong: np.ndarray | None = None  # (b, h, n, d_v); None: the shapes do not fit
    empty: str = ""  # what fully masked rows get
    lost: bool = False  # NaN, or 0, where exp overflows or underflows
    few: bool = False  # fully masked rows although there are as many keys as queries


def one_kind(kinds: Iterable[str]) -> str:
    """Say what fully masked rows get: "other" if not the same everywhere."""
    found = {*kinds} - {""}
    return "other" if len(found) > 1 else "".join(found)


def marked_along(wrong: np.ndarray) -> list[np.ndarray]:
    """Mark the batch items, heads, queries and columns that have something wrong."""
    others = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
    return [np.asarray(wrong.any(axes)) for axes in others]


class Scored(NamedTuple):
    """A claim, and the verdict on each run."""

    claim: Claimed
    verdicts: list[Verdict]

    @property
    def explained(self) -> int:
        """How many runs it explains."""
        return sum(verdict.ok for verdict in self.verdicts)

    @property
    def whole(self) -> bool:
        """Whether it explains them all."""
        return all(verdict.ok for verdict in self.verdicts)


def refuted_or_judged(run: Run, claim: Claimed) -> Verdict:
    """Judge one run: of many scores, a few queries first; they may refute it."""
    if run.sizes.n_scores >= WORTH:
        for heads in (1, None):
            verdict = judge(run, claim, part=True, heads=heads)
            if not verdict.ok:
                return verdict
    return judge(run, claim)


def judge(
    run: Run,
    claim: Claimed,
    part: bool = False,
    most: float = EXPLAINED,
    heads: int | None = None,
) -> Verdict:
    """Judge one run; with `part`, a few queries of the first batch item: to refute.

    `heads`: of so many of its heads, where none depends on the others. Rounding
    explains at most `most` of an output, however large scores are.
    """
    claim = claim.of(run)
    if claim.format:
        run, most = replace(run, format=FORMATS[claim.format]), COARSE
    try:
        model = claim.at(run)
        if part:
            return _judge_rows(*_part(run, model, heads), most)
        chunks = run.chunks(model)
        return _joined([_judge_rows(run, model, rows, most) for rows in chunks])
    except CANNOT:
        return Verdict(False)


def _part(
    run: Run, model: Model, heads: int | None
) -> tuple[Run, Model, np.ndarray | None]:
    """Return a part that can refute: of the first item, some heads and queries.

    What was moved last is moved back first: heads and queries are then alone.
    """
    order = model.output_order
    back = model.change(output_order="as it is")
    if model.layout == "bhnd" and not (order == LOSES_LAST and back.whole):
        run, model = run.moved_back(order), back
    else:
        run = run.first()
    if model.headwise:
        scale = scale_of(model.scale, run.sizes.d, run.sizes.n_heads)
        run, model = run.first(heads), model.change(scale=scale)
    model = of_first(model, run.sizes.n_heads)
    if model.whole:
        return run, model, None
    n = run.sizes.n
    rows = np.array(sorted({n // 3, n // 2, min(n - 1, 1), n - 1}))
    return run, model, rows[:-1] if order == LOSES_LAST else rows


def _joined(parts: list[Verdict]) -> Verdict:
    """Put the verdicts on some queries each together."""
    wrong = [x.wrong for x in parts if x.wrong is not None]
    return Verdict(
        all(x.ok for x in parts),
        np.concatenate(wrong, -2) if len(wrong) == len(parts) else None,
        one_kind(x.empty for x in parts),
        any(x.lost for x in parts),
        any(x.few for x in parts),
    )


def _judge_rows(
    run: Run, model: Model, rows: np.ndarray | None, most: float
) -> Verdict:
    """Judge some queries, or all; NaN of fully masked rows, say, is a fact apart."""
    found = attend(run.query, run.key, run.value, model, rows)
    query, output = run.query, run.output
    if rows is not None:
        query, output = query[..., rows, :], output[..., rows, :]
    if found.output.shape != output.shape:
        return Verdict(False)
    off = np.abs(output - found.output)
    near = np.isfinite(off) & (off <= tolerance(found, run.format, run.sizes.d, most))
    broken = ~np.isfinite(output)
    if broken.any():
        near |= np.isnan(output) & np.isnan(found.output)
        near |= np.isinf(output) & (output == found.output)
    if model.whole:
        return _over_queries(output, found, ~near, model)
    if model.product in NORMALIZED:  # a query of 0 has no direction
        near |= broken & (np.abs(query).max(-1, keepdims=True) == 0)
    empty = np.asarray(~np.isfinite(found.scores).any(-1))
    top = np.where(empty, 0, found.scores.max(-1))[..., None]
    gone, low = broken & (top > OVERFLOWS), top < -OVERFLOWS
    if low.any():
        gone |= low & (np.isnan(output) | (output == 0))
        if model.normalized == "keys, no maximum":  # (a few bits are left for a while)
            gone |= low & (top > -UNDERFLOWS)
    lost, near = bool((gone & ~near).any()), near | gone
    if not empty.any():
        return Verdict(bool(near.all()), ~near, "", lost)
    kind = "mean" if model.empty == "mean" else "zeros"
    if not near[empty].all():
        kind = _empty_kind(output, found, empty, run.format)
        near = near | empty[..., None] if kind else near
    few = run.sizes.n <= run.sizes.m
    return Verdict(bool(near.all()), ~near, kind, lost, few)


def _empty_kind(
    output: np.ndarray, found: Attended, empty: np.ndarray, fmt: Format
) -> str:
    """Name what fully masked rows get where it is not what the model says."""
    got = output[empty]
    if not got.any():
        return "zeros"
    if np.isnan(got).all():
        return "nan"
    mean = np.broadcast_to(found.value.mean(-2, keepdims=True), output.shape)[empty]
    allowed = min(64 * fmt.eps, 0.02) * (1 + np.abs(found.value).max())
    return "mean" if np.abs(got - mean).max() <= allowed else ""


def _over_queries(
    output: np.ndarray, found: Attended, wrong: np.ndarray, model: Model
) -> Verdict:
    """Set NaN apart: of fully masked rows that are moved, or of keys nobody sees."""
    lost = np.isnan(output)
    if model.moves_rows:
        lost &= found.spread == 0
    elif np.isfinite(found.scores).any(-2).all() or not lost.all():
        lost &= False
    wrong = wrong & ~lost
    return Verdict(not wrong.any(), wrong, "nan" if lost.any() else "")
