"""The feed of the changelog: an entry a version, and none without an address."""

import datetime
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from attncourse.site import feed

ATOM = {"a": "http://www.w3.org/2005/Atom"}
CHANGELOG = """\
# Changelog

## 0.2.0 (unreleased)

- A *second* thing.

## 0.1.0 (2026-01-02)

- A first thing.
"""


@pytest.fixture
def made(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text("date-released: 2026-11-21\n")
    names = {"project": "A course", "author": "Someone", "language": "en"}
    config = SimpleNamespace(html_baseurl="https://example.org/c/", **names)
    return ET.fromstring(feed.feed(config, tmp_path))


def test_each_version_is_an_entry_with_its_day_and_its_words(made):
    entries = made.findall("a:entry", ATOM)
    assert [one.findtext("a:title", "", ATOM) for one in entries] == ["0.2.0", "0.1.0"]
    days = [one.findtext("a:updated", "", ATOM)[:10] for one in entries]
    assert days == ["2026-11-21", "2026-01-02"]
    assert "<em>second</em>" in entries[0].findtext("a:summary", "", ATOM)


def test_its_addresses_are_those_of_the_site(made):
    links = {link.get("rel"): link.get("href") for link in made.findall("a:link", ATOM)}
    address = "https://example.org/c/"
    assert links == {"alternate": address, "self": f"{address}changes.xml"}
    identities = [one.text for one in made.findall("a:entry/a:id", ATOM)]
    assert identities == [f"{address}changes.xml#{v}" for v in ("0.2.0", "0.1.0")]


def test_a_changelog_without_versions_is_refused():
    with pytest.raises(ExtensionError, match="no heading like"):
        feed.versions("# Changelog\n\nNothing.", datetime.date(2026, 1, 1))


def test_the_project_has_a_changelog_that_can_be_read(request):
    text = (request.config.rootpath / "CHANGELOG.md").read_text(encoding="utf-8")
    assert feed.versions(text, datetime.date(2026, 1, 1))


def test_a_site_without_an_address_has_no_feed(tmp_path):
    config = SimpleNamespace(html_baseurl="")
    builder = SimpleNamespace(name="html")
    app = SimpleNamespace(config=config, builder=builder, outdir=tmp_path)
    feed._write(app, None)
    context = {"metatags": ""}
    feed._name(app, "index", "", context, None)
    assert not list(tmp_path.iterdir())
    assert not context["metatags"]
