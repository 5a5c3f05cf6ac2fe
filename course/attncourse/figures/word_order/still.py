"""The still picture of three words in some order, and their outputs."""

import numpy as np

from ..kit.picture import MUTED, VALUE, WEIGHTS, panels, picture


@picture
def outputs(trace, change, add):
    """Draw what "ate" looks at, and the output of each word below it.

    Parameters
    ----------
    trace : AttentionTrace
        Three words as they stand; d_v is 2.
    change : float
        How far the output of "ate" is from the one in the first order.
    add : bool
        Whether their positions were added.
    """
    figure, (top, foot) = panels(2, 1, size=(4.4, 3.8), sharex=True)
    asked = trace.weights[trace.tokens.index("ate")]
    places = np.arange(len(trace.tokens))
    top.bar(places, asked, width=0.3, color=WEIGHTS)
    top.set(ylim=(0, 1), title="What “ate” looks at", xticks=places)
    top.set_xticks(places, trace.tokens)
    top.tick_params(labelbottom=True, length=0)
    for column, (name, color) in enumerate((("alive", VALUE), ("edible", MUTED))):
        beside = places + 0.2 * (column - 0.5)
        foot.bar(beside, trace.output[:, column], width=0.18, color=color, label=name)
    foot.set(ylim=(0, 1), title="Outputs")
    foot.legend(loc="upper right", ncols=2)
    return figure, _words(trace, asked, change, add)


def _words(trace, asked, change, add):
    def listed(numbers):
        return ", ".join(f"{number:.2f}" for number in numbers)

    rows = zip(trace.tokens, trace.output, strict=True)
    says = "; ".join(f"{word} {listed(row)}" for word, row in rows)
    return (
        f"“{' '.join(trace.tokens)}”, positions {'added' if add else 'left out'}. "
        f"The weights of “ate”: {listed(asked)}. Outputs, alive and edible: {says}. "
        f"The output of “ate” has changed by {change:.2f}."
    )
