"""Still pictures of lesson 4: softmax."""

import numpy as np

from attnlib import softmax

from ..kit.grids import grid
from ..kit.picture import MUTED, WEIGHTS, panels, picture


@picture
def shares(scores, exponentials, weights, jacobian):
    """Draw three exponentials, the whole that they share, and the Jacobian."""
    figure, (left, middle, right) = panels(1, 3, size=(6.8, 2.6))
    names = [f"key {j + 1}" for j in range(len(scores))]
    bars = left.bar(names, exponentials, color=MUTED)
    left.bar_label(bars, [f"{e:.3g}" for e in exponentials], fontsize=9)
    left.set(title="Exponential", yticks=[], ylim=(0, 1.1 * max(exponentials)))
    bars = middle.bar(names, weights, color=WEIGHTS)
    middle.bar_label(bars, [f"{w:.3f}" for w in weights], fontsize=9)
    middle.set(title="Weight, of 1", ylim=(0, 1.05), yticks=[0, 0.5, 1])
    look = {"most": 0.25, "text": "{:.3f}", "size": 8}
    of = {"rows": ["w₁", "w₂", "w₃"], "columns": ["s₁", "s₂", "s₃"]}
    grid(right, jacobian, title="Jacobian", **of, **look)
    return figure, (
        f"Scores {_row(scores, 2)} have the exponentials "
        f"{', '.join(f'{e:.3g}' for e in exponentials)} and the weights "
        f"{_row(weights, 3)}; the Jacobian is {_table(jacobian, 3)}."
    )


@picture
def exponential_curve(scores):
    """Draw the exponential, with the scores of one row marked on it."""
    figure, axis = panels(size=(4.8, 3.0))
    line = np.linspace(-2, 2, 200)
    axis.plot(line, np.exp(line), color=MUTED)
    axis.plot(scores, np.exp(scores), "o", color=WEIGHTS)
    axis.axhline(0, color=MUTED, lw=0.8)
    axis.set(xlabel="score", ylabel="exponential", ylim=(-0.3, 7.5))
    pairs = ", ".join(f"{s:.2f} has {np.exp(s):.2f}" for s in np.unique(scores))
    return figure, f"Exponentials are positive, also below 0. Here {pairs}."


@picture
def by_temperature(scores, marked):
    """Draw the weights of one row of scores against the temperature.

    Parameters
    ----------
    scores : array, (n_keys,)
    marked : float
        A temperature to mark, such as √d_k.
    """
    figure, axis = panels(size=(5.8, 3.3))
    temperatures = np.geomspace(0.02, 20, 300)
    weights = softmax(scores / temperatures[:, None])
    for j, style in enumerate(("-", "--", ":")):
        axis.plot(
            temperatures, weights[:, j], style, color=WEIGHTS, label=f"word {j + 1}"
        )
    axis.axvline(marked, color=MUTED, lw=0.8)
    axis.annotate(f" T = {marked:g}", (marked, 0.93))
    axis.set(xlabel="temperature T", ylabel="weight", xscale="log", ylim=(-0.02, 1.02))
    axis.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
    axis.minorticks_off()
    axis.legend()
    says = (f"{_row(softmax(scores / t), 4)} at {t:g}" for t in (0.1, marked, 20))
    return figure, f"Weights by temperature: {'; '.join(says)}."


@picture
def by_axis(scores):
    """Draw softmax of one table of scores along its rows, columns, and all of it."""
    figure, axes = panels(1, 3, size=(5.8, 2.3))
    flat = softmax(scores.ravel()).reshape(scores.shape)
    names = [f"word {i + 1}" for i in range(len(scores))]
    ways = {
        "Rows sum to 1": softmax(scores, axis=-1),
        "Columns sum to 1": softmax(scores, axis=-2),
        "All sum to 1": flat,
    }
    look = {"columns": names, "most": 0.5, "text": "{:.2f}"}
    for axis, (title, weights) in zip(axes, ways.items(), strict=True):
        rows = names if axis is axes[0] else []
        grid(axis, weights, rows=rows, title=title, **look)
        axis.tick_params(labelsize=8)
        axis.title.set_size(9)
    says = (f"{title}: {_table(weights)}." for title, weights in ways.items())
    return figure, f"Softmax three ways. {' '.join(says)}"


def _row(numbers, digits):
    return ", ".join(f"{x + 0.0:.{digits}f}".replace("-", "−") for x in numbers)


def _table(matrix, digits=2):
    return "; ".join(_row(row, digits) for row in matrix)
