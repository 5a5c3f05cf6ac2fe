"""Read a mask off even weights; the window or the rule that explains it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from attncheck.model.fields import Bounds, Model, Rule, band

VANISHING = 1e-36  # float32 keeps fewer bits of what is less


class Seen(NamedTuple):
    """What even weights (n, m) show."""

    allowed: np.ndarray
    leak: float  # weight of a forbidden key, relative to an allowed one
    bias: np.ndarray | None  # what is added to the scores, if they are not even
    lost: np.ndarray  # rows that are NaN


def read_even(weights: np.ndarray, tolerance: float) -> Seen:
    """Tell the mask from weights (n, m) whose scores were all the same.

    `tolerance` is relative. Two levels in a row are a mask that leaks; more are a bias.
    """
    lost = np.asarray(~np.isfinite(weights).all(-1))
    w = np.where(lost[:, None], 0, weights)
    seen = w > 0
    top = w.max(-1, keepdims=True)
    level = np.divide(w, top, out=np.zeros_like(w), where=top > 0)
    is_top = level > 1 - tolerance
    low = level[seen & ~is_top]
    if not low.size:
        return Seen(seen, 0.0, None, lost)
    even = low.max() - low.min() < tolerance * max(low.max(), 1e-300)
    even = even or low.max() < VANISHING  # whose last bits are lost
    if even and low.max() < _least_hidden(is_top[~lost]) and _is_band(is_top[~lost]):
        return Seen(is_top, float(low.mean()), None, lost)
    with np.errstate(divide="ignore"):
        return Seen(seen, 0.0, np.log(level), lost)


def _least_hidden(allowed: np.ndarray) -> float:
    """Return the weight from which on a key is not hidden, relative to an allowed one.

    Where every query sees other keys, it is a mask; else it may be blocks of keys.
    """
    return 0.3 if (allowed == allowed[:1]).all() else 0.9


def _is_band(allowed: np.ndarray) -> bool:
    """Say whether more than one key is allowed somewhere: else it is a bias."""
    return bool(allowed.any(-1).all() and (allowed.sum(-1) > 1).any())


def find_window(pictures: list[Seen]) -> Model | None:
    """Find the one window that explains all pictures; None if there is none.

    The first picture must be the largest.
    """
    allowed = pictures[0].allowed
    n, m = allowed.shape
    if not allowed.any():
        return None
    for alignment in ("start", "end"):
        sides = _sides(allowed, m - n if alignment == "end" else 0)
        model = Model(window=sides, alignment=alignment)
        if explains_all(model, pictures):
            return model
    return None


def _sides(allowed: np.ndarray, offset: int) -> Bounds:
    """Measure how far rows reach where the edge of the matrix does not stop them."""
    n, m = allowed.shape
    place, rows = np.arange(n) + offset, allowed.any(-1)
    first = np.where(rows, allowed.argmax(-1), 0)
    last = np.where(rows, m - 1 - allowed[:, ::-1].argmax(-1), m - 1)
    left = (place - first)[rows & (first > 0)]
    right = (last - place)[rows & (last < m - 1)]
    return (
        int(left.max()) if left.size else None,
        int(right.max()) if right.size else None,
    )


def explains_all(model: Model, pictures: list[Seen]) -> bool:
    """Say whether a model gives the mask of all pictures, and anybody at all."""
    shapes = [picture.allowed.shape for picture in pictures]
    seen = any(band(n, m, model).any() for n, m in shapes)
    return seen and all(_explains(model, picture) for picture in pictures)


def _explains(model: Model, picture: Seen) -> bool:
    """Say whether a model explains a picture, but for rows that see nothing.

    These give NaN, zeros or a mean of all values: some keys alone, they cannot.
    """
    n, m = picture.allowed.shape
    wanted = band(n, m, model)
    empty = ~wanted.any(-1)
    rows = ~empty & ~picture.lost
    some = picture.allowed.any(-1) & ~picture.allowed.all(-1)
    explained = np.array_equal(picture.allowed[rows], wanted[rows])
    return bool(explained and not (some & empty).any())


def name_window(model: Model) -> tuple[str, Bounds | None]:
    """Return the alignment and the window of a model."""
    left, right = model.window
    if (left, right) == (None, None):
        return "none", None
    if left is None:
        name = {0: model.alignment, -1: "strict", 1: "one-too-many"}.get(right or 0)
        return (name, None) if name else ("none", (None, right))
    if right is None:
        return ("inverted", None) if left in (0, -1) else ("none", model.window)
    return {0: model.alignment, -1: "strict"}.get(right, "none"), model.window


FREE, CAUSAL = (None, None), (None, 0)
WITHIN = ("chunks", "prefix", "steps")  # of any window, or none
BESIDE = ("kept", "global")  # a window alone
WITHOUT = ("blocks", "restarts", "key restarts", "lags")  # any window


def rules(m: int, sizes: Iterable[int], windows: Iterable[Bounds]) -> Iterator[Model]:
    """Yield the rules in use for m keys: of these sizes, each with these windows."""
    windows = list(dict.fromkeys(windows))
    yield from (Model(picture=Rule(kind)) for kind in ("not its own", "sign"))
    for size in sizes:
        for window in windows:
            kinds = WITHIN if size > 1 else ()
            if window[0] is not None:
                kinds = (*(kinds or ("prefix",)), *BESIDE)
            rules = (Rule(kind, size) for kind in kinds)
            yield from (Model(window=window, picture=rule) for rule in rules)
        if 1 < size < m - 1:  # else it is for the last key alone
            yield from (Model(picture=Rule(kind, size)) for kind in WITHOUT)


def find_rule(pictures: list[Seen]) -> Model | None:
    """Find a rule that explains all pictures; the first must be the largest."""
    first = pictures[0]
    n, m = first.allowed.shape
    rows = np.unique([0, n // 2, n - 1])
    rows = rows[~first.lost[rows]]
    for alignment in ("start", "end"):
        for rule in rules(m, range(1, m), _windows(first, alignment)):
            model = rule.change(alignment=alignment)
            seen = band(n, m, model, rows)
            if np.array_equal(seen, first.allowed[rows]) and explains_all(
                model, pictures
            ):
                return model
    return None


def _windows(picture: Seen, alignment: str) -> Iterator[Bounds]:
    """Read off windows beside a rule: how far a row's own run of keys reaches."""
    yield from (FREE, CAUSAL)
    n, m = picture.allowed.shape
    for i in (n - 1, n // 2):
        place = i + (m - n if alignment == "end" else 0)
        row = picture.allowed[i]
        if place < m and row[place]:
            left, right = _run(row[place::-1]) - 1, _run(row[place:]) - 1
            yield from ((left, 0), (left, right), (place - int(row.argmax()), 0))


def _run(row: np.ndarray) -> int:
    """Count the keys that are seen from the first on."""
    return len(row) if row.all() else int(row.argmin())
