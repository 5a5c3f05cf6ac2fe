"""An Atom feed of the changelog, where the site knows its own address.

`changes.xml` has an entry for each version in CHANGELOG.md: what changed, as HTML. A
version is dated by its heading (`## 0.2.0 (2027-03-01)`); one that is not released yet,
by `date-released` in CITATION.cff. Entries are named by addresses: a site that is not
told its own (SITE_ADDRESS) has no feed.
"""

import datetime
import re
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from sphinx.errors import ExtensionError

NAME = "changes.xml"
VERSION = re.compile(r"^## (\S+) \(([^)]+)\)\n", re.MULTILINE)
LINK = '<link rel="alternate" type="application/atom+xml" title="{}" href="{}" />\n'


def versions(text, undated):
    """Return the version, day and words (as HTML) of each part of a changelog."""
    _, *parts = VERSION.split(text)
    if not parts:
        raise ExtensionError("feed: CHANGELOG.md has no heading like ## 0.1.0 (date)")
    write = MarkdownIt().render
    return [
        (version, _day(when, undated), write(words))
        for version, when, words in zip(*[iter(parts)] * 3, strict=True)
    ]


def _day(when, undated):
    day = undated if when == "unreleased" else datetime.date.fromisoformat(when)
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)


def feed(config, folder):
    """Return the feed of the changelog in a folder, as XML."""
    # Here, since Binder's copies are made without what only the site needs.
    from feedgenerator import Atom1Feed

    address = config.html_baseurl
    changelog = (Path(folder) / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (Path(folder) / "CITATION.cff").read_text(encoding="utf-8")
    made = Atom1Feed(
        title=f"{config.project}: changes",
        link=address,
        feed_url=f"{address}{NAME}",
        description="What readers and users see, newest first.",
        author_name=config.author,
        language=config.language or "en",
    )
    for version, day, words in versions(
        changelog, yaml.safe_load(citation)["date-released"]
    ):
        made.add_item(
            title=version,
            link=address,
            unique_id=f"{address}{NAME}#{version}",
            description=words,
            updateddate=day,
        )
    return made.writeString("utf-8")


def _name(app, _page, _template, context, _doctree):
    """Tell readers of feeds, in each page's head, where it is."""
    if address := app.config.html_baseurl:
        link = LINK.format("Changes", f"{address}{NAME}")
        context["metatags"] = (context.get("metatags") or "") + link


def _write(app, error):
    if error is None and app.builder.name == "html" and app.config.html_baseurl:
        text = feed(app.config, app.srcdir)
        Path(app.outdir, NAME).write_text(text, encoding="utf-8")


def setup(app):
    """Connect with Sphinx: after previews, and before what packs the site."""
    app.connect("html-page-context", _name, priority=900)
    app.connect("build-finished", _write, priority=900)
