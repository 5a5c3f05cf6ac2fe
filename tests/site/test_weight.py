"""What each page's text says of scripts that hold it up; jumps on a phone.

What a visit weighs is looked at in `test_pages.py`, with all else on the page.
"""

import re

import pytest
from built_site import HTML, PHONE, now, pages_with_figures, real_pages
from visits import opened

pytestmark = pytest.mark.long

# On a phone, in `make test`: the first page, and one with a figure in its text.
FEW = ("book/index.html", "book/03_scaling.html")
SHIFT = 0.02


def test_no_script_holds_up_a_page():
    later = re.compile(r"\b(defer|async)\b")
    for name in real_pages():
        html = (HTML / name).read_text(encoding="utf-8")
        scripts = re.findall(r"<script\b([^>]*\ssrc=[^>]*)>", html)
        assert scripts or name == "404.html"  # which has none
        assert [one for one in scripts if not later.search(one)] == [], name


def test_each_page_says_what_it_is():
    icon = re.compile(r'<link rel="icon" href="(data:image/|[^"]*favicon\.svg")')
    for name in real_pages():
        html = (HTML / name).read_text(encoding="utf-8")
        (description,) = re.findall(r'<meta name="description" content="([^"]+)"', html)
        assert 20 <= len(description) <= 250, name
        assert html.count('<meta name="viewport"') == 1, name
        assert icon.search(html), name


@pytest.mark.parametrize("name", now(pages_with_figures(), FEW))
def test_nothing_moves_on_a_phone_either(browser, site, name):
    page = opened(browser, site, name, PHONE, scrolled=False)
    page.context.close()
    assert page.live or page.covered  # until one has guessed
    assert page.shift < SHIFT
