"""The puzzles' pictures for link previews: drawn anew at each build, 1200 × 630.

Every other page has the card that sphinxext-opengraph draws. A puzzle is sent to a
friend, and its picture is what the friend sees first.
"""

from pathlib import Path

import matplotlib as mpl

from ..figures.kit.picture import STYLE
from ..figures.own_sentence.still import arcs
from ..figures.puzzles import still
from ..real_model import load_extract

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


def setup(app):
    """Connect with Sphinx, before sphinxext-opengraph."""
    app.connect("html-page-context", _picture, priority=400)
