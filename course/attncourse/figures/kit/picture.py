"""A still picture: drawn by matplotlib, themed by the page, described in words.

A picture that is wider than a phone is drawn a second time, as wide as one, with
letters of the same size and its panels one below another; the site shows one of both.
"""

import contextvars
import functools
import html
import io
import re
import textwrap
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from .slim_svg import slim

# What each color means, everywhere in the course. The page may restyle them: each
# is written as the CSS variable of the same name, with this value to fall back on.
INK = "#1f2328"
COLORS = {
    "query": "#0067a8",
    "key": "#b34a00",
    "value": "#00735a",
    "weights": "#7b3aa0",
    "muted": "#6b7280",
    "on-weights": "#fffffe",  # letters on a bar
}
QUERY, KEY, VALUE, WEIGHTS, MUTED, ON_WEIGHTS = COLORS.values()
PIXELS_PER_INCH = 100
# In inches: what a phone of 390 pixels gives a picture, and up to which width a picture
# is only made smaller there.
PHONE, SHRINKS = 3.58, 4.6
LETTERS = 36  # of a label, on one line there
_phone = contextvars.ContextVar("phone", default=False)

STYLE: dict[Any, Any] = {
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 10,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",  # real text: searchable, and set in the page's own font
    "svg.hashsalt": "attnlib",  # the same picture, byte for byte, at every build
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


class Picture:
    """An SVG picture and the words that say what it shows.

    In a notebook the picture is displayed; printed, or read aloud, it is its words.
    ``narrow`` is the picture for a phone, if it is another one.
    """

    def __init__(self, svg, alt, narrow=""):
        self.svg, self.alt, self.narrow = svg, alt, narrow

    def __repr__(self):
        return self.alt

    def _repr_html_(self):
        label = html.escape(self.alt, quote=True)
        return (
            f'<figure class="aw-picture" role="img" aria-label="{label}">'
            f"{self.svg}{self.narrow}</figure>"
        )


def picture(draw) -> Any:
    """Turn a function that returns ``(figure, alt)`` into one returning a `Picture`."""

    @functools.wraps(draw)
    def drawn(*args, **kwargs):
        with mpl.rc_context(STYLE):
            figure, alt = draw(*args, **kwargs)
            wide = figure.get_figwidth() > SHRINKS
            narrow = _for_phones(draw, *args, **kwargs) if wide else ""
            return Picture(_svg(figure), alt, narrow)

    return drawn


def _for_phones(draw, *args, **kwargs):
    """Draw again for a phone; nothing if the drawing stays as wide as it was."""
    token = _phone.set(True)
    try:
        with mpl.rc_context({"svg.hashsalt": "phone"}):  # names of its own in the page
            figure, _ = draw(*args, **kwargs)
            if figure.get_figwidth() > PHONE:
                return ""
            for axis in figure.axes:
                axis.set_xlabel(textwrap.fill(axis.get_xlabel(), LETTERS))
            svg = _svg(figure)
    finally:
        _phone.reset(token)
    # Hidden where no style sheet chooses, as in a notebook.
    return svg.replace(
        'style="display: block', 'class="aw-narrow" style="display: none', 1
    )


def on_phone():
    """Say whether the picture is being drawn for a phone."""
    return _phone.get()


def panels(
    rows=1, columns=1, *, size=(7.2, 3.0), phone=None, **options
) -> tuple[Figure, Any]:
    """Return a figure and its axes, laid out without pyplot and its global state.

    Parameters
    ----------
    rows, columns : int
    size : (float, float)
        Inches. For a phone the figure is narrower, and one row of axes becomes one
        column.
    phone : float or False, optional
        How high it is there; without it, as high as its rows are together. False: it is
        not drawn again.
    **options
        Handed on to ``Figure.subplots``.
    """
    if on_phone() and phone is not False:
        stacked = rows == 1 < columns
        if stacked:
            rows, columns = columns, 1
            options.pop("width_ratios", None)
        size = PHONE, phone or size[1] * (0.9 * rows if stacked else 1)
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def _svg(figure):
    """Render to SVG whose colors follow the page's theme."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    # As wide as drawn, narrower where the page is. The words of the picture are its
    # label; its pieces need not be read one by one.
    width = round(figure.get_figwidth() * PIXELS_PER_INCH)
    style = f"display: block; width: 100%; max-width: {width}px; height: auto"
    svg = svg.replace("<svg", f'<svg aria-hidden="true" style="{style}"', 1)
    svg = svg.replace(INK, "currentColor")
    for name, color in COLORS.items():
        svg = svg.replace(color, f"var(--aw-{name}, {color})")
    return slim(svg)
