"""What search engines and messengers show of a page: its description and a card.

The description is the page's first words. The card, a picture of the worked example's
weights as attnlib computes them, is drawn at each build. Messengers want its full
address: it is named where the site's address is known, from `html: baseurl:` in
`_config.yml` or the environment variable SITE_ADDRESS.
"""

import os
from pathlib import Path

from docutils import nodes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from words import sentences, words_of

from attncourse import examples
from attncourse.figures.kit.picture import INK, KEY, MUTED, QUERY, WEIGHTS

CARD = "social-card.png"
ALT = "Three words and how much each attends to the others, as a grid of weights"
COURSE = (
    "A course on self-attention to run, drag and check: every number computed on the "
    "page, every slider alive, nothing to install."
)
LONGEST = 160  # characters, about what search engines show


def description(doctree):
    """Return a page's first words, or the course's own."""
    if doctree is None:
        return COURSE
    plain = (nodes.section, nodes.document)
    paragraphs = (
        words_of(one)
        for one in doctree.findall(nodes.paragraph)
        if isinstance(one.parent, plain)
    )
    text = ""
    while len(text) < LONGEST / 2 and (more := next(paragraphs, "")):
        text = f"{text} {more}".strip()
    return sentences(text, LONGEST) or COURSE


def card(weights):
    """Return the card as a figure, 1200 by 630 pixels, from the weights [n, n]."""
    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="#ffffff")
    text = {"x": 0.06, "ha": "left", "va": "top", "color": INK}
    figure.text(y=0.74, s="Attention,\nWorked Out", size=50, weight="bold", **text)
    words = "Run it, drag it, check it:\nself-attention, number by number"
    figure.text(y=0.4, s=words, size=19, **{**text, "color": MUTED})
    axes = figure.add_axes((0.6, 0.08, 0.36, 0.76))
    axes.set_axis_off()
    n = len(weights)
    axes.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
    for i, row in enumerate(weights):
        axes.text(
            -0.6, i, f"word {i + 1}", color=QUERY, size=17, ha="right", va="center"
        )
        axes.text(
            i, -0.6, f"word {i + 1}", color=KEY, size=17, ha="center", va="bottom"
        )
        for j, weight in enumerate(row):
            _square(axes, i, j, weight, weights.max())
    return figure


def _square(axes, i, j, weight, largest):
    shade = weight / largest
    place = (j - 0.47, i - 0.47)
    axes.add_patch(Rectangle(place, 0.94, 0.94, facecolor=WEIGHTS, alpha=shade))
    ink = "#ffffff" if shade > 0.5 else INK
    axes.text(j, i, f"{weight:.3f}", color=ink, size=21, ha="center", va="center")


def _describe(app, pagename, _template, context, doctree):
    context["page_description"] = description(doctree)
    if pagename == app.config.root_doc:
        context["page_title"] = f"{app.config.project}: a course on self-attention"
    address = (app.config.html_baseurl or "").rstrip("/")
    context["social_card"] = f"{address}/_static/{CARD}"
    context["social_card_alt"] = ALT


def _draw(app, error):
    if error or app.builder.name != "html":
        return
    x, layer = examples.three_words()
    figure = card(layer.trace(x).weights)
    figure.savefig(Path(app.outdir, "_static", CARD), metadata={"Software": None})


def _set_address(_app, config):
    if address := os.environ.get("SITE_ADDRESS"):
        config.html_baseurl = f"{address.rstrip('/')}/"


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", _set_address)
    app.connect("html-page-context", _describe)
    app.connect("build-finished", _draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
