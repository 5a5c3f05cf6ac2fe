"""Small parts of a page: plain text, numbers of lessons, a button, words that lead."""

import pytest
from docutils import nodes

from attncourse.site.lesson_numbers import numbered
from attncourse.site.plain_text import first_sentences, plain_text, spoken
from attncourse.site.report import button

SETTINGS = {
    "extensions": ["myst_nb", "attncourse.site.machine_at"],
    "suppress_warnings": ["config.cache"],
}
ASKS = "# One\n\nSee {machine-at}`its weights <stage=4&at=A.4.0&edits=0.X.0.0.0>`.\n"


def write(book, *pages):
    book.write("index.md", "# Book\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n")
    book.write("book/one.md", ASKS)


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
