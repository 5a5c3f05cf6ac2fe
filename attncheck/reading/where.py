"""Where a run is wrong, when no known mistake explains it."""

from __future__ import annotations

import numpy as np

from attncheck.model import Model
from attncheck.reading.rounding import shares
from attncheck.reading.run import Run

AXES = ("sentences", "heads", "queries", "columns")
ONE = {"queries": "query"}
BLOCKS = (256, 128, 64, 32, 16, 8)


def find_wrong(run: Run, model: Model) -> np.ndarray:
    """Mark the outputs that rounding does not explain: bool (b, h, n, d_v)."""
    wrong = np.zeros(run.output.shape, bool)
    for rows in run.chunks():
        found = run.compute(model, rows)
        wrong[..., rows, :] = shares(run.output[..., rows, :], found, run.format) > 1
    return wrong


def is_local(run: Run, model: Model) -> bool:
    """Say whether some heads, columns or a good part of the queries are right.

    Queries that see no key tell nothing.
    """
    wrong = find_wrong(run, model)
    parts = [run.compute(model, rows).weights.any(-1) for rows in run.chunks()]
    wrong = wrong[:, :, np.concatenate(parts, -1).any((0, 1))]
    whole = all(wrong.any(axes).all() for axes in ((0, 2, 3), (0, 1, 2), (1, 2, 3)))
    return not whole or bool(wrong.any((0, 1, 3)).mean() < 0.9)


def describe(
    wrong: np.ndarray, how: str = "wrong", within: np.ndarray | None = None
) -> str:
    """Say in words which outputs are wrong: heads, queries, columns, blocks.

    The places are those of `within`: of all that are wrong at all, where `wrong` marks
    those that are far off.
    """
    if wrong.all():
        return f"every number is {how}"
    parts = []
    places = wrong if within is None else wrong | within
    for axis, name in enumerate(AXES):
        others = tuple(a for a in range(4) if a != axis)
        some = np.asarray(places.any(others))
        if not some.all():
            one = some.sum() == 1
            name = ONE.get(name, name.removesuffix("s")) if one else name
            parts.append(f"{name} {name_places(np.flatnonzero(some))} of {len(some)}")
    share = f"{wrong.mean():.0%} of the numbers are {how}"
    if wrong.mean() < 0.005:
        are = "is" if wrong.sum() == 1 else "are"
        share = f"{wrong.sum()} of {wrong.size:,} numbers {are} {how}"
    where = "in" if places.sum() == 1 else "all of them in"
    return f"{share}, {where} {', '.join(parts)}" if parts else share


def name_places(places: np.ndarray, blocks: bool = True) -> str:
    """Write places 3, 4, 5 as 3–5, and say where blocks begin."""
    if not places.size:
        return "none"
    if len(places) > 2 and (np.diff(places) == 1).all():
        first, last = int(places[0]), int(places[-1])
        block = next((b for b in BLOCKS if first and first % b == 0), None)
        note = f" (from a multiple of {block} on)" if block and blocks else ""
        return f"{first}–{last}{note}"
    steps = np.diff(places)
    if len(places) > 3 and (steps == steps[0]).all():
        return f"{places[0]}, {places[1]}, … (every {steps[0]})"
    shown = ", ".join(map(str, places[:4]))
    return shown + (", …" if len(places) > 4 else "")
