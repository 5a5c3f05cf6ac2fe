"""The page on accessibility: every criterion once, and evidence that is there."""

import re
import sys

import pytest
from built_site import ROOT

from attncourse.site.boxes import WHOEVER, contact

sys.path.insert(0, str(ROOT / "tools"))
import conformance

PAGE = conformance.PAGE.read_text(encoding="utf-8")
ROWS = conformance.table()
FOLDERS = ("tests/site", "tests/sphinx_nokernel", "tests/book")
# WCAG 2.2: how many criteria of levels A and AA each guideline has (4.1.1 is gone).
COUNTS = {
    **{"1.1": 1, "1.2": 5, "1.3": 5, "1.4": 9, "2.1": 3, "2.2": 2, "2.3": 1, "2.4": 8},
    **{"2.5": 6, "3.1": 2, "3.2": 5, "3.3": 6, "4.1": 2},
}


def ours():
    paths = [path for one in FOLDERS for path in (ROOT / one).glob("test_*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return {name for text in texts for name in re.findall(r"def test_(\w+)\(", text)}


def every_row():
    return [one for rows in ROWS.values() for one in rows]


def test_the_page_says_what_the_table_says():
    assert conformance.written(PAGE, ROWS) == PAGE, "run tools/conformance.py"


def test_every_criterion_is_there_once():
    clauses = [one["clause"] for one in ROWS["wcag"]]
    assert len(set(clauses)) == len(clauses)
    found = {one: sum(c.startswith(f"{one}.") for c in clauses) for one in COUNTS}
    assert found == COUNTS


def test_all_evidence_is_a_test_of_ours():
    named = {name for one in every_row() for name in one.get("tests", ())}
    after = PAGE.partition("## Without scripts")[2]
    named |= set(re.findall("`(.+?)`", after))
    assert named - ours() == set()


@pytest.mark.parametrize("one", every_row(), ids=lambda one: one["clause"])
def test_what_is_said_has_evidence(one):
    """A test or a sentence; what fails in part, and what does not apply, says why."""
    assert one["is"] in conformance.SAYS
    assert one.get("remark") or (one["is"] == "supports" and one.get("tests"))


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, None),
        ({"ATTENTION_REPOSITORY": "a/b"}, "https://github.com/a/b/issues"),
        ({"ATTENTION_REPOSITORY": "a/b", "SITE_CONTACT": "c@d.e"}, "mailto:c@d.e"),
        ({"SITE_CONTACT": "https://d.e/f"}, "https://d.e/f"),
    ],
)
def test_a_way_to_tell_us(environ, expected):
    assert contact(environ) == expected
    assert WHOEVER in PAGE.partition("## Tell us")[2].partition("##")[0]
