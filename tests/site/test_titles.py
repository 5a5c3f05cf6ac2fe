"""The project has one name, and every page says it."""

import html
import re

import yaml
from built_site import HTML, ROOT, real_pages
from listed import listed

NAME = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]


def title(name):
    text = (HTML / name).read_text(encoding="utf-8")
    return html.unescape(re.search(r"<title>(.*?)</title>", text, re.DOTALL)[1])


def is_right(name):
    """Whether a page names itself, and then the project."""
    if name == "book/index.html":
        return title(name) == f"{NAME}: a course on self-attention"
    own, _, project = title(name).rpartition(" – ")
    return own and project == NAME


def test_a_page_names_itself_and_then_the_project():
    assert {name: title(name) for name in real_pages() if not is_right(name)} == {}


def test_the_title_is_the_first_heading():
    texts = {name: (HTML / name).read_text(encoding="utf-8") for name in real_pages()}
    heading = re.compile(r'<h[1-6]\b|role="heading"')
    first = {name: heading.search(text) for name, text in texts.items()}
    assert [name for name, found in first.items() if found[0] != "<h1"] == []


def test_no_two_pages_have_the_same_title():
    titles = [title(name) for name in real_pages()]
    assert len(set(titles)) == len(titles)


def test_the_inventory_for_other_books_has_the_name():
    assert f"# Project: {NAME}\n".encode() in (HTML / "objects.inv").read_bytes()[:200]


def test_link_previews_have_the_name():
    for name in listed():
        text = (HTML / f"{name}.html").read_text(encoding="utf-8")
        found = re.search(rf'property="og:site_name" content="{re.escape(NAME)}', text)
        assert found, name
