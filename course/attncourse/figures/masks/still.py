"""A still picture of lesson 9: one sentence asks, and another is asked."""

from ..kit.grids import grid
from ..kit.picture import panels, picture


@picture
def across(weights, asking, asked):
    """Draw cross-attention: a row for each word written, a column for each one read.

    Parameters
    ----------
    weights : array, (n_written, n_read)
    asking, asked : sequence of str
        The words of the two sentences.
    """
    figure, axis = panels(size=(4.2, 2.5))
    grid(axis, weights, rows=asking, columns=asked, most=1, text="{:.2f}")
    axis.set(xlabel="asked for keys and values", ylabel="asks with its query")
    looks = (
        f"{word} looks most at {asked[row.argmax()]}, with {row.max():.2f}"
        for word, row in zip(asking, weights, strict=True)
    )
    counts = f"{len(asking)} words for {len(asked)}"
    return figure, f"Weights of {counts}: {'; '.join(looks)}."
