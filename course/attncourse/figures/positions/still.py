"""Still pictures of lesson 7: positional encoding."""

import numpy as np

from attnlib import sinusoidal_positional_encoding

from ..kit.grids import grid
from ..kit.picture import MUTED, QUERY, WEIGHTS, panels, picture


@picture
def overview(position, base, trace, changes, *, d_model=8, n_shown=64):
    """Draw the waves, the dot products by offset, and the weights of three words.

    Parameters
    ----------
    position : int
        Where the first word stands.
    base : float
    trace : AttentionTrace
        The three words as they stand now.
    changes : array, (3,)
        How far each word's output is from where it was in the first order.
    """
    figure, axes = panels(2, 2, size=(7.2, 5.4))
    table = sinusoidal_positional_encoding(n_shown, d_model, base=base)
    _stacked_waves(axes[0, 0], table, position)
    dots, most = table @ table[position], d_model / 2 + 0.2
    axes[0, 1].plot(np.arange(n_shown) - position, dots, ".-", color=WEIGHTS, ms=4)
    axes[0, 1].set(title="Dot products", xlabel="offset", ylim=(-most, most))
    look = {"columns": trace.tokens, "most": 1, "text": "{:.2f}"}
    grid(axes[1, 0], trace.weights, rows=trace.tokens, title="Weights", **look)
    look = {"columns": ["change"], "text": "{:.3f}"}
    grid(axes[1, 1], changes[:, None], rows=trace.tokens, title="Outputs", **look)
    encoding = ", ".join(f"{number:.3f}" for number in table[position])
    near = ", ".join(f"{dot:.3f}" for dot in dots[position : position + 4])
    moved = ", ".join(
        f"{word} {change:.3f}"
        for word, change in zip(trace.tokens, changes, strict=True)
    )
    return figure, (
        f"With base {base:g}, position {position} is encoded as {encoding}. Its dot "
        f"products with the positions 0 to 3 further on are {near}. The outputs of "
        f"the words have changed by: {moved}."
    )


def _stacked_waves(axis, table, position):
    """Draw each pair of columns as waves, the first pair on top."""
    n_positions, d_model = table.shape
    for pair in range(d_model // 2):
        foot = -2.5 * pair
        axis.plot(foot + table[:, 2 * pair + 1], "--", color=MUTED, lw=1)
        axis.plot(foot + table[:, 2 * pair], ".-", color=WEIGHTS, ms=4)
    axis.axvline(position, color=QUERY, lw=1)
    names = [f"{column}, {column + 1}" for column in range(0, d_model, 2)]
    axis.set_yticks(-2.5 * np.arange(d_model // 2), names)
    axis.set(xlabel="position", ylabel="columns", xlim=(0, n_positions - 1))
    axis.set_title("Sine, and dashed cosine")


@picture
def waves(n_positions, d_model, base=10_000.0):
    """Draw every pair of columns of the encoding along the positions."""
    figure, axis = panels(size=(7.2, 0.8 + 0.6 * (d_model // 2)))
    table = sinusoidal_positional_encoding(n_positions, d_model, base=base)
    _stacked_waves(axis, table, 0)
    lengths = 2 * np.pi * base ** (np.arange(0, d_model, 2) / d_model)
    says = ", ".join(f"{length:,.0f}" for length in lengths)
    return figure, (
        f"Sine and cosine waves of {d_model // 2} pairs of columns; one turn takes "
        f"{says} positions."
    )


@picture
def turns(starts, offset, d_model, base=10_000.0):
    """Draw the hands of two positions an offset apart, from several starts.

    Parameters
    ----------
    starts : sequence of int
        A row of dials for each; the thin hand is the start, the thick one is later.
    offset : int
    """
    n_pairs = d_model // 2
    figure, axes = panels(len(starts), n_pairs, size=(7.2, 1.9 * len(starts)))
    angles = offset / base ** (np.arange(0, d_model, 2) / d_model)
    table = sinusoidal_positional_encoding(max(starts) + offset + 1, d_model, base=base)
    for row, start in zip(axes, starts, strict=True):
        for pair, axis in enumerate(row):
            _dial(axis, table[[start, start + offset], 2 * pair : 2 * pair + 2])
            axis.set_title(f"turned by {angles[pair]:.3f}", fontsize=9)
        row[0].set_ylabel(f"{start} → {start + offset}")
    says = ", ".join(f"{angle:.3f}" for angle in angles)
    pairs = " and ".join(f"{start} to {start + offset}" for start in starts)
    return figure, f"From position {pairs} alike, the hands turn by {says} (radians)."


def _dial(axis, tips):
    """Draw a clock face: a hand's tip is (sine, cosine), so 0 points straight up."""
    around = np.linspace(0, 2 * np.pi, 100)
    axis.plot(np.sin(around), np.cos(around), color=MUTED, lw=0.8)
    (x, y), (later_x, later_y) = tips
    axis.plot([0, x], [0, y], color=MUTED, lw=1.5)
    axis.plot([0, later_x], [0, later_y], color=WEIGHTS, lw=2.5)
    axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
    axis.spines[:].set_visible(False)


@picture
def dot_products(sizes, n_offsets=64):
    """Draw the dot product of two encodings by offset, as a share of its largest.

    Parameters
    ----------
    sizes : (int, int)
        Two values of d_model.
    """
    figure, axis = panels(size=(6.4, 3.2))
    says = []
    styles = (MUTED, "--"), (WEIGHTS, "-")
    for d_model, (colour, line) in zip(sizes, styles, strict=True):
        table = sinusoidal_positional_encoding(n_offsets, d_model)
        share = table @ table[0] / (table[0] @ table[0])
        axis.plot(share, line, color=colour, label=f"d_model = {d_model}")
        first = ", ".join(f"{s:.2f}" for s in share[[1, 2, 3, 10, 50]])
        says.append(f"{first} at d_model = {d_model}")
    axis.set(xlabel="offset", ylabel="share of offset 0", xlim=(0, n_offsets - 1))
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return figure, (
        "Dot products at the offsets 1, 2, 3, 10 and 50, as a share of the one at "
        f"offset 0: {'; '.join(says)}."
    )
