"""The path on the landing page, the table of contents and the lessons agree."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml
from listed import LEFT_OUT, listed

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
LESSONS = sorted(BOOK.glob("[0-9]*.ipynb"))


TITLE = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
# A course of fewer lessons, or in another order, has a title of its own.
only_here = pytest.mark.skipif(TITLE != "Attention, Worked Out", reason="a fork")


def sources(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def title(path):
    return sources(path)[0].splitlines()[0].removeprefix("# ")


@pytest.fixture(scope="module")
def landing():
    return "\n".join(sources(BOOK / "index.ipynb"))


def test_the_path_names_each_lesson_by_its_number_and_title(landing):
    """Lessons that are not in the book may be on it: the build takes them out."""
    path = re.findall(r"^(\d+)\. \[(.+?)\]\((.+?)\)", landing, re.MULTILINE)
    told = {(str(int(p.name[:2])), title(p), p.name) for p in LESSONS}
    lessons = {p.name for p in LESSONS if f"book/{p.stem}" in listed()}
    assert set(path) <= told
    assert {name for *_, name in path} >= lessons


@only_here
def test_the_table_of_contents_has_every_lesson_in_the_order_of_the_path(landing):
    path = re.findall(r"^\d+\. \[.+?\]\((.+?)\.ipynb\)", landing, re.MULTILINE)
    lessons = [name for name in listed() if re.match(r"book/\d", name)]
    assert lessons == [f"book/{name}" for name in path]


@only_here
def test_under_its_own_name_the_course_has_every_page_and_every_test(pytestconfig):
    """A course of fewer pages has a title of its own in `_config.yml`."""
    files = [*BOOK.rglob("*.ipynb"), *BOOK.rglob("*.md")]
    written = {p.relative_to(ROOT).with_suffix("").as_posix() for p in files}
    left_out = sorted(written - {*listed()})
    left_out += pytestconfig.stash.get(LEFT_OUT, [])  # tests, misspelled ones too
    hint = "List these in _toc.yml, or give a course without them another title"
    assert left_out == [], hint


def test_each_lesson_says_its_number_and_its_time():
    for path in LESSONS:
        number = int(path.name[:2])
        meta = rf"\n:::\{{div\}} aw-meta\nLesson {number} · \d\d minutes\b"
        assert re.search(meta, sources(path)[0]), path.stem
