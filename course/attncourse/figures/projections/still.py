"""Still pictures of lesson 2: queries, keys and values."""

import numpy as np

from ..embeddings.still import arrows
from ..kit.grids import grid, sign
from ..kit.picture import INK, KEY, MUTED, QUERY, panels, picture


@picture
def queries_and_keys(trace, word):
    """Draw the query of one word among all keys, and the table of scores.

    Parameters
    ----------
    trace : AttentionTrace
        Of words in the plane.
    word : str
        The word that asks.
    """
    figure, (left, right) = panels(1, 2, size=(7.2, 3.4))
    names, one = trace.tokens, trace.tokens.index(word)
    arrows(left, trace.key, names, KEY)
    arrows(left, trace.query[[one]], [""], QUERY)
    left.set_title(f"query of {word}", color=QUERY)
    left.set_xlabel("keys", color=KEY)
    lit = [(one, column) for column in range(len(names))]
    look = {
        "most": max(trace.scores.max(), 1e-9),
        "text": "{:.2f}",
        "colour": MUTED,
        "lit": lit,
    }
    grid(right, trace.scores, rows=names, columns=names, title="scores", **look)
    right.tick_params(labelsize=8)
    scored = zip(names, trace.scores[one], strict=True)
    says = ", ".join(f"{name} {score:.2f}" for name, score in scored)
    return figure, f"Scores of the query of {word} with each key: {says}."


@picture
def what_weights_do(words, matrices):
    """Draw the same words after each of some weight matrices.

    Parameters
    ----------
    words : dict of str to array, (2,)
    matrices : dict of str to array, (2, 2)
    """
    rows = (len(matrices) + 1) // 2
    figure, axes = panels(rows, 2, size=(7.2, 2.6 * rows), sharex=True, sharey=True)
    x, says = np.array(list(words.values())), []
    for axis, (name, weight) in zip(axes.flat, matrices.items(), strict=False):
        moved = x @ weight + 0.0
        arrows(axis, moved, list(words), INK, size=8)
        axis.set(title=name, xlim=(-2.8, 3.6), ylim=(-1.1, 2.6))
        axis.set(xticks=range(-2, 4), yticks=range(-1, 3))
        places = (f"{w} ({a:g}, {b:g})" for w, (a, b) in zip(words, moved, strict=True))
        says.append(f"{name}: {', '.join(places)}")
    return figure, f"Words after each weight matrix. {'; '.join(says)}."


@picture
def one_entry(x, weight, row, column):
    """Draw x @ weight, with the row and the column that make one entry.

    Parameters
    ----------
    x : array, (n_tokens, d_model)
    weight : array, (d_model, d_k)
    row, column : int
        The entry, counted from 0.
    """
    query = x @ weight
    widths = [x.shape[1], 0.6, weight.shape[1], 0.6, query.shape[1]]
    shape = {"size": (7.2, 2.1), "gridspec_kw": {"width_ratios": widths}}
    figure, axes = panels(1, 5, **shape)
    across = [(row, i) for i in range(x.shape[1])]
    down = [(i, column) for i in range(weight.shape[0])]
    words = [f"word {i + 1}" for i in range(len(x))]
    grid(axes[0], x, rows=words, title="x", lit=across)
    grid(axes[2], weight, title="W_Q", lit=down)
    grid(axes[4], query, title="query", lit=[(row, column)], text="{:.1f}")
    sign(axes[1], "×")
    sign(axes[3], "=")
    terms = " + ".join(
        f"{a:g} × {w:g}" for a, w in zip(x[row], weight[:, column], strict=True)
    )
    entry = f"Row {row + 1} of x times column {column + 1} of W_Q"
    return figure, f"{entry}: {terms} = {query[row, column]:.1f}."
