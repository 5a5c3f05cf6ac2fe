"""Masks that are more than a window: the rules in use, and which explains a picture."""

from collections.abc import Iterable, Iterator

import numpy as np

from attncheck.guess.bands import Seen, explains_all
from attncheck.model import Bounds, Model, Rule, band

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
    for corner in ("start", "end"):
        for rule in rules(m, range(1, m), _windows(first, corner)):
            model = rule.change(corner=corner)
            seen = band(n, m, model, rows)
            if np.array_equal(seen, first.allowed[rows]) and explains_all(
                model, pictures
            ):
                return model
    return None


def _windows(picture: Seen, corner: str) -> Iterator[Bounds]:
    """Read off windows beside a rule: how far a row's own run of keys reaches."""
    yield from (FREE, CAUSAL)
    n, m = picture.allowed.shape
    for i in (n - 1, n // 2):
        place = i + (m - n if corner == "end" else 0)
        row = picture.allowed[i]
        if place < m and row[place]:
            left, right = _run(row[place::-1]) - 1, _run(row[place:]) - 1
            yield from ((left, 0), (left, right), (place - int(row.argmax()), 0))


def _run(row: np.ndarray) -> int:
    """Count the keys that are seen from the first on."""
    return len(row) if row.all() else int(row.argmin())
