"""The path on the landing page, the table of contents and the lessons agree."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml
from listed import LEFT_OUT, listed

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
LESSONS = sorted(BOOK.glob("[01]*.ipynb"))


def sources(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def title(path):
    return sources(path)[0].splitlines()[0].removeprefix("# ")


@pytest.fixture(scope="module")
def landing():
    return "\n".join(sources(BOOK / "index.ipynb"))


def test_the_path_names_each_lesson_by_its_title(landing):
    path = re.findall(r"^(\d+)\. \[(.+?)\]\((.+?)\)", landing, re.MULTILINE)
    expected = [(str(i), title(p), p.name) for i, p in enumerate(LESSONS, 1)]
    assert path == expected


def test_the_table_of_contents_has_the_lessons_in_this_order():
    lessons = [name for name in listed() if re.match(r"book/\d", name)]
    written = [f"book/{path.stem}" for path in LESSONS]
    assert lessons == [name for name in written if name in lessons]


def test_under_its_own_name_the_course_has_every_page_and_every_test(pytestconfig):
    """A course of fewer pages has a title of its own in `_config.yml`."""
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
    files = [*BOOK.rglob("*.ipynb"), *BOOK.rglob("*.md")]
    written = {p.relative_to(ROOT).with_suffix("").as_posix() for p in files}
    left_out = sorted(written - {*listed()})
    left_out += pytestconfig.stash.get(LEFT_OUT, [])  # tests, misspelled ones too
    hint = "List these in _toc.yml, or give a course without them another title"
    assert title != "Attention, Worked Out" or left_out == [], hint


def test_each_lesson_says_its_number_and_its_time():
    for number, path in enumerate(LESSONS, 1):
        meta = rf"\n:::\{{div\}} aw-meta\nLesson {number} · \d\d minutes\b"
        assert re.search(meta, sources(path)[0]), path.stem
