"""Addresses in link previews, with and without `SITE_ADDRESS`; the site's front door.

sphinxext-opengraph joins every address to that of the site. Where none is given, what
is left of one leads nowhere from a page in a folder: the page's own address is left out
then, and its picture is named as seen from the page. And whoever sends a friend the
address of the whole site sends a page that only leads on to the first one: it gets that
one's title, description and picture. The page for wrong addresses is shown at any: its
icon is in the page, to be asked for at none.
"""

import base64
import mimetypes
import posixpath
import re
from pathlib import Path

PAGE = re.compile(r'<meta property="og:url"[^>]*/>\n?')
PICTURE = re.compile(r'(<meta property="og:image" content=")([^":]+)(")')
PREVIEW = re.compile(
    r'<title>.*?</title>|<meta (?:property="og|name="(?:desc|tw)).*?/>'
)
DOOR = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8" />
<meta http-equiv="Refresh" content="0; url={first}" />
{preview}
</head><body><a href="{first}">{first}</a></body></html>
"""


def without_address(tags, page):
    """Return the preview tags of a page of a site whose address is not known."""
    folder = posixpath.dirname(page) or "."
    return PICTURE.sub(
        lambda found: f"{found[1]}{posixpath.relpath(found[2], folder)}{found[3]}",
        PAGE.sub("", tags),
    )


def front_door(first, text):
    """Return the page that leads to the first one, previewed as that one is."""
    tags = "\n".join(PREVIEW.findall(text))
    tags = re.sub(
        r'(og:image" content=")([^":]+)"',
        lambda found: (
            f'{found[1]}{posixpath.normpath(posixpath.join(first, "..", found[2]))}"'
        ),
        tags,
    )
    return DOOR.format(first=first, preview=tags)


def in_page(picture):
    """Return the address of a picture that carries all of it."""
    kind, data = mimetypes.guess_type(picture)[0], Path(picture).read_bytes()
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _mend(app, page, _template, context, _doctree):
    if page == "404" and app.config.html_favicon:
        context["icon"] = in_page(Path(app.confdir, app.config.html_favicon))
    if not app.config.ogp_site_url:
        context["metatags"] = without_address(context.get("metatags") or "", page)


def _write_door(app, error):
    first = f"{app.config.root_doc}.html"
    if error is None and app.builder.format == "html" and first != "index.html":
        page = Path(app.outdir, first)
        if page.exists():
            text = front_door(first, page.read_text(encoding="utf-8"))
            Path(app.outdir, "index.html").write_text(text, encoding="utf-8")


def setup(app):
    """Connect with Sphinx, after sphinxext-opengraph."""
    app.connect("html-page-context", _mend, priority=800)
    app.connect(
        "build-finished", _write_door, priority=900
    )  # before what packs the site
