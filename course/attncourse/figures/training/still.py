"""Still pictures of lesson 10: learning the weights."""

from ..kit.grids import grid
from ..kit.picture import KEY, QUERY, WEIGHTS, panels, picture


@picture
def one_moment(name, step, weights, cards, says, losses, accuracy):
    """Draw the weights at one step of the training beside the loss at every step.

    Parameters
    ----------
    name : str
        Which model it is.
    step : int
    weights : array, (n_cards, n_cards)
    cards : dict of str to sequence of str
        The "queries" (what each card asks) and the "keys" (what each card shows).
    says : sequence of str
        The letter the model gives for each card.
    losses : dict of int to float
        The loss after each number of steps.
    accuracy : float
    """
    figure, (above, below) = panels(2, 1, size=(4.4, 5.4), height_ratios=(4, 3))
    names = {"rows": cards["queries"], "columns": cards["keys"]}
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    grid(above, weights, title=f"Weights after {step} steps", **names, **look)
    above.tick_params(labelsize=8)
    above.tick_params(axis="y", labelcolor=QUERY)
    above.tick_params(axis="x", labelcolor=KEY)
    below.plot(list(losses), list(losses.values()), color=WEIGHTS)
    below.plot(step, losses[step], "o", color=WEIGHTS)
    below.set(xlabel="steps", ylabel="loss", title=name, ylim=(0, None))
    rows = zip(cards["queries"], weights, says, strict=True)
    listed = "; ".join(
        f"{card} {', '.join(f'{w:.2f}' for w in row)}, says {letter}"
        for card, row, letter in rows
    )
    return figure, (
        f"Model “{name}” after {step} steps: loss {losses[step]:.2f}, accuracy "
        f"{accuracy:.2f}. Weights of each card on cards 1 to {len(weights)}: {listed}."
    )
