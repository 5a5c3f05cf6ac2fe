"""Who means what: the stored answers of well-known libraries, as a table."""

import json
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("who_means_what.json")
HOW = """How each was called, and how many of these calls are reproduced: by one model,
or by two where the table gives a condition:"""
COLUMNS = {
    "mask": "a mask's True",
    "alignment": "causal",
    "window": "window",
    "grouping": "six heads on two",
    "empty_row": "fully masked row",
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
    head = ["what was asked", "version", *COLUMNS.values()]
    rows = [head, ["---"] * len(head)]
    for row in found["rows"]:
        facts = (row["facts"].get(name) for name in COLUMNS)
        cells = ("–" if fact is None else str(fact) for fact in facts)
        rows.append([row["name"], row["version"], *cells])
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    asked = "\n".join(f"- {row['name']}{_calls(row)}." for row in found["rows"])
    return "\n\n".join([f"Asked on {found['date']}.", lines, HOW, asked])


def _calls(row: dict[str, Any]) -> str:
    """Say with which keywords it was called, and how many calls a model reproduces.

    And on which day, if not with the others.
    """
    parts = []
    for how, keywords in row["asked_by"].items():
        found, of = row["reproduced"][how]
        words = f"`{keywords}`" if keywords else "as it is"
        parts.append(f"{words}, {'all ' if found == of else f'{found} of '}{of} calls")
    if row["mask"]:
        hidden = "added, −∞" if row["facts"]["mask"] == "added" else "True and False"
        parts.append(f"the mask as `{row['mask']}=`, {hidden}")
    day = f" (on {row['date']})" if "date" in row else ""
    return f"{day}: {'; '.join(parts)}"
