"""Metadata of a lesson, schema.org's LearningResource, from what is shown."""

import json
import re

import pytest

SETTINGS = {
    "extensions": [
        "myst_nb",
        "sphinx_design",
        "attncourse.site.terms",
        "attncourse.site.previews",
        "attncourse.site.found",
    ],
    "attncourse_lessons": r"\d\d_",
    "project": "Small course",
    "author": "somebody",
}
INDEX = "# Book\n\n```{toctree}\n01_a\n02_b\n```\n"
LESSON = "# A title & `code`\n\n:::{div} aw-meta\n%s\n:::\n\nWords.\n"


@pytest.fixture
def built(book):
    book.write("index.md", INDEX).write("01_a.md", "# First </script>\n\nWords.\n")
    facts = "Lesson 2 · 25 minutes · needs [lesson 1](01_a.md)"
    book.write("02_b.md", LESSON % facts)

    def build(**settings):
        book.build(**SETTINGS, **settings)
        return {name: found(book.page(name)) for name in ("01_a", "02_b")}

    return build


def found(html):
    pattern = r'<script type="application/ld\+json">(.*?)</script>'
    (text,) = re.findall(pattern, html)
    return json.loads(text)


def test_says_what_a_reader_sees(built):
    lesson = built()["02_b"]
    assert lesson["@type"] == "LearningResource"
    assert lesson["name"] == "A title & code"
    assert lesson["timeRequired"] == "PT25M"
    assert lesson["competencyRequired"] == ["First </script>"]
    assert lesson["isPartOf"]["name"] == "Small course"
    assert lesson["author"]["name"] == "somebody"
    assert lesson["license"].startswith("https://creativecommons.org/licenses/by/4.0")


def test_says_nothing_that_a_page_does_not(built):
    first = built()["01_a"]
    assert not {"timeRequired", "competencyRequired", "url"} & first.keys()


def test_has_its_address_where_the_site_has_one(built):
    home = "https://example.org/course/"
    assert built(html_baseurl=home)["02_b"]["url"] == f"{home}02_b.html"


def test_other_pages_are_no_lessons(book, built):
    built()
    assert "ld+json" not in book.page("index")
