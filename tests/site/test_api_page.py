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
