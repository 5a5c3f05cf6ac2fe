"""Still picture of the page on writing: the next word, and where the heads look."""

import numpy as np

from ..kit.picture import MUTED, WEIGHTS, panels, picture

MOST = 6


@picture
def next_word(written):
    """Draw what the next word may be, and whom the word that looks looks at.

    Parameters
    ----------
    written : Written
        Of `attncourse.figures.writer.written`.
    """
    figure, (left, right) = panels(1, 2, size=(8.4, 3.2), width_ratios=(1, 1.6))
    likely = sorted(written.probabilities, key=written.probabilities.get)[-MOST:]
    chances = [written.probabilities[word] for word in likely]
    left.barh(likely, chances, color=WEIGHTS)
    left.set(xlim=(0, 1), title="Next word")
    words, n_heads = written.words[-20:], written.weights.shape[1]
    rows = written.weights.reshape(-1, written.weights.shape[-1])[:, -20:]
    names = [f"{i // n_heads}.{i % n_heads}" for i in range(len(rows))]
    right.pcolormesh(rows, cmap=_fading(), vmin=0, vmax=1, edgecolor=MUTED, lw=0.3)
    right.set_yticks(np.arange(len(rows)) + 0.5, [f"head {name}" for name in names])
    right.set_xticks(np.arange(len(words)) + 0.5, words, rotation=90)
    right.invert_yaxis()
    right.tick_params(length=0)
    right.set_title("Where the last word looks")
    return figure, _says(written, likely[::-1], names, rows, words)


def _fading():
    from matplotlib.colors import LinearSegmentedColormap

    clear = (*(int(WEIGHTS[i : i + 2], 16) / 255 for i in (1, 3, 5)), 0.0)
    return LinearSegmentedColormap.from_list("weights", [clear, WEIGHTS])


def _says(written, likely, names, rows, words):
    most = ", ".join(f"{w} {written.probabilities[w]:.2f}" for w in likely[:3])
    looks = "; ".join(
        f"head {name} at {words[int(row.argmax())]!r} {row.max():.2f}"
        for name, row in zip(names, rows, strict=True)
    )
    return (
        f"“{' '.join(written.words)}” Next word: {most}. The last word looks most: "
        f"{looks}."
    )
