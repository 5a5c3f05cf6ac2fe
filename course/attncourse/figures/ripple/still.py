"""The still picture of a change that spreads from word to word."""

from ..kit.grids import grid
from ..kit.picture import panels


def lit(now, columns):
    """Draw how far each row has changed at each step, and what "it" holds at the last.

    Parameters
    ----------
    now : attncourse.figures.ripple.live.Ripple
    columns : sequence of str
        The names of a row's columns.
    """
    figure, (top, foot) = panels(2, 1, size=(7.2, 4.4), height_ratios=[5, 1.4])
    look = {"most": 2.0, "text": "{:.2f}", "title": "Changed by"}
    grid(top, now.by_step, rows=now.words, columns=now.steps, **look)
    top.set_aspect("auto")
    it = now.words[3]
    look = {"most": 1.5, "text": "{:.2f}", "title": f"“{it}” after: {now.steps[-1]}"}
    grid(foot, now.rows[3:4], rows=[it], columns=columns, **look)
    foot.set_aspect("auto")
    return figure
