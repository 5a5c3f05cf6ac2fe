"""The project has one name, and every page says it."""

import html
import re

import pytest
import yaml
from built_site import HTML, ROOT, real_pages
from listed import listed

NAME = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]


def title(name):
    text = (HTML / name).read_text(encoding="utf-8")
    return html.unescape(re.search(r"<title>(.*?)</title>", text, re.DOTALL)[1])


@pytest.mark.parametrize("name", real_pages())
def test_a_page_names_itself_and_then_the_project(name):
    if name == "book/index.html":
        assert title(name) == f"{NAME}: a course on self-attention"
    else:
        own, _, project = title(name).rpartition(" – ")
        assert project == NAME
        assert own


@pytest.mark.parametrize("name", real_pages())
def test_the_title_is_the_first_heading(name):
    text = (HTML / name).read_text(encoding="utf-8")
    assert re.search(r'<h[1-6]\b|role="heading"', text)[0] == "<h1"


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
