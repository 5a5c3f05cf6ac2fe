"""Pages and parts of pages that the build writes."""

import html
import json
import re

import pytest
from books import Book
from docutils import nodes

from attncourse.practice import EXERCISES
from attncourse.site import claims
from attncourse.site.boxes import button
from attncourse.site.plain_text import first_sentences, plain_text, spoken
from attncourse.site.sidebar import numbered

CLAIM = {"id": "post3-x", "post": 3, "says": "It is <0.03>", "verdict": "wrong"}


def plain(html):
    return re.sub("<[^>]+>", "", html)


def test_the_verdict_is_the_posts():
    html = claims.note(CLAIM, 1, "sources.html")
    button, note = html.split("</button>")
    assert plain(button) == "post 3: wrong"
    assert plain(note).startswith("Post 3 says: It is &lt;0.03&gt;")
    assert 'href="sources.html#post3-x"' in note


def test_the_short_form_says_what_the_post_says():
    html = claims.note({**CLAIM, "short": "prints 0.03"}, 1, "sources.html")
    assert plain(html).startswith("post 3 prints 0.03: wrong")


def test_the_button_opens_its_own_note():
    first, second = (claims.note(CLAIM, number, "") for number in (1, 2))
    for note in (first, second):
        (target,) = re.findall(r'popovertarget="([^"]+)"', note)
        assert f'popover class="aw-claim-note aw-wrong" id="{target}"' in note
    assert re.search('id="[^"]+"', first)[0] != re.search('id="[^"]+"', second)[0]


@pytest.mark.parametrize("verdict", claims.LABELS)
def test_every_verdict_has_words(verdict):
    html = claims.note({**CLAIM, "verdict": verdict}, 1, "")
    assert claims.LABELS[verdict] in plain(html)


def test_where_there_is_no_html_the_words_stay():
    node = claims.claim_link("", "(post 3: wrong)", claim=CLAIM, number=0)
    assert isinstance(node, nodes.TextElement)
    assert node.astext() == "(post 3: wrong)"


PARTS = ("attncourse.site.mistakes", "attncourse.site.next_page")
EXTENSIONS = ["myst_nb", "sphinx_nokernel", *PARTS]
TOC = "# Book\n\n```{toctree}\nfirst\nagain\nevery\n```\n"
ASKS = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
CELL = {"cell_type": "markdown", "id": "a", "metadata": {}}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    book = Book(tmp_path_factory.mktemp("mistakes"))
    source = '# Asked first\n\n`check("softmax", mine)`\n\n**Next:** [](every.md)'
    first = {**ASKS, "cells": [{**CELL, "source": [source]}]}
    book.write("index.md", TOC).write("first.ipynb", json.dumps(first))
    book.write(
        "again.md", '# Asked again\n\n`check("softmax", x)`, `check("project", x)`'
    )
    book.write("every.md", "# Every\n\n:::{every-mistake}\n:::\n")
    book.build(extensions=EXTENSIONS, suppress_warnings=["config.cache"])
    assert book.complaints == ""
    return book


@pytest.fixture(scope="module")
def sections(built):
    """The section of each exercise, without tags."""
    found = {}
    for part in built.page("every").split("<section ")[2:]:
        name = re.search(r'id="([\w-]+)"', part)[1].replace("-", "_")
        found[name] = part
    return found


def test_next_leads_where_the_text_does_past_the_page_behind(built):
    assert '<link rel="next" title="Every" href="every.html"' in built.page("first")


def mistakes_plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def test_each_exercise_has_a_section_in_the_order_of_the_lessons(sections):
    assert list(sections) == list(EXERCISES)


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.mistakes])
def test_every_mistake_is_there_with_its_look_and_formulas(sections, name):
    if name == "one_pass_attention":
        assert 'href="#attention"' in sections[name]
        return
    text = mistakes_plain(sections[name])
    for one in EXERCISES[name].mistakes:
        for words in (one.code, one.cause, one.look):
            assert " ".join(words.replace("`", "").split()) in text
    n_codes = len({one.code for one in EXERCISES[name].mistakes})
    counts = f"{len(EXERCISES[name].mistakes)} mistakes with {n_codes} names"
    assert f"<summary>{counts}</summary>" in sections[name]
    assert "✗ For " in text


def test_formulas_are_those_of_the_table(sections):
    text = mistakes_plain(sections["project"])
    assert "using the weights transposed: output = x @ w.T" in text
    inside = mistakes_plain(sections["masked_multi_head_attention"])
    assert "hidden = np.where(mask, -np.inf, scaled)" in inside  # wrapped for heads


def test_a_cause_with_several_formulas_is_said_once(sections):
    text = mistakes_plain(sections["look_up"])
    assert text.count("taking columns of the table:") == 1
    assert "rows = table[:, token_ids], or rows = table.T[token_ids]" in text


def test_mistakes_that_are_read_from_the_answer_are_there_too(sections):
    assert "rows-columns-swapped" in sections["causal_mask"]


def test_the_first_page_that_asks_is_linked(sections):
    asked = {
        n: re.search(r'Asked in “<a [^>]*href="(\w+\.html)"', s)
        for n, s in sections.items()
    }
    assert {n: a[1] for n, a in asked.items() if a} == {
        "softmax": "first.html",
        "project": "again.html",
    }


