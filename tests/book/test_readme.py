"""The README says what is so: its example runs, its picture is up to date."""

import doctest
import re
from pathlib import Path

import draw_card

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"


def test_example_prints_what_it_says():
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 4
    assert failed == 0


def test_picture_is_up_to_date():
    assert draw_card.CARD.read_text(encoding="utf-8") == draw_card.card()


def test_names_only_targets_that_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", README.read_text()))
    assert named <= targets


def test_tests_and_tools_that_are_named_exist():
    texts = [ROOT / "CONTRIBUTING.md", *ROOT.glob("*/README.md"), README]
    texts += [path for path in (ROOT / "book").rglob("*.*") if path.suffix in PAGES]
    named = re.compile(r"\b(?:tests|tools|benchmarks)/[\w/]+\.(?:py|sh)\b")
    found = {(t.name, p) for t in texts for p in named.findall(t.read_text("utf-8"))}
    assert len(found) > 5
    to_be_written = "tests/attncourse/practice/answers/row_lengths.py"
    gone = {place for _, place in found if not (ROOT / place).exists()}
    assert gone <= {to_be_written}


PAGES = (".md", ".ipynb")


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text())
    assert "LICENSE" in links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_library_has_as_many_lines_as_it_says():
    told = re.search(r"some ([\d,]+) lines", README.read_text(encoding="utf-8"))[1]
    files = (ROOT / "attnlib").rglob("*.py")
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert abs(lines - int(told.replace(",", ""))) < 300
