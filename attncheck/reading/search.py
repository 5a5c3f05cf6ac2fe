"""Search the catalogue: single mistakes, then pairs, on a few queries; then on all."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from attncheck.formats import Format
from attncheck.mistakes import Mistake, catalogue, only_large
from attncheck.model import Model, of_first
from attncheck.model.fields import MOVES_ROWS
from attncheck.model.moved_rows import sources
from attncheck.reading.rounding import shares
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.totals import totals_fit

FEW_KEYS = 64  # with more of them, blocks of two or three are not looked for
OF_PAIRS = 0.5  # among so many pairs, one may fit by chance all that rounding allows
# What is given of one head, or of one column, is told by it alone.
ALONE = ("as it is", "last query 0")


class Found(NamedTuple):
    """Mistakes that together explain every number."""

    mistakes: tuple[Mistake, ...]
    model: Model
    share: float  # of what rounding may do


def search(
    run: Run,
    model: Model,
    fmt: Format,
    *,
    large: bool = True,
    pairs: bool = True,
    alike: bool = False,
) -> list[Found]:
    """Return what explains the run: single mistakes, or else pairs of them.

    With `large`, those too that ordinary scores do not show. Without `pairs`, single
    mistakes alone: they are found, or not, in a tenth of the time. With `alike`, also
    those that give the same numbers as others, in this run.
    """
    singles = _singles(run, model)
    rare = only_large() if large else []
    more = [(mistake, mistake.change(model, run.sizes)) for mistake in rare]
    alone = (((mistake,), changed) for mistake, changed in (*singles, *more) if changed)
    some = sample(run)
    found = list(_that_fit(run, alone, _few(run), some, fmt))
    if pairs and not found:
        return search_pairs(run, model, fmt, alike=alike)
    return found if alike else _different(run, found, some)


def search_pairs(
    run: Run, model: Model, fmt: Format, *, alike: bool = False
) -> list[Found]:
    """Return the pairs of mistakes that explain a run which no single one explains."""
    few, some = _few(run), sample(run)
    both = _that_fit(run, _pairs(run, model, _singles(run, model)), few, some, fmt)
    found = [one for one in both if one.share <= OF_PAIRS]
    return _nearest(run, found, some) if alike else _different(run, found, some)


def _singles(run: Run, model: Model) -> list[tuple[Mistake, Model]]:
    many = run.sizes.m > FEW_KEYS
    mistakes = [one for one in catalogue() if not (one.few and many)]
    changed = ((mistake, mistake.change(model, run.sizes)) for mistake in mistakes)
    return [(mistake, model) for mistake, model in changed if model is not None]


def sample(run: Run) -> np.ndarray:
    """Choose queries: the first, the last, one in the middle, and others all over."""
    n = run.query.shape[2]
    others = np.random.default_rng(0).integers(0, n, 13)
    return np.unique(np.concatenate([[0, n // 3, n - 1], others]))


def _few(run: Run) -> np.ndarray:
    n = run.query.shape[2]
    return np.unique([n // 3, n - 1, np.random.default_rng(1).integers(0, n)])


def _pairs(
    run: Run, model: Model, singles: list[tuple[Mistake, Model]]
) -> Iterator[tuple[tuple[Mistake, ...], Model]]:
    common = [(mistake, changed) for mistake, changed in singles if not mistake.alone]
    for (one, changed), (other, _) in itertools.combinations(common, 2):
        if one.group == other.group:
            continue
        both = other.change(changed, run.sizes)
        if both is not None:
            yield (one, other), both


def _that_fit(
    run: Run,
    candidates: Iterator[tuple[tuple[Mistake, ...], Model]],
    few: np.ndarray,
    some: np.ndarray,
    fmt: Format,
) -> Iterator[Found]:
    """Yield the candidates that fit: on a few queries of one head, on more, on all."""
    small = run.take(0)
    heads, columns = small.part(1), small.part(1, 4)
    for mistakes, model in candidates:
        first, alone = small, of_first(model)
        if _is_plain(model):
            whole = model.roles != "qkv" or "values" in (model.rotary or {})
            whole = whole or model.adds != ""
            first = heads if whole else columns
        try:
            if not (totals_fit(heads, model, fmt) and _stays(run, heads, model, fmt)):
                continue
            if first.error(alone, few, fmt, EXPLAINED) > 1:
                continue
            if not model.over_queries and small.error(alone, some, fmt, EXPLAINED) > 1:
                continue
            share = run.error_everywhere(model, fmt, most=EXPLAINED)
        except ValueError:
            continue
        if share <= 1:
            yield Found(mistakes, model, share)


def _stays(run: Run, heads: Run, model: Model, fmt: Format) -> bool:
    """Say whether rows that are moved fit, where they stay in the first head."""
    if model.gives not in MOVES_ROWS:
        return True
    still = model.change(gives="as it is")
    if not _is_plain(still) or still.over_queries:
        return True
    n = run.query.shape[2]
    source = sources(model.gives, run.query.shape[1], n)[0]
    rows = np.flatnonzero(source < n)
    rows = rows[[len(rows) // 3, len(rows) // 2]]
    found = heads.compute(of_first(still), source[rows])
    share = shares(heads.output[..., rows, :], found, fmt, EXPLAINED)
    return bool(share.max(initial=0.0) <= 1)


def _is_plain(model: Model) -> bool:
    """Say whether a model treats all heads alike."""
    masks = (model.allowed, model.bias)
    same = all(x is None or x.ndim < 3 or x.shape[-3] == 1 for x in masks)
    scale = not isinstance(model.scale, str) or "n_heads" not in model.scale
    apart = model.normalized != "heads" and model.slopes is None
    moved = model.gives not in ALONE or model.takes != "as it is"
    return same and scale and apart and not moved


def _nearest(run: Run, found: list[Found], rows: np.ndarray) -> list[Found]:
    """Sort: few mistakes before many, then what leaves least unexplained."""

    def rank(one: Found) -> tuple[int, float, bool]:
        band = any(mistake.group == "band" for mistake in one.mistakes)
        left = float(f"{run.left(one.model, rows):.2g}")
        return len(one.mistakes), left, band and run.sizes.n == 1

    return sorted(found, key=rank)  # (a single query shows no band)


def _different(run: Run, found: list[Found], rows: np.ndarray) -> list[Found]:
    """Drop what computes the same numbers as something found before."""
    if len(found) < 2:
        return found
    small = run.take(0)
    kept: list[tuple[Found, np.ndarray]] = []
    for one in _nearest(run, found, rows):
        new = small.compute(of_first(one.model), rows).output
        if not any(np.allclose(new, old, equal_nan=True) for _, old in kept):
            kept.append((one, new))
    return [one for one, _ in kept]
