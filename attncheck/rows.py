"""A row a call: what `Report.calls` holds."""

from __future__ import annotations

from typing import Any

from attncheck.plan import Call
from attncheck.verify import Verdict
from attncheck.where import places

SIZES = ("id", "b", "h", "g", "n", "m", "d", "d_v", "shows")


def rows_of(calls: list[Call], verdicts: list[Verdict]) -> list[dict[str, Any]]:
    """Return a row for each call: its sizes, whether it is explained, and where not."""
    rows = []
    for call, verdict in zip(calls, verdicts, strict=True):
        row = {name: getattr(call, name) for name in SIZES}
        where = {} if verdict.ok else places(verdict.wrong)
        rows.append({**row, "mask": None, "explained": verdict.ok, "where": where})
    return rows
