"""Still pictures of lesson 10: learning the weights."""

from ..kit.grids import grid
from ..kit.picture import KEY, QUERY, WEIGHTS, panels


def one_moment(state, now, cards, losses):
    """Draw the weights at one step of the training beside the loss at every step.

    Parameters
    ----------
    state : dict
        Which ``model`` it is, and the ``step``.
    now : object
        Its ``weights``, (n_cards, n_cards), and its ``loss``.
    cards : two sequences of str
        What each card asks, and what it shows.
    losses : two sequences of float
        Numbers of steps, and the loss after each.
    """
    figure, (above, below) = panels(2, 1, size=(4.4, 5.4), height_ratios=(4, 3))
    names = dict(zip(("rows", "columns"), cards, strict=True))
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    title = f"Weights after {state['step']} steps"
    grid(above, now.weights, title=title, **names, **look)
    above.tick_params(labelsize=8)
    above.tick_params(axis="y", labelcolor=QUERY)
    above.tick_params(axis="x", labelcolor=KEY)
    below.plot(*losses, color=WEIGHTS)
    below.plot(state["step"], now.loss, "o", color=WEIGHTS)
    below.set(xlabel="steps", ylabel="loss", title=state["model"], ylim=(0, None))
    return figure
