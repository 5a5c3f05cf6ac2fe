"""Join the style sheets that every page loads first.

Each sheet in a page's head is a request that delays the first paint. Those that all
pages load first, in the same order, are joined into one file. The pages keep a list of
them, so that a page which a later build does not write again can be joined anew.
"""

import hashlib
import posixpath
import re
from itertools import takewhile
from pathlib import Path

JOINED = "joined.css"
LINK = re.compile(r'[ \t]*<link\b[^>]*\brel="stylesheet"[^>]*>\n?')
ADDRESS = re.compile(r'href="([^":]*)_static/([^"?]+)[^"]*"')
MEMBERS = re.compile(r'data-joined="([^"]+)"')
URL = re.compile(r"""url\((["']?)(?!data:|#|/|[a-z]+:)([^"')]+)\1\)""")


def join_styles(app):
    """Write the joined sheet, and link it from every page."""
    if not app.config.nokernel_lighten or app.builder.name != "html":
        return
    site = Path(app.outdir)
    texts = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    pages = {path: sheets(text) for path, text in texts.items()}
    names = beginning(filter(None, pages.values()))
    if len(names) < 2:
        return
    style = "".join(moved(site / "_static", name) for name in names)
    (site / "_static" / JOINED).write_text(style, encoding="utf-8")
    digest = hashlib.sha256(style.encode()).hexdigest()[:8]
    for path, found in pages.items():
        if found:
            path.write_text(linked(texts[path], names, digest), encoding="utf-8")


def beginning(lists):
    """Return the longest common prefix of the lists."""
    same = takewhile(lambda each: len(set(each)) == 1, zip(*lists, strict=False))
    return [each[0] for each in same]


def sheets(text):
    """List a page's leading sheets below `_static`, up to the first for print."""
    found = []
    for link in LINK.findall(text):
        address = ADDRESS.search(link)
        if not address or 'media="print"' in link:
            break
        members = MEMBERS.search(link)
        found += members[1].split() if members else [address[2]]
    return found


def moved(static, name):
    """Return a sheet's text with its addresses made relative to `_static`."""

    def seen(match):
        quote, address = match.groups()
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), address))
        return f"url({quote}{place}{quote})"

    return URL.sub(seen, (static / name).read_text(encoding="utf-8")) + "\n"


def linked(text, names, digest):
    """Return a page with one link in place of those to ``names``."""
    left = len(names)

    def replace(match):
        nonlocal left
        if left <= 0:
            return match[0]
        up, _ = ADDRESS.findall(match[0])[0]
        members = MEMBERS.search(match[0])
        first = left == len(names)
        own = members[1].split() if members else [None]
        left -= len(own)
        later = own[left:] if left < 0 else []  # joined before, no longer on all pages
        links = [f"{JOINED}?v={digest}"] * first + later
        return "".join(_link(up, one, names) for one in links)

    return LINK.sub(replace, text)


def _link(up, address, names):
    members = f' data-joined="{" ".join(names)}"' * address.startswith(JOINED)
    return f'    <link rel="stylesheet" href="{up}_static/{address}"{members} />\n'
