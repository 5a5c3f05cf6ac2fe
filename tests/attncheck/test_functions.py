"""A table: each function, and the model that reproduces all calls, or the first not.

Rows of `table.txt`: name | outcome | codes of the problems. An outcome is "all", "two
regimes", "differs" with the first call that does, "cannot tell" or "refused". Calls of
many scores, most of what asking costs, are left out, unless "| long" ends the row.

Of rows with the same outcome and codes, all but the first wait for a release.
"""

from pathlib import Path

import pytest
from asked import FUNCTIONS

from attncheck import ask
from attncheck.claim import Regimes
from benchmarks import right_functions

ROWS = [
    [cell.strip() for cell in f"{line} | ".split("|")[:4]]
    for line in Path(__file__).with_name("table.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
QUICK = {"faulty: one too many", "reported: even_over_the_past", "second: by_half"}
NEAR = 1 / 3


def marks():
    """Mark each row: most are slow, and what one before it has is for a release."""
    before = set()
    for name, wanted, codes, _ in ROWS:
        late = (wanted, codes) in before
        before.add((wanted, codes))
        marks = [pytest.mark.slow] + [pytest.mark.release] * late
        yield [] if name in QUICK else marks


def outcome(report):
    """Return what a row says of a report."""
    codes = {problem.code for problem in report.problems}
    if "refused" in codes:
        return "refused"
    rows = [row for row in report.calls if row["mask"] is None]
    if "unexplained" not in codes:
        return "two regimes" if isinstance(report.claim, Regimes) else "all"
    if sum(row["explained"] for row in rows) <= NEAR * len(rows):
        return "cannot tell"
    return "differs " + next(row["id"] for row in rows if not row["explained"])


@pytest.mark.release
def test_right_functions_are_explained_and_none_is_blamed():
    assert right_functions.main() == 0


def test_every_function_has_a_row():
    assert sorted(name for name, *_ in ROWS) == sorted(FUNCTIONS)


@pytest.mark.parametrize(
    ("name", "wanted", "codes", "plan"),
    [pytest.param(*row, marks=own) for row, own in zip(ROWS, marks(), strict=True)],
)
def test_row(name, wanted, codes, plan, request):
    if plan != "long":
        request.getfixturevalue("short")
    report = ask(FUNCTIONS[name])
    got = " ".join(sorted(problem.code for problem in report.problems))
    assert (outcome(report), got) == (wanted, codes), str(report)
    assert (report.facts["layout"] is not None) == (wanted in ("all", "two regimes"))
