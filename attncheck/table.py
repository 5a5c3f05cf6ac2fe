"""Who means what: the stored answers of well-known libraries, as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("who_means_what.json")
COLUMNS = {
    "mask": "a mask's True",
    "alignment": "causal",
    "window": "window",
    "grouping": "six heads on two",
    "empty_row": "empty row",
    "softcap": "cap",
    "normalized": "sums",
}


def stored() -> dict[str, Any]:
    """Return what was found: when, in which versions, and the facts of each way."""
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def as_text() -> str:
    """Return the table as Markdown."""
    found = stored()
    names = list(COLUMNS)
    head = ["what was asked", "version", *(COLUMNS[name] for name in names)]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in found["rows"]:
        facts = row["facts"]
        cells = [_cell(facts.get(name)) for name in names]
        lines.append(_line([row["name"], row["version"], *cells]))
    return f"Asked on {found['date']}.\n\n" + "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(fact: Any) -> str:
    return "–" if fact is None else str(fact)
