"""Still picture beside lesson 14: what a sliding cache drops, and what that costs."""

import numpy as np

from ..kit.picture import MUTED, WEIGHTS, panels


def window(letters, now, curves, state):
    """Draw one letter's weights with the keys that are kept, and the loss by them.

    Parameters
    ----------
    letters : sequence of str, (n_keys,)
    now : object
        The keys ``kept``, the ``weights`` over those and over ``all`` keys, and the
        ``rise`` of the loss.
    curves : dict of str to array, (n_keys,)
        For what is kept beside the last keys, the rise at every width.
    state : dict
        The ``window``, and what is kept ``beside`` it.
    """
    figure, (left, right) = panels(1, 2, size=(7.2, 2.6))
    places = np.arange(len(letters))
    left.bar(places, now.all, color="none", edgecolor=MUTED, lw=0.8)
    left.bar(places, now.weights, color=WEIGHTS)
    left.set_xticks(places, letters, fontsize=8)
    left.set(title=f"Weights of the last “{letters[-1]}”", ylim=(0, 1))
    for name, curve in curves.items():
        color = WEIGHTS if name == state["beside"] else MUTED
        right.plot(np.arange(1, len(curve) + 1), curve, color=color, lw=1.5)
    right.plot(state["window"], now.rise, "o", color=WEIGHTS)
    right.set(title="How much the loss rises (nats)", xlabel="last keys kept")
    return figure
