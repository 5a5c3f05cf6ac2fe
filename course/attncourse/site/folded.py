"""Fold what a long page of reference describes, a fold for each of its sections.

A page asks for it in its front matter, `fold-descriptions: true`. The title of a fold
lists the names in it; `page.js` opens the one that a link leads into.
"""

from docutils import nodes
from sphinx import addnodes

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


def setup(app):
    """Connect with Sphinx."""
    app.connect("doctree-read", fold_descriptions)
