"""Ask well-known libraries what their attention computes; store the answers.

    .venv/bin/python tools/parity.py --ask

runs it in the environment of `make parity`. The answers are stored in
`attncheck/who_means_what.json`; the table of `book/who_means_what.md` is written anew.
With names of the table behind it, those alone are asked; the others keep their answers,
and the day on which they gave them.
"""

import datetime
import importlib.metadata
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from attncheck import ask  # noqa: E402
from attncheck.claim import Regimes  # noqa: E402
from attncheck.table import STORED, as_text, stored  # noqa: E402
from tests.parity.ways import WAYS  # noqa: E402

PAGE = ROOT / "book" / "who_means_what.md"
BEGIN, END = "<!-- the table begins -->", "<!-- the table ends -->"
# Which call tells a fact; the plain one tells the others.
TOLD_BY = {"alignment": "causal", "softcap": "cap", "grouping": "grouped"}
TOLD_BY |= {"window": "window"}


def keywords_of(keywords):
    """Return the keywords of every call in words: arrays by their shape."""
    shown = {k: x for k, x in keywords.items() if k not in ("layout", "arrays")}
    return ", ".join(f"{k}={getattr(x, 'shape', x)!r}" for k, x in shown.items())


def reproduced(report):
    """Return how many of the calls one model reproduces, and of how many."""
    return [sum(row["explained"] for row in report.calls), len(report.calls)]


def told(report, fact):
    """Return a fact; where two models are right, both, and where the other holds."""
    if fact not in report.apart or not isinstance(report.claim, Regimes):
        return report.facts[fact]
    rest, one = report.apart[fact]
    return f"{rest}; where {report.claim.words}: {one}"


def answers(name):
    """Ask each way of one library; return its row of the table."""
    distribution, calls = WAYS[name]
    reports = {how: ask(f, **keywords) for how, (f, keywords) in calls().items()}
    refused = [p for p in reports["plain"].problems if p.code == "refused"]
    if refused:  # its row would be empty, and what was known of it lost
        sys.exit(f"{name}: {refused[0].sentence} Nothing was written.")
    facts = dict(reports["plain"].facts)
    for fact, how in TOLD_BY.items():
        if how in reports:
            facts[fact] = told(reports[how], fact)
        elif fact in ("alignment", "window", "softcap"):
            facts[fact] = None  # it has no such keyword, or none that was tried
    del facts["scale"]
    masks = {row["mask"]: 0 for row in reports["plain"].calls if row["mask"]}
    return {
        "name": name,
        "version": importlib.metadata.version(distribution).partition("+")[0],
        "facts": facts,
        "mask": next(iter(masks), None),
        "asked_by": {how: keywords_of(calls()[how][1]) for how in reports},
        "calls": {how: report.status for how, report in reports.items()},
        "reproduced": {how: reproduced(report) for how, report in reports.items()},
    }


def kept(names):
    """Return the stored rows, by name, that are not asked; an earlier day is said."""
    if not names:
        return {}
    found, today = stored(), datetime.date.today().isoformat()
    rows = {}
    for row in found["rows"]:
        day = row.get("date", found["date"])
        rest = {key: one for key, one in row.items() if key != "date"}
        rows[row["name"]] = rest if day == today else {"date": day, **rest}
    return {name: row for name, row in rows.items() if name not in names}


def main(names=()):
    """Ask all of them, or those named, and write the table."""
    old = kept(names)
    rows = [old.get(name) or answers(name) for name in WAYS]
    found = {"date": datetime.date.today().isoformat(), "rows": rows}
    text = json.dumps(found, indent=1, ensure_ascii=False)
    STORED.write_text(text + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page = f"{before}{BEGIN}\n\n{as_text()}\n\n{END}{after}"
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
