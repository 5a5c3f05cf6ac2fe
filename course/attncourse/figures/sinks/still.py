"""Still picture beside lesson 14: what a sliding cache drops, and what that costs."""

import numpy as np

from ..kit.picture import MUTED, WEIGHTS, panels, picture


@picture
def window(letters, everything, now, curves, said):
    """Draw one letter's weights with the keys that are kept, and the loss by them.

    Parameters
    ----------
    letters : sequence of str, (n_keys,)
    everything : array, (n_keys,)
        The weights with all keys.
    now : object
        The keys ``kept``, the ``weights`` over those, and the ``rise`` of the loss.
    curves : dict of str to array, (n_keys,)
        For what is kept beside the last keys, the rise at every width.
    said : tuple
        The width, what is kept beside it, and the model's name.
    """
    width, beside, model = said
    figure, (left, right) = panels(1, 2, size=(7.2, 2.6))
    places = np.arange(len(letters))
    left.bar(places, everything, color="none", edgecolor=MUTED, lw=0.8)
    left.bar(places, now.weights, color=WEIGHTS)
    left.set_xticks(places, letters, fontsize=8)
    left.set(title=f"Weights of the last “{letters[-1]}”", ylim=(0, 1))
    for name, curve in curves.items():
        color = WEIGHTS if name == beside else MUTED
        right.plot(np.arange(1, len(curve) + 1), curve, color=color, lw=1.5)
    right.plot(width, now.rise, "o", color=WEIGHTS)
    right.set(title="How much the loss rises (nats)", xlabel="last keys kept")
    kept = f"the last {width} keys" + ("" if beside == "nothing" else f" and {beside}")
    how = "rotary positions" if model == "rotary" else model
    return figure, (
        f"The model with {how} keeps {kept} of {len(letters)}: the last letter gives "
        f"“{letters[0]}” {now.weights[0]:.2f} of its weight, and {everything[0]:.2f} "
        f"when every key is kept. The loss after letters rises by {now.rise:.2f} nats."
    )
