"""The still picture of a change that spreads from word to word."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import panels, picture


@picture
def lit(so_far, steps, columns):
    """Draw how far each row has changed at each step, and what "it" holds at the last.

    Parameters
    ----------
    so_far : sequence of attncourse.figures.ripple.live.Ripple
        One for each step up to the last one looked at.
    steps : sequence of str
        The names of all steps.
    columns : sequence of str
        The names of a row's columns.
    """
    apart, now = np.transpose([one.apart for one in so_far]), so_far[-1]
    figure, (top, foot) = panels(2, 1, size=(7.2, 4.4), height_ratios=[5, 1.4])
    names = steps[: len(so_far)]
    look = {"most": 2.0, "text": "{:.2f}"}
    grid(top, apart, rows=now.words, columns=names, title="Changed by", **look)
    top.set_aspect("auto")
    it = now.words[3]
    title = f"“{it}” after: {names[-1]}"
    row = now.rows[3:4]
    grid(foot, row, rows=[it], columns=columns, title=title, text="{:.2f}", most=1.5)
    foot.set_aspect("auto")
    says = "; ".join(
        f"{n}: {_listed(now.words, one.apart)}"
        for n, one in zip(names, so_far, strict=True)
    )
    held = _listed(columns, row[0])
    return figure, (
        f"How far each row has changed, step by step. {says}. “{it}” holds after "
        f"{names[-1]}: {held}."
    )


def _listed(names, values):
    return ", ".join(f"{n} {v:.2f}" for n, v in zip(names, values, strict=True))
