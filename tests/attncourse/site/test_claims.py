"""A claim's verdict stands beside the post's name, and its note says the rest."""

import re

import pytest
from docutils import nodes

from attncourse.site import claims

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
    for html in (first, second):
        (target,) = re.findall(r'popovertarget="([^"]+)"', html)
        assert f'popover class="aw-claim-note aw-wrong" id="{target}"' in html
    assert re.search('id="[^"]+"', first)[0] != re.search('id="[^"]+"', second)[0]


@pytest.mark.parametrize("verdict", claims.LABELS)
def test_every_verdict_has_words(verdict):
    html = claims.note({**CLAIM, "verdict": verdict}, 1, "")
    assert claims.LABELS[verdict] in plain(html)


def test_where_there_is_no_html_the_words_stay():
    node = claims.claim_link("", "(post 3: wrong)", claim=CLAIM, number=0)
    assert isinstance(node, nodes.TextElement)
    assert node.astext() == "(post 3: wrong)"
