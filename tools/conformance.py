"""Write the tables of the accessibility page from `conformance.toml`.

    python tools/conformance.py

The page is an Accessibility Conformance Report in the order of VPAT 2.5 INT. What it
says of a criterion stands in the table alone, with the tests that are its evidence.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "accessibility.md"
TABLE = Path(__file__).with_suffix(".toml")
BEGIN, END = "<!-- the report begins -->\n", "<!-- the report ends -->\n"
SAYS = {
    "supports": "supports",
    "partially": "**partially supports**",
    "not": "**does not support**",
    "na": "not applicable",
}
PARTS = (
    ("## WCAG 2.2, level A", "wcag", "A"),
    ("## WCAG 2.2, level AA", "wcag", "AA"),
    ("## Revised Section 508", "section508", None),
    ("## EN 301 549", "en301549", None),
)
HEAD = "| criterion | here | remarks |\n| --- | --- | --- |\n"


def table():
    """Return the table as it is written."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def report(rows):
    """Return the report in Markdown: a table for each part."""
    parts = []
    for title, key, level in PARTS:
        chosen = [one for one in rows[key] if level in (None, one.get("level"))]
        parts.append(f"{title}\n\n{HEAD}{''.join(map(_line, chosen))}\n")
    return "".join(parts)


def _line(one):
    tests = ", ".join(f"`{name}`" for name in one.get("tests", ()))
    checked = f"checked: {tests}" if tests else ""
    remarks = ". ".join(filter(None, (checked, one.get("remark", "")))) or "—"
    return f"| {one['clause']} {one['name']} | {SAYS[one['is']]} | {remarks} |\n"


def written(page, rows):
    """Return the page with the report of these rows in its place."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{report(rows)}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8"), table()), encoding="utf-8")
