"""Previews of a page in search engines and messengers, beyond sphinxext-opengraph's.

That extension describes each page by its first words and draws a card for it. The line
of facts under a lesson's title (class `aw-meta`) is no description, nor are the links
that one begins with (`aw-begin`), nor is a table, nor the title of one; a formula is
described in words, not in TeX. A page with no words of its own, such as the search, is
described as the course is; the landing page's title says what this is.
"""

from pathlib import Path

import matplotlib as mpl
from docutils import nodes

from ..figures.kit.picture import STYLE
from ..figures.own_sentence.still import arcs
from ..figures.puzzles import still
from ..real_model import load_extract
from .plain_text import plain_text

# The puzzles' pictures for link previews: drawn anew at each build, 1200 × 630.
#
# Every other page has the card that sphinxext-opengraph draws. A puzzle is sent to a
# friend, and its picture is what the friend sees first.

WIDE, TALL, PIXELS_PER_INCH = 1200, 630, 150
VALUES = [[10, 0], [0, 10], [5, 5]]


def _what_it_means():
    extract = load_extract()
    words = extract["tokens"][0].split()[1:-1]  # without the model's own two marks
    it = words.index("it")
    weights = extract["attention_0"][5, 11, 1:-1, 1:-1].astype(float)
    return arcs.__wrapped__(words, weights[it], it)


DRAWN = {
    "book/puzzles/what_it_means": _what_it_means,
    "book/puzzles/refute_this_answer": lambda: still.beside_the_line.__wrapped__(
        VALUES, right=[5, 5], printed=[[5.3, 4.2], [5, 4]]
    ),
    "book/puzzles/passes_every_shape_check": lambda: still.two_ways_to_cut.__wrapped__(
        ["dog", "ate", "food", "it"]
    ),
}


def save(draw, path):
    """Draw a figure as a picture for previews; return its words."""
    with mpl.rc_context(STYLE):
        figure, alt = draw()
        figure.set_size_inches(WIDE / PIXELS_PER_INCH, TALL / PIXELS_PER_INCH)
        figure.savefig(path, dpi=PIXELS_PER_INCH, facecolor="white")
    return alt


def _picture(app, pagename, _template, context, _doctree):
    if pagename not in DRAWN:
        return
    name = f"_static/{Path(pagename).name}.png"
    alt = save(DRAWN[pagename], Path(app.outdir, name))
    image = f"{app.config.ogp_site_url}{name}"
    tags = {"og:image": image, "og:image:alt": alt}
    context["meta"] = {**(context.get("meta") or {}), **tags}
    large = '<meta name="twitter:card" content="summary_large_image" />\n'
    context["metatags"] = (context.get("metatags") or "") + large


COURSE = (
    "A course on self-attention to run, drag and check: every number computed on the "
    "page, every slider alive, nothing to install."
)


def _describe(app, pagename, _template, context, doctree):
    if pagename == app.config.root_doc:
        context["page_title"] = f"{app.config.project}: a course on self-attention"
    if doctree is None:
        tag = f'<meta name="description" content="{COURSE}" />\n'
        context["metatags"] = (context.get("metatags") or "") + tag
        return
    for node in list(doctree.findall(nodes.Element)):  # the page is rendered already
        aside = {"aw-meta", "aw-begin"} & {*node["classes"]}
        unsaid = isinstance(node, nodes.table) or aside
        if unsaid and node.parent:
            node.parent.remove(node)
    for section in list(doctree.findall(nodes.section)):
        if len(section) == 1:  # of which the title is left
            section.parent.remove(section)
    _say_formulas(doctree)


def _say_formulas(doctree):
    """Make one text of each paragraph: pieces lose the spaces between them."""
    for block in list(doctree.findall(nodes.math_block)):
        parent, place = block.parent, block.parent.index(block)
        before = parent[place - 1] if place else None
        if isinstance(before, nodes.paragraph):
            before += [nodes.Text(" "), nodes.math("", block.astext())]
            parent.remove(block)
    for paragraph in list(doctree.findall(nodes.paragraph)):
        words = plain_text(paragraph)
        paragraph.clear()
        paragraph += nodes.Text(words)


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", _describe, priority=400)  # before the extension
    app.connect("html-page-context", _picture, priority=400)
