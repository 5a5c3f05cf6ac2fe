"""The style sheets of a site: what no page uses goes, and the rest becomes one."""

import hashlib
import posixpath
import re
from itertools import takewhile
from pathlib import Path

import tinycss2

# Remove the rules of a style sheet that no page of a site can need.
#
# (PurgeCSS does this too, but needs 30 npm packages; tinycss2 is already installed.)
#
# A selector is dropped only if it asks for a class or an id whose name occurs nowhere:
# neither as one in a page nor as a word in a script. What stands inside `:not()`,
# `:is()`, `:where()` and `:has()` is ignored, and so never a reason to drop a selector.

ATTRIBUTE = re.compile(r'\b(?:class|id)="([^"]*)"')
WORD = re.compile(r"[A-Za-z_][\w-]*")
ASKED = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
GROUPS = ("media", "supports", "container")
ICON_FONT = re.compile(r"Font[ \\]+Awesome|--fa-", re.IGNORECASE)  # see icons.css


def names_in(site, data=()):
    """Return every word that may be a class or an id in the pages of a folder.

    Scripts listed as data are not read.
    """
    names = set()
    for path in site.rglob("*.html"):
        for value in ATTRIBUTE.findall(path.read_text(encoding="utf-8")):
            names.update(value.split())
    for path in site.rglob("*.js"):
        if path.name != "searchindex.js" and path not in data:
            names.update(WORD.findall(path.read_text(encoding="utf-8")))
    return names


def purged(css, names):
    """Return a style sheet without rules that need a name not in ``names``."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "".join(_kept(rules, names))


def _kept(rules, names):
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [one for one in _selectors(rule) if _may_match(one, names)]
            if selectors:
                text = ",".join(map(tinycss2.serialize, selectors))
                yield f"{text.strip()}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in GROUPS:
            yield from _kept_group(rule, names)
        elif not (
            rule.type == "at-rule"
            and rule.lower_at_keyword == "font-face"
            and ICON_FONT.search(rule.serialize())
        ):
            yield rule.serialize()


def _kept_group(rule, names):
    inner = tinycss2.parse_rule_list(rule.content, skip_whitespace=True)
    if text := "".join(_kept(inner, names)):
        yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"


def _selectors(rule):
    """Split the selectors of a rule at its commas."""
    parts = [[]]
    for token in rule.prelude:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _may_match(selector, names):
    """Say whether a selector asks only for names that occur."""
    plain = [token for token in selector if token.type != "function"]
    return all(name in names for name in ASKED.findall(tinycss2.serialize(plain)))


# Join the style sheets that every page loads first.
#
# Each sheet in a page's head is a request that delays the first paint. Those that all
# pages load first, in the same order, are joined into one file. The pages keep a list
# of them, so that a page which a later build does not write again can be joined anew.

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
