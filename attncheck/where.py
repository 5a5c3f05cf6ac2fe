"""A row a call, and where it is not explained: batch items, heads, queries, columns."""

from typing import Any

import numpy as np

from attncheck.claim import Claimed, Regimes
from attncheck.plan import Call
from attncheck.run import Run
from attncheck.verify import Verdict

AXES = ("batch items", "heads", "queries", "columns")
BLOCKS = (256, 128, 64, 32, 16, 8)


def places(wrong: np.ndarray | None) -> dict[str, Any]:
    """Return how many of (b, h, n, d_v) differ, and where if not along a whole axis."""
    if wrong is None:
        return {"shapes": "do not fit"}
    found: dict[str, Any] = {"wrong": int(wrong.sum()), "of": int(wrong.size)}
    for axis, name in enumerate(AXES):
        others = tuple(a for a in range(4) if a != axis)
        some = np.asarray(wrong.any(others))
        if not some.all():
            found[name] = np.flatnonzero(some).tolist()
            found[f"of {name}"] = len(some)
    return found


def describe(where: dict[str, Any]) -> str:
    """Say it in words."""
    if "shapes" in where:
        return "the shape is another"
    share = where["wrong"] / max(where["of"], 1)
    if share == 1:
        return "every number differs"
    words = f"{share:.0%} of the numbers differ"
    if share < 0.005:
        differ = "differs" if where["wrong"] == 1 else "differ"
        words = f"{where['wrong']} of {where['of']:,} numbers {differ}"
    parts = [_on(name, where) for name in AXES if name in where]
    return f"{words}, in {', '.join(parts)}" if parts else words


def _on(name: str, where: dict[str, Any]) -> str:
    one = len(where[name]) == 1
    shown = {"queries": "query"}.get(name, name[:-1]) if one else name
    return f"{shown} {name_places(where[name])} of {where[f'of {name}']}"


def name_places(found: list[int]) -> str:
    """Write places 3, 4, 5 as 3–5, and say where blocks begin."""
    if len(found) < 3:
        return " and ".join(map(str, found)) or "none"
    steps = np.diff(found)
    if (steps == 1).all():
        first = found[0]
        block = next((b for b in BLOCKS if first and first % b == 0), None)
        note = f" (from a multiple of {block} on)" if block else ""
        return f"{first}–{found[-1]}{note}"
    if (steps == steps[0]).all():
        return f"{found[0]}, {found[1]}, … (every {steps[0]})"
    shown = ", ".join(map(str, found[:4]))
    return shown + (", …" if len(found) > 4 else "")


SIZES = ("id", "b", "h", "g", "n", "m", "d", "d_v", "shows")


def rows_of(
    calls: list[Call],
    runs: list[Run],
    verdicts: list[Verdict],
    claim: Claimed | None = None,
) -> list[dict[str, Any]]:
    """Return a row for each call: its sizes, whether it is explained, and where not.

    "overflow": numbers past the range of exp are no longer those of the model. "model":
    which of two, 1 where their condition is true.
    """
    rows = []
    for call, run, verdict in zip(calls, runs, verdicts, strict=True):
        row = {name: getattr(call, name) for name in SIZES}
        row |= {"mask": None, "explained": verdict.ok, "overflow": verdict.lost}
        row["model"] = int(isinstance(claim, Regimes) and claim.where(run))
        row["where"] = {} if verdict.ok else places(verdict.wrong)
        rows.append(row)
    return rows
