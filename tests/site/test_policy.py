"""The pages' policy: each page has one, and what it forbids is refused."""

import re

import pytest
from built_site import HTML, Watch, pages, wait_for

PAGE = "book/index.html"
STRANGER = "https://stranger.example/"
# What a page may not do: an expression, and the rule that refuses it.
REFUSED = {
    "a script written into the page": (
        "document.head.append(Object.assign(document.createElement('script'), "
        "{textContent: 'window.done = true'}))",
        "script-src",
    ),
    "code in an attribute": (
        "document.body.insertAdjacentHTML('beforeend', "
        "'<img src=data:, onerror=\\'window.done = true\\'>')",
        "script-src",
    ),
    "a script of another host": (
        "new Promise((done) => document.head.append(Object.assign("
        "document.createElement('script'), "
        f"{{src: '{STRANGER}a.js', onerror: done}}))).then(() => 0)",
        "script-src",
    ),
    "code from a string": (
        "new Promise((done) => { addEventListener('securitypolicyviolation', done); "
        "setTimeout('window.done = true'); }).then(() => 0)",
        "script-src",
    ),
    "to tell another host": (
        f"fetch('{STRANGER}').then(() => {{ window.done = true; }}, () => 0)",
        "connect-src",
    ),
    "a picture of another host": (
        "new Promise((done) => Object.assign(new Image(), "
        f"{{src: '{STRANGER}a.png', onerror: done}})).then(() => 0)",
        "img-src",
    ),
    "a page in the page": (
        "document.body.append(Object.assign(document.createElement('iframe'), "
        f"{{src: '{STRANGER}'}}))",
        "default-src",
    ),
    "another base for its links": (
        "document.head.append(Object.assign(document.createElement('base'), "
        f"{{href: '{STRANGER}'}}))",
        "base-uri",
    ),
}


def test_each_page_has_one_before_all_that_runs():
    assert {name: wrong for name in pages() if (wrong := weaknesses(name))} == {}


def weaknesses(name):
    """What is wrong with the policy of a page."""
    html = (HTML / name).read_text(encoding="utf-8")
    policy = html.find('http-equiv="Content-Security-Policy"')
    firsts = [html.find(f"<{tag}") for tag in ("link", "script", "style")]
    scripts = re.findall(r"script-src ([^;]*);", html)
    found = {
        "late": policy == -1 or any(-1 < first < policy for first in firsts),
        "eval": "unsafe-eval" in html[: html.index("</head>")],
        "scripts": len(scripts) != 1 or re.search("unsafe-inline|http", scripts[0]),
    }
    return [what for what, wrong in found.items() if wrong]


@pytest.fixture(scope="module", params=["served", "folder"])
def strict(request, browser, site):
    """A page that is told to do what it may not; nothing of that is left behind."""
    home = site if request.param == "served" else HTML.as_uri()
    context = browser.new_context()
    page = context.new_page()
    page.watch = Watch(page, home)
    page.goto(f"{home}/{PAGE}")
    yield page
    context.close()


@pytest.mark.pages(PAGE)
@pytest.mark.parametrize("what", REFUSED)
def test_refuses(strict, what):
    expression, rule = REFUSED[what]
    strict.watch.errors.clear()
    strict.evaluate(expression)
    wait_for(strict, lambda: f"{rule} " in " ".join(strict.watch.errors))
    assert strict.watch.strangers == []
    assert strict.evaluate("window.done") is None


@pytest.mark.pages(PAGE)
def test_buttons_do_what_attributes_did(open_page):
    page = open_page(PAGE)
    page.evaluate("window.print = () => { window.printed = true; }")
    press = "name => document.querySelector(`[data-press=${name}]`).click()"
    page.evaluate(press, "print")
    assert page.evaluate("window.printed")
    page.evaluate("window.toggleFullScreen = () => { window.full = true; }")
    page.evaluate(press, "fullscreen")
    assert page.evaluate("window.full")
    assert page.watch.clean(), page.watch.errors
