"""What is read off a page as plain text, and the numbers in the side bar."""

import pytest
from docutils import nodes

from attncourse.site.lesson_numbers import numbered
from attncourse.site.plain_text import first_sentences, plain_text, spoken


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
