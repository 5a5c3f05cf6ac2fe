"""Show the lessons' numbers in the side bar, whose captions are no headings.

A page's first heading is its title: the theme makes headings of the captions above it.
The number is the one in the file's name: `03_scaling` is lesson 3. Links get it as an
attribute, which the style sheet shows before the title.
"""

import re

LINK = re.compile(r'<a class="([^"]*)" href="([^"]*)"')
HEADING = re.compile(r'(<p)(?: aria-level="2"| role="heading"| class="caption"){3}>')
NUMBER = re.compile(r"(?:^|/)(\d\d)_[^/]*$")


def numbered(toc, pagename):
    """Return the side bar's HTML with a number on each link, and without headings."""

    def add(link):
        name = pagename if link[2] == "#" else link[2]
        number = NUMBER.search(name)
        return f'{link[0]} data-number="{int(number[1])}"' if number else link[0]

    return HEADING.sub(r'\1 class="caption">', LINK.sub(add, toc))


def _number(_app, pagename, _template, context, _doctree):
    plain = context.get("generate_toctree_html")

    def generate(kind, **options):
        toc = plain(kind, **options)
        return numbered(str(toc), pagename) if kind == "sidebar" else toc

    if plain:
        context["generate_toctree_html"] = generate


def setup(app):
    """Connect with Sphinx."""
    app.connect("html-page-context", _number, priority=940)  # after the theme's own
