"""The policy of a page names what it runs, and no page has code in attributes."""

import pytest
from sphinx.errors import ExtensionError

from attncourse.site.policy import with_policy

HEAD = '<head><meta charset="utf-8">'
# of the script below, by openssl
DIGEST = "'sha256-xY6QKfH9PRsQnLz56nj6MBwiK5oHg+im1Jkpdp1x/Ck='"


def test_scripts_in_the_page_are_named_by_their_digests():
    html = with_policy(
        f"{HEAD}<script>let a = 1;</script><script src='a.js'></script>"
        '<script type="application/ld+json">{}</script></head>'
    )
    policy = html[html.index("Content-Security-Policy") :].partition(">")[0]
    assert policy.count("sha256-") == 1
    assert DIGEST in policy
    assert html.index("Content-Security-Policy") < html.index("<script")


def test_buttons_keep_what_they_do():
    html = with_policy(f'{HEAD}</head><button class="a" onclick="window.print()">')
    assert '<button class="a" data-press="print">' in html


@pytest.mark.parametrize(
    "page",
    [
        f'{HEAD}</head><a href="x" title="y" onclick="go()">',
        "<head></head>",
    ],
    ids=["code in an attribute", "no charset"],
)
def test_what_it_cannot_cover_stops_the_build(page):
    with pytest.raises(ExtensionError, match="policy: "):
        with_policy(page)


def test_words_that_look_like_code_are_words():
    page = f'{HEAD}<meta name="a" content="b onclick=c"></head><p>onload="x"</p>'
    assert 'content="b onclick=c"' in with_policy(page)
