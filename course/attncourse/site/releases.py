"""The version of a site: said at the foot of each page, and as an Atom feed.

Both are read from CHANGELOG.md, where a release has a heading with its day
(`## 0.2.0 (2027-03-01)`) and what came after it stands under `## Unreleased`. A page
says the newest release, and whether anything came after it. `changes.xml` has an entry
for each release: what changed, as HTML. Entries are named by addresses: a site that is
not told its own (SITE_ADDRESS) has no feed.
"""

import datetime
import re
from pathlib import Path

from markdown_it import MarkdownIt

from attncourse import __version__

NAME = "changes.xml"
OPEN = re.compile(r"^## Unreleased\n+[^#\n]", re.MULTILINE)
RELEASE = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)\n", re.MULTILINE)
LINK = '<link rel="alternate" type="application/atom+xml" title="{}" href="{}" />\n'


def versions(text):
    """Return the version, day and words (as HTML) of each release in a changelog."""
    _, *parts = RELEASE.split(text)
    write = MarkdownIt().render
    return [
        (version, _midnight(day), write(words))
        for version, day, words in zip(*[iter(parts)] * 3, strict=True)
    ]


def _midnight(day):
    date = datetime.date.fromisoformat(day)
    return datetime.datetime.combine(date, datetime.time(), datetime.UTC)


def feed(config, folder):
    """Return the feed of the changelog in a folder, as XML."""
    # Here, since Binder's copies are made without what only the site needs.
    from feedgenerator import Atom1Feed

    address = config.html_baseurl
    changelog = (Path(folder) / "CHANGELOG.md").read_text(encoding="utf-8")
    made = Atom1Feed(
        title=f"{config.project}: changes",
        link=address,
        feed_url=f"{address}{NAME}",
        description="What readers and users see, newest first.",
        author_name=config.author,
        language=config.language or "en",
    )
    for version, day, words in versions(changelog):
        made.add_item(
            title=version,
            link=address,
            unique_id=f"{address}{NAME}#{version}",
            description=words,
            updateddate=day,
        )
    return made.writeString("utf-8")


def version_line(changelog):
    """Return what a page says of the version that it is of."""
    released = versions(changelog)
    if not released:
        return f"Version {__version__}, not released yet"
    version, day, _ = released[0]
    since = ", with changes since" if OPEN.search(changelog) else ""
    return f"Version {version} ({day:%Y-%m-%d}){since}"


def version_of(app):
    """Return what the pages of a book say of its version: "" without a changelog."""
    path = Path(app.srcdir) / "CHANGELOG.md"
    return version_line(path.read_text(encoding="utf-8")) if path.exists() else ""


def _say_version(app, config):
    if line := version_of(app):
        said = f'<p class="aw-version">{line}</p>'
        extra = config.html_theme_options.get("extra_footer", "")
        config.html_theme_options["extra_footer"] = f"{extra}{said}"


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
    app.connect("config-inited", _say_version, priority=400)
    app.connect("html-page-context", _name, priority=900)
    app.connect("build-finished", _write, priority=900)
