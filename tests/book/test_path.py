"""The path on the landing page, the table of contents and the lessons agree."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml

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
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    files = [one["file"] for part in contents["parts"] for one in part["chapters"]]
    lessons = [file for file in files if re.match(r"book/\d", file)]
    assert lessons == [f"book/{path.stem}" for path in LESSONS]


def test_each_lesson_says_its_number_and_its_time():
    for number, path in enumerate(LESSONS, 1):
        meta = rf"\n:::\{{div\}} aw-meta\nLesson {number} · \d\d minutes\b"
        assert re.search(meta, sources(path)[0]), path.stem
