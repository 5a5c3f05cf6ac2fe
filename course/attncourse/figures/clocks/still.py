"""Still pictures of encodings: clocks, a query matrix, and dot products."""

from matplotlib.patches import Circle, Rectangle

from attncourse.story import in_order
from attnlib import sinusoidal_positional_encoding

from ..kit.grids import grid
from ..kit.picture import MUTED, QUERY, WEIGHTS, on_phone, panels, picture


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


@picture
def asking(w_query, words):
    """Draw what a word asks with: words for words, and a clock for a clock.

    Parameters
    ----------
    w_query : array, (10, 6)
        Its last four rows and columns are the clock's.
    words : sequence of str
        The names of the six columns that words have.
    """
    figure, axis = panels(size=(4.4, 4.4))
    for place, size, color in (((0, 0), (2, 6), QUERY), ((2, 6), (4, 4), WEIGHTS)):
        axis.add_patch(Rectangle(place, *size, facecolor=color, alpha=0.22, lw=0))
    columns = [*words[:2], *in_order.HANDS]
    look = {"text": "{:.3g}", "size": 7 if on_phone() else 9}
    grid(axis, w_query, rows=[*words, *in_order.HANDS], columns=columns, **look)
    axis.tick_params(axis="x", labelrotation=35)
    held = "; ".join(" ".join(f"{x + 0.0:.3g}" for x in r) for r in w_query[6:, 2:])
    return figure, f"W^Q, from the clock's rows to the clock's columns: {held}."


@picture
def dot_products(hands, n_steps=64):
    """Draw the dot product of two encodings by step, as a share of its largest.

    Parameters
    ----------
    hands : (int, int)
        How many hands each of two clocks has.
    """
    figure, axis = panels(size=(6.4, 3.2))
    says = []
    styles = (MUTED, "--"), (WEIGHTS, "-")
    for n_hands, (color, line) in zip(hands, styles, strict=True):
        table = sinusoidal_positional_encoding(n_steps, 2 * n_hands)
        share = table @ table[0] / n_hands
        axis.plot(share, line, color=color, label=f"{n_hands} hands")
        told = ", ".join(f"{s:.2f}" for s in share[[1, 2, 6, 19, 25, 44]])
        says.append(f"{told} with {n_hands} hands")
    axis.set(xlabel="step", ylabel="share of step 0", xlim=(0, n_steps - 1))
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=1 if on_phone() else 2)
    return figure, (
        "Dot products at the steps 1, 2, 6, 19, 25 and 44, as a share of the one at "
        f"step 0: {'; '.join(says)}."
    )
