"""Still pictures of lesson 10: learning the weights."""

import numpy as np

from ..kit.grids import grid
from ..kit.picture import KEY, MUTED, QUERY, VALUE, WEIGHTS, panels, picture

STYLES = ((WEIGHTS, "-"), (QUERY, "--"), (KEY, "-."), (VALUE, ":"))


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


@picture
def curves(histories, ylabel, level=None):
    """Draw what several seeds measured at each step: their mean and their range.

    Parameters
    ----------
    histories : dict of str to dict of int to sequence of float
        For each model, after each number of steps, one number for each seed.
    ylabel : str
    level : (str, float), optional
        A line to compare with, and its name.
    """
    figure, axis = panels(size=(6.0, 3.4))
    says = []
    for (name, history), (colour, line) in zip(histories.items(), STYLES, strict=False):
        steps, rows = list(history), np.array(list(history.values()))
        axis.plot(steps, rows.mean(axis=1), line, color=colour, label=name)
        look = {"color": colour, "alpha": 0.2, "lw": 0}
        axis.fill_between(steps, rows.min(axis=1), rows.max(axis=1), **look)
        low, high = rows[-1].min(), rows[-1].max()
        says.append(f"{name} from {low:.2f} to {high:.2f}")
    if level:
        axis.axhline(level[1], color=MUTED, lw=0.8, label=level[0])
    axis.set(xlabel="steps", ylabel=ylabel, ylim=(0, 1.05))
    axis.legend(fontsize=8)
    seeds = f"{rows.shape[1]} seeds"
    return figure, f"{ylabel} after {steps[-1]} steps, {seeds}: {'; '.join(says)}."


@picture
def heads(weights, cards, accuracies):
    """Draw the weights of each head, with the accuracy when it works alone."""
    figure, axes = panels(1, len(weights), size=(7.2, 3.4))
    names = {"rows": cards["queries"], "columns": cards["keys"]}
    look = {"most": 1.0, "text": "{:.2f}", "size": 8}
    for h, (axis, head) in enumerate(zip(axes, weights, strict=True)):
        title = f"Head {h + 1}; alone, {accuracies[h]:.2f} right"
        grid(axis, head, title=title, **names, **look)
        axis.tick_params(labelsize=8)
    says = "; ".join(
        f"head {h + 1}, alone {a:.2f} right, gives "
        + ", ".join(f"{w:.2f}" for w in head.max(axis=-1))
        for h, (a, head) in enumerate(zip(accuracies, weights, strict=True))
    )
    return figure, f"The largest weight of each card in each head: {says}."
