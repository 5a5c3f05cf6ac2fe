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
    figure, (left, right) = panels(1, 2, size=(7.2, 3.1), width_ratios=(6, 5))
    names = {"rows": cards["queries"], "columns": cards["keys"]}
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    grid(left, weights, title=f"Weights after {step} steps", **names, **look)
    left.tick_params(labelsize=8)
    left.tick_params(axis="y", labelcolor=QUERY)
    left.tick_params(axis="x", labelcolor=KEY)
    right.plot(list(losses), list(losses.values()), color=WEIGHTS)
    right.plot(step, losses[step], "o", color=WEIGHTS)
    right.set(xlabel="steps", ylabel="loss", title=name, ylim=(0, None))
    rows = zip(cards["queries"], weights, says, strict=True)
    listed = "; ".join(
        f"{card} {', '.join(f'{w:.2f}' for w in row)}, says {letter}"
        for card, row, letter in rows
    )
    return figure, (
        f"Model “{name}” after {step} steps: loss {losses[step]:.2f}, accuracy "
        f"{accuracy:.2f}. Weights of each card on cards 1 to {len(weights)}: {listed}."
    )
