"""The still picture of three words in some order, and their outputs."""

import numpy as np

from ..kit.picture import MUTED, VALUE, WEIGHTS, panels


def outputs(now):
    """Draw what "ate" looks at, and the output of each word below it.

    Parameters
    ----------
    now : object
        The ``tokens``, what "ate" ``asked``, and the ``output`` of each.
    """
    figure, (top, foot) = panels(2, 1, size=(4.4, 3.8), sharex=True)
    places = np.arange(len(now.tokens))
    top.bar(places, now.asked, width=0.3, color=WEIGHTS)
    top.set(ylim=(0, 1), title="What “ate” looks at", xticks=places)
    top.set_xticks(places, now.tokens)
    top.tick_params(labelbottom=True, length=0)
    for column, (name, color) in enumerate((("alive", VALUE), ("edible", MUTED))):
        beside = places + 0.2 * (column - 0.5)
        foot.bar(beside, now.output[:, column], width=0.18, color=color, label=name)
    foot.set(ylim=(0, 1), title="Outputs")
    foot.legend(loc="upper right", ncols=2)
    return figure
