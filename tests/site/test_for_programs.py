"""Pages for programs that read: a list of them, and each as Markdown."""

import os
import re

import pytest
from built_site import HTML
from listed import listed

LINK = re.compile(r"^- \[(.+)\]\((\S+)\.md\)$", re.MULTILINE)
ALTERNATE = '<link rel="alternate" type="text/markdown" href="{}.md">'


def read(name):
    return (HTML / name).read_text(encoding="utf-8")


def test_every_page_is_listed_once_with_a_copy():
    names = [name for _, name in LINK.findall(read("llms.txt"))]
    assert sorted(names) == sorted({*listed(), "book/index"})
    assert all((HTML / f"{name}.md").is_file() for name in names)


@pytest.mark.parametrize("name", listed())
def test_a_copy_is_text_and_the_page_names_it(name):
    copy, page = read(f"{name}.md"), read(f"{name}.html")
    assert copy.startswith("# ")
    assert not re.search(r"<(svg|script|style|nav)\b", copy)
    assert ALTERNATE.format(name.rpartition("/")[2]) in page
    assert "copy-as-markdown" not in page


@pytest.mark.pages("book/03_scaling.html")
def test_a_copy_has_formulas_code_pictures_questions_and_linked_words():
    copy = read("book/03_scaling.md")
    assert r"\text{scores} = QK^\top" in copy
    assert "walks = np.array(list(product([-1, 1], repeat=d_k)))" in copy
    assert "[Picture: How widely scores spread" in copy
    assert re.search(r"^\* Twice as wide$", copy, re.MULTILINE)
    assert "has the query (6, 0)" in copy


def test_there_is_a_feed_where_the_site_knows_its_address():
    told = bool(os.environ.get("SITE_ADDRESS"))
    assert (HTML / "changes.xml").exists() == told
    assert ("application/atom+xml" in read("book/index.html")) == told
