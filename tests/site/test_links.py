"""Every link from one page of the site to another leads somewhere."""

import sys
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from built_site import HTML, pages
from listed import listed

ATTRIBUTES = {"a": "href", "link": "href", "script": "src", "img": "src"}


class Page(HTMLParser):
    """The links of a page and the places in it that a link can name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = set(), {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if link := attributes.get(ATTRIBUTES.get(tag, "")):
            self.links.add(link)
        self.places.add(attributes.get("id"))
        if tag == "a":
            self.places.add(attributes.get("name"))


@cache
def page(path):
    return Page(path)


def dead(name, link):
    """Say why an internal link leads nowhere, or return None."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    here = HTML / name
    if name == "404.html":  # shown at any address, so its links start at the root
        parts = parts._replace(path=parts.path.removeprefix("/"))
    target = (here.parent / unquote(parts.path)).resolve() if parts.path else here
    if target.is_dir():
        target = target / "index.html"
    if HTML.resolve() not in target.resolve().parents:
        return f"{link}: outside the site"
    if not target.is_file():
        return f"{link}: no such file"
    if target.suffix == ".html" and unquote(parts.fragment) not in page(target).places:
        return f"{link}: no such place"
    return None


def test_internal_links_resolve():
    found = {
        (name, dead(name, link))
        for name in pages()
        for link in page(HTML / name).links
        if dead(name, link)
    }
    assert found == set()


def test_a_dead_link_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "HTML", tmp_path)
    (tmp_path / "one.html").write_text('<h1 id="here"></h1>')
    (tmp_path / "two.html").write_text("")
    assert dead("two.html", "one.html#here") is None
    assert dead("two.html", "one.html#there") == "one.html#there: no such place"
    assert dead("two.html", "three.html") == "three.html: no such file"
    assert dead("two.html", "../x.html") == "../x.html: outside the site"
    assert dead("two.html", "https://elsewhere.org/x") is None


def test_page_for_no_page_leads_back_from_any_depth(open_page, site):
    """A host shows 404.html, as it is, at whatever address was asked for."""
    place = "book/deeper/still/nothing.html"
    page = open_page("book/index.html")
    body = (HTML / "404.html").read_text(encoding="utf-8")
    page.route(f"**/{place}", lambda route: route.fulfill(status=404, body=body))
    links = page.locator("main a")
    for at in range(2 + ("book/start" in listed())):
        page.goto(f"{site}/{place}")
        assert links.count() == 2 + ("book/start" in listed())
        with page.expect_navigation() as arrived:
            links.nth(at).click()
        assert arrived.value.ok
        assert page.locator("article, main.bd-main").count()


def test_page_for_no_page_asks_for_no_file_beside_it():
    """Where it is shown there may be none; not every browser asks for its icon."""
    links = page(HTML / "404.html").links
    assert {link for link in links if not link.endswith(".html")} == {
        link for link in links if link.startswith("data:image/")
    }
