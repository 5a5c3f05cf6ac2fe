"""The page on accessibility: every criterion once, and evidence that is there."""

import re

from built_site import ROOT

PAGE = (ROOT / "book" / "accessibility.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (\d\.\d\.\d+) [^|]+ \| (A|AA) \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE
)
FOLDERS = ("tests/site", "tests/sphinx_nokernel")
# WCAG 2.2: how many criteria of levels A and AA each guideline has (4.1.1 is gone).
COUNTS = {
    **{"1.1": 1, "1.2": 5, "1.3": 5, "1.4": 9, "2.1": 3, "2.2": 2, "2.3": 1, "2.4": 8},
    **{"2.5": 6, "3.1": 2, "3.2": 5, "3.3": 6, "4.1": 2},
}


def ours():
    paths = [path for one in FOLDERS for path in (ROOT / one).glob("test_*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return {name for text in texts for name in re.findall(r"def test_(\w+)\(", text)}


def test_every_criterion_is_there_once():
    rows = [number for number, *_ in ROW.findall(PAGE)]
    assert len(set(rows)) == len(rows)
    found = {one: sum(r.startswith(f"{one}.") for r in rows) for one in COUNTS}
    assert found == COUNTS


def test_all_evidence_is_a_test_of_ours():
    named = {
        name for row in ROW.findall(PAGE) for name in re.findall("`(.+?)`", row[3])
    }
    after = PAGE.partition("## Without scripts")[2]
    named |= {one for one in re.findall("`(.+?)`", after) if "/" not in one}
    assert named - ours() == set()


def test_what_is_tested_has_evidence_and_what_is_not_has_none():
    rows = ROW.findall(PAGE)
    assert rows
    for number, _, state, evidence in rows:
        assert (state.strip("* ").startswith("tested")) == ("`" in evidence), number
