"""Long pages of reference fold, and lessons have numbers in the side bar."""

import re

from docutils import nodes
from sphinx import addnodes

# Fold what a long page of reference describes, a fold for each of its sections.
#
# A page asks for it in its front matter, `fold-descriptions: true`. The title of a fold
# lists the names in it; `page.js` opens the one that a link leads into.

WANTED = "fold-descriptions"


def fold_descriptions(app, document):
    """Put the descriptions of each section into an admonition that folds."""
    if WANTED not in app.env.metadata.get(app.env.docname, {}):
        return
    for section in document.findall(nodes.section):
        found = [one for one in section if isinstance(one, addnodes.desc)]
        if found:
            place = section.index(found[0])
            for one in found:
                section.remove(one)
            title = nodes.title("", "", *_names(found))
            fold = nodes.admonition("", title, *found, classes=["dropdown", "aw-names"])
            section.insert(place, fold)


def _names(described):
    """List the names of what is described, as code."""
    for i, one in enumerate(described):
        name = one.next_node(addnodes.desc_name).astext()
        yield from [nodes.Text(" ")] * bool(i) + [nodes.literal("", name)]


# Show the lessons' numbers in the side bar, whose captions are no headings.
#
# A page's first heading is its title: the theme makes headings of the captions above
# it. The number is the one in the file's name: `03_scaling` is lesson 3. Links get it
# as an attribute, which the style sheet shows before the title.

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
    """Register with Sphinx."""
    app.connect("doctree-read", fold_descriptions)
    app.connect("html-page-context", _number, priority=940)  # after the theme's own
