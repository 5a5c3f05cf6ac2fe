"""The still picture of two positions' clocks."""

from matplotlib.patches import Circle

from ..kit.picture import MUTED, QUERY, WEIGHTS, panels


def dials(pair):
    """Draw the hands of two positions, a clock face for each pair of columns."""
    n_hands = pair.encodings.shape[-1] // 2
    figure, axes = panels(1, n_hands, size=(2 * n_hands, 2.1))
    tips = pair.encodings.reshape(2, n_hands, 2)
    for i, axis in enumerate(axes):
        _dial(axis, tips[:, i])
        axis.set_title(f"apart by {pair.turns[i]:.3f}", fontsize=10)
    return figure


def _dial(axis, tips):
    """Draw a clock face: a hand's tip is (sine, cosine), so 0 points straight up."""
    axis.add_patch(Circle((0, 0), 1, fill=False, color=MUTED, lw=0.8))
    (x, y), (later_x, later_y) = tips
    axis.plot([0, x], [0, y], color=QUERY, lw=2)
    axis.plot([0, later_x], [0, later_y], color=WEIGHTS, lw=2)
    axis.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
    axis.spines[:].set_visible(False)
