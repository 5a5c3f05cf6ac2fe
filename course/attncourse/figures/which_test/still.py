"""The still picture of bugs and inputs: a row for each bug, a mark where it shows."""

import numpy as np

from ..kit.picture import INK, KEY, MUTED, panels


def marks(now, names, inputs):
    """Draw a row for each bug and a column for each input.

    Parameters
    ----------
    now : SimpleNamespace
        ``seen``, True, False or None for each bug and input, and ``missed``.
    names, inputs : sequence of str
    """
    figure, axis = panels(size=(4.6, 6.2), phone=6.2)
    for (row, column), shown in np.ndenumerate(np.array(now.seen, dtype=object)):
        text, color = ("✗", INK) if shown else ("–" if shown is False else "", MUTED)
        axis.text(column, row, text, ha="center", va="center", color=color, fontsize=9)
    axis.set(xlim=(-0.6, len(inputs) - 0.4), ylim=(len(names) - 0.4, -0.6))
    axis.set_xticks(range(len(inputs)), [f"{i}" for i in range(1, len(inputs) + 1)])
    axis.set_yticks(range(len(names)), names)
    axis.tick_params(labelsize=9, length=0, top=False, labeltop=True, labelbottom=False)
    for label, name in zip(axis.get_yticklabels(), names, strict=True):
        if name in now.missed:
            label.set(color=KEY, fontweight="bold")
    axis.spines[:].set_visible(False)
    return figure
