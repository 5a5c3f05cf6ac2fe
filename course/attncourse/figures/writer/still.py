"""Still picture of the page on writing: the next word, and where the heads look."""

import numpy as np

from ..kit.picture import MUTED, WEIGHTS, panels
from .written import HEADS

MOST = 6


def next_word(written):
    """Draw what the next word may be, and whom the word that looks looks at.

    Parameters
    ----------
    written : SimpleNamespace
        Of `attncourse.figures.writer.written`.
    """
    figure, (left, right) = panels(1, 2, size=(8.4, 3.2), width_ratios=(1, 1.6))
    likely = sorted(written.probabilities, key=written.probabilities.get)[-MOST:]
    chances = [written.probabilities[word] for word in likely]
    left.barh(likely, chances, color=WEIGHTS)
    left.set(xlim=(0, 1), title="Next word")
    words = written.words[-20:]
    rows = written.weights.reshape(len(HEADS), -1)[:, -20:]
    right.pcolormesh(rows, cmap=_fading(), vmin=0, vmax=1, edgecolor=MUTED, lw=0.3)
    right.set_yticks(np.arange(len(rows)) + 0.5, [f"head {name}" for name in HEADS])
    right.set_xticks(np.arange(len(words)) + 0.5, words, rotation=90)
    right.invert_yaxis()
    right.tick_params(length=0)
    right.set_title("Where the last word looks")
    return figure


def _fading():
    from matplotlib.colors import LinearSegmentedColormap

    clear = (*(int(WEIGHTS[i : i + 2], 16) / 255 for i in (1, 3, 5)), 0.0)
    return LinearSegmentedColormap.from_list("weights", [clear, WEIGHTS])
