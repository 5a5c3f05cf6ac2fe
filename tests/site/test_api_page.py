"""The reference names everything that can be imported, each with an anchor."""

import pytest
from built_site import HTML

import attnlib

pytestmark = pytest.mark.pages("book/api.html")
PAGE = HTML / "book" / "api.html"
METHODS = [
    "Embedding.__call__",
    "Embedding.one_hot",
    "Decoder.__call__",
    "DecoderLayer.__call__",
    "Encoder.__call__",
    "KVCache.append",
    "Encoder.random",
    "EncoderLayer.__call__",
    "EncoderLayer.random",
    "MultiHeadAttention.__call__",
    "MultiHeadAttention.random",
    "MultiHeadAttention.weights",
    "SelfAttention.__call__",
    "SelfAttention.random",
    "SelfAttention.trace",
    "Vocabulary.decode",
    "Vocabulary.encode",
]


@pytest.fixture(scope="module")
def html():
    return PAGE.read_text(encoding="utf-8")


def test_every_public_name_has_an_anchor(html):
    names = [*attnlib.__all__, *METHODS]
    assert [n for n in names if html.count(f'id="attnlib.{n}"') != 1] == []


def test_the_checker_has_an_anchor(html):
    assert html.count('id="attncourse.practice.check"') == 1


def test_no_reference_is_left_as_markup(html):
    for markup in (":func:", ":class:", ":math:", "(..., n_queries, d_k) –"):
        assert markup not in html


def test_print_shows_what_is_folded(visit):
    page = visit("book/api.html")
    name = page.locator("[id='attnlib.softmax']")
    assert not name.is_visible()
    page.emulate_media(media="print")
    assert name.evaluate("one => one.getBoundingClientRect().height") > 0
    page.emulate_media(media="screen")


def test_a_link_opens_the_fold_that_it_leads_into(visit):
    page = visit("book/api.html")
    closed = page.locator("details.aw-names:not([open])")
    count = closed.count()
    assert count > 10
    page.evaluate("location.hash = 'attnlib.softmax'")
    page.locator("[id='attnlib.softmax']").wait_for(state="visible")
    assert closed.count() == count - 1


@pytest.mark.pages("book/sources.html")
def test_a_link_and_a_filter_open_the_folds_of_claims(open_page):
    page = open_page("book/sources.html")
    opened = page.locator("details.aw-fold[open]")
    assert opened.count() == 0
    page.evaluate("location.hash = document.querySelector('tr.aw-claim').id")
    page.locator("tr.aw-claim").first.wait_for(state="visible")
    assert opened.count() == 1
    page.locator("#aw-claims-filter").get_by_label("holds", exact=True).uncheck()
    assert opened.count() > 1
    assert page.watch.clean(), page.watch.errors