def test_folded_mistakes_are_found_by_the_search(built):
    index = (built.out / "searchindex.js").read_text()
    assert "softmax-jacobian-missing" not in index  # split at its hyphens
    assert "jacobian" in index


SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.machine_at"],
    "suppress_warnings": ["config.cache"],
}
PARTS_ASKS = (
    "# One\n\nSee {machine-at}`its weights <stage=4&at=A.4.0&edits=0.X.0.0.0>`.\n"
)


def write(book, *pages):
    book.write("index.md", "# Book\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n")
    book.write("book/one.md", PARTS_ASKS)


def test_words_lead_to_the_state(book):
    write(book, "book/one", "book/machine")
    book.write("book/machine.md", "# The machine\n").build(**SETTINGS)
    address = "machine.html?stage=4&amp;at=A.4.0&amp;edits=0.X.0.0.0"
    page = book.page("book/one")
    assert f'href="{address}"' in page
    assert ">its weights</a>." in page


def test_without_the_machine_the_words_stay(book):
    write(book, "book/one")
    book.build(**SETTINGS)
    page = book.page("book/one")
    assert "See its weights." in page
    assert book.complaints == ""


def test_lessons_are_numbered_by_their_files():
    toc = '<a class="current internal" href="#">A</a><a class="internal" href="x.html">'
    assert 'href="#" data-number="7"' in numbered(toc, "book/07_positional_encoding")
    assert "data-number" not in numbered(toc, "book/glossary")
    caption = '<p aria-level="2" class="caption" role="heading"><span>Basics</span></p>'
    assert numbered(caption, "index") == '<p class="caption"><span>Basics</span></p>'
    assert 'data-number="12"' in numbered('<a class="x" href="12_from.html">', "index")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\sqrt{d_k}", "√d_k"),
        (r"\sqrt{\text{variance} + \text{eps}}", "√(variance + eps)"),
        (r"{\htmlClass{aw-query}{Q}}K^\top", "QKᵀ"),
        (r"e^{s_i} / \sum_j e^{s_j}", "exp(s_i) / Σ_j exp(s_j)"),
        (r"\max(0, x)", "max(0, x)"),
    ],
)
def test_formulas_as_words(latex, text):
    assert spoken(latex) == text


def test_words_and_first_sentences():
    paragraph = nodes.paragraph(
        "", "", nodes.Text("Divide by\n"), nodes.math("", r"\sqrt{2}")
    )
    assert plain_text(paragraph) == "Divide by √2"
    assert first_sentences("One two. Three four. Five.", 20) == "One two. Three four."
    assert first_sentences("One two three four five", 12) == "One two…"


def test_it_says_where_reports_go_and_of_which_version():
    made = button("owner/course", "", 'Version "1" <x>')
    assert 'data-repository="owner/course" data-mail=""' in made
    assert 'data-version="Version &quot;1&quot; &lt;x&gt;"' in made
    assert " hidden " in made  # until its script is there


def test_a_site_that_names_nobody_has_it_too():
    assert 'data-repository="" data-mail=""' in button(None, "", "")


FOUND_SETTINGS = {
    "extensions": [
        "myst_nb",
        "sphinx_design",
        "attncourse.site.terms",
        "attncourse.site.previews",
        "attncourse.site.search",
    ],
    "attncourse_lessons": r"\d\d_",
    "project": "Small course",
    "author": "somebody",
}
INDEX = "# Book\n\n```{toctree}\n01_a\n02_b\n```\n"
LESSON = "# A title & `code`\n\n:::{div} aw-meta\n%s\n:::\n\nWords.\n"


@pytest.fixture
def found_built(book):
    book.write("index.md", INDEX).write("01_a.md", "# First </script>\n\nWords.\n")
    facts = "Lesson 2 · 25 minutes · needs [lesson 1](01_a.md)"
    book.write("02_b.md", LESSON % facts)

    def build(**settings):
        book.build(**FOUND_SETTINGS, **settings)
        return {name: found(book.page(name)) for name in ("01_a", "02_b")}

    return build


def found(html):
    pattern = r'<script type="application/ld\+json">(.*?)</script>'
    (text,) = re.findall(pattern, html)
    return json.loads(text)


def test_says_of_lessons_what_a_reader_sees_and_no_more(book, found_built):
    first, lesson = found_built().values()
    assert lesson["@type"] == "LearningResource"
    assert lesson["name"] == "A title & code"
    assert lesson["timeRequired"] == "PT25M"
    assert lesson["competencyRequired"] == ["First </script>"]
    assert lesson["isPartOf"]["name"] == "Small course"
    assert lesson["author"]["name"] == "somebody"
    assert lesson["license"].startswith("https://creativecommons.org/licenses/by/4.0")
    assert not {"timeRequired", "competencyRequired", "url"} & first.keys()
    assert "ld+json" not in book.page("index")


def test_has_its_address_where_the_site_has_one(found_built):
    home = "https://example.org/course/"
    assert found_built(html_baseurl=home)["02_b"]["url"] == f"{home}02_b.html"
