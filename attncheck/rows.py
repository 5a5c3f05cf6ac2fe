"""A row a call: what `Report.calls` holds."""

from __future__ import annotations

from typing import Any

from attncheck.claim import Claimed, Regimes
from attncheck.plan import Call
from attncheck.run import Run
from attncheck.verify import Verdict
from attncheck.where import places

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
