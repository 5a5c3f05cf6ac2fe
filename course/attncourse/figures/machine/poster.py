"""The whole step on one sheet of paper, A3 upright, for a wall.

>>> figure = poster()
>>> figure.get_size_inches().round(1)
array([11.7, 16.5])
"""

from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from ..kit.picture import COLORS, INK, MUTED, STYLE
from .inputs import ADJECTIVES, BEGINNING, given, names
from .plan import WIDTH, plan_of
from .still import PIXEL, draw, short
from .tables import tables

STAGE = 5  # one step, to its output
WIDE, TALL = 11.69, 16.54  # inches
MARGIN = 45  # units of the plan, on all sides
SCALE = WIDE * 72 / (WIDTH + 2 * MARGIN)  # points for a unit of the plan
SET: dict[Any, Any] = {
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "text.parse_math": True,
}


def poster(choice=0):
    """Return the poster as a matplotlib figure.

    Parameters
    ----------
    choice : int
        0 for "hungry", 1 for "delicious".
    """
    start, placed = given(STAGE), plan_of(STAGE)
    table = tables(start, choice)[0][1]
    with mpl.rc_context(STYLE | SET):
        figure = Figure(figsize=(WIDE, TALL), facecolor="white")
        axis = figure.add_axes((0, 0, 1, 1))
        high = (WIDTH + 2 * MARGIN) * TALL / WIDE
        axis.set(xlim=(-MARGIN, WIDTH + MARGIN), ylim=(high - 165, -165))
        axis.set_axis_off()
        draw(axis, placed, names(start, choice), table, STAGE)
        _enlarge(axis)
        _head(axis, ADJECTIVES[choice])
        _worked(axis, start, choice, table)
        _foot(axis, start, high - 165)
    return figure


def save(folder):
    """Write the poster into a folder, as the-machine.pdf and the-machine.svg."""
    with mpl.rc_context(STYLE | SET):
        figure = poster()
        undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
        for kind, metadata in undated.items():
            figure.savefig(folder / f"the-machine.{kind}", metadata=metadata)


def _enlarge(axis):
    """Let letters and lines grow with the picture."""
    for text in axis.texts:
        text.set_fontsize(text.get_fontsize() * SCALE / PIXEL)
    for line in (*axis.lines, *axis.patches):
        line.set_linewidth(line.get_linewidth() * SCALE / PIXEL)


def _write(axis, x, y, text, size, **look):
    axis.text(x, y, text, fontsize=size * SCALE, va="baseline", **look)


def _head(axis, adjective):
    _write(axis, 0, -108, "Attention, with every number in it", 34, weight="bold")
    _write(axis, 0, -76, f"{BEGINNING} {adjective}.", 20, style="italic")
    says = "A row and a column meet in the cell that they make."
    _write(axis, 0, -48, says, 14, color=MUTED)


def _worked(axis, start, choice, table):
    """Write out, step by step, what the last word asks of the noun it finds."""
    words = start.sentences[choice]
    noun = int(table["A"][-1].argmax())
    pairs = zip(table["Q"][-1], table["K"][noun], strict=True)
    score, scaled = table["S"][-1, noun], table["D"][-1, noun]
    total = " + ".join(f"e^{{{short(one)}}}" for one in table["D"][-1])
    lines = [
        (f"{words[-1]} asks {words[noun]}:", INK, 15),
        (" + ".join(f"{a:g} × {b:g}" for a, b in pairs) + f" = {score:g}", INK, 15),
        (f"{score:g} ÷ √{len(table['Q'][0])} = {short(scaled)}", INK, 15),
        (
            rf"$e^{{{short(scaled)}}}$ ÷ (${total}$) = {short(table['A'][-1, noun])}",
            COLORS["weights"],
            12,
        ),
    ]
    for row, (text, color, size) in enumerate(lines):
        _write(axis, 392, 470 + 27 * row, text, size, color=color)


def _foot(axis, start, foot):
    """Write the formula, and what changes with the last word."""
    formula = r"$\mathrm{output} = \mathrm{softmax}(Q K^T / \sqrt{d_k})\, V$"
    _write(axis, 0, foot - 118, formula, 26)
    for choice, adjective in enumerate(ADJECTIVES):
        row = tables(start, choice)[0][1]["A"][-1]
        words = start.sentences[choice]
        shares = ", ".join(
            f"{word} {short(one)}" for word, one in zip(words, row, strict=True)
        )
        text = f"“{adjective}” looks at: {shares}"
        _write(axis, 0, foot - 78 + 24 * choice, text, 14.5, color=COLORS["weights"])
