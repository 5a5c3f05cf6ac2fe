"""Versions on the site: a line on each page, and a feed."""

import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

import attncourse
from attncourse.site import releases

ATOM = {"a": "http://www.w3.org/2005/Atom"}
CHANGELOG = """\
# Changelog

## Unreleased

- A third thing.

## 0.2.0 (2026-11-21)

- A *second* thing.

## 0.1.0 (2026-01-02)

- A first thing.
"""


@pytest.fixture
def made(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    names = {"project": "A course", "author": "Someone", "language": "en"}
    config = SimpleNamespace(html_baseurl="https://example.org/c/", **names)
    return ET.fromstring(releases.feed(config, tmp_path))


def test_each_release_is_an_entry_with_its_day_and_its_words(made):
    entries = made.findall("a:entry", ATOM)
    assert [one.findtext("a:title", "", ATOM) for one in entries] == ["0.2.0", "0.1.0"]
    days = [one.findtext("a:updated", "", ATOM)[:10] for one in entries]
    assert days == ["2026-11-21", "2026-01-02"]
    assert "<em>second</em>" in entries[0].findtext("a:summary", "", ATOM)
    assert "third" not in ET.tostring(made, "unicode")


def test_its_addresses_are_those_of_the_site(made):
    links = {link.get("rel"): link.get("href") for link in made.findall("a:link", ATOM)}
    address = "https://example.org/c/"
    assert links == {"alternate": address, "self": f"{address}changes.xml"}
    identities = [one.text for one in made.findall("a:entry/a:id", ATOM)]
    assert identities == [f"{address}changes.xml#{v}" for v in ("0.2.0", "0.1.0")]


def test_before_the_first_release_it_is_empty():
    assert releases.versions("# Changelog\n\n## Unreleased\n\n- A thing.\n") == []


def test_a_site_without_an_address_has_no_feed(tmp_path):
    config = SimpleNamespace(html_baseurl="")
    builder = SimpleNamespace(name="html")
    app = SimpleNamespace(config=config, builder=builder, outdir=tmp_path)
    releases._write(app, None)
    context = {"metatags": ""}
    releases._name(app, "index", "", context, None)
    assert not list(tmp_path.iterdir())
    assert not context["metatags"]


def test_a_page_says_which_version_it_is_of():
    said = releases.version_line
    assert said(CHANGELOG) == "Version 0.2.0 (2026-11-21), with changes since"
    as_released = CHANGELOG.replace("- A third thing.\n\n", "")
    assert said(as_released) == "Version 0.2.0 (2026-11-21)"
    before = CHANGELOG.partition("## 0.2.0")[0]
    assert said(before) == f"Version {attncourse.__version__}, not released yet"
