"""Lesson 7's first figure: words dragged into another order, and their outputs."""

import numpy as np
import traitlets

from attncourse.checks import require
from attncourse.story import in_order

from ..kit.panel import Panel, View, chips, numbers
from ..kit.widgets import ipywidgets
from . import still

WORDS = ("dog", "ate", "food")
ORDERS = ((0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0), (0, 2, 1), (2, 0, 1))


class WordOrderView(View, beside=__file__):
    """What attnlib computed for every order, without positions and with them."""

    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    orders = traitlets.List().tag(sync=True)
    outputs = traitlets.List().tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    hands = traitlets.List().tag(sync=True)
    order = traitlets.Int().tag(sync=True)
    add = traitlets.Bool().tag(sync=True)


def panel(order="dog ate food", add=False):
    """Return the figure of three words that can be dragged into another order.

    Parameters
    ----------
    order : str
        The words "dog", "ate" and "food" in the order to begin with.
    add : bool
        Whether the encodings of their places are added to the words.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of the words as they stand.

    Raises
    ------
    ValueError
        If a value is not one that its control has.
    """
    sentences = [_sentence(order) for order in ORDERS]
    rule = f"order must be one of {', '.join(sentences)}"
    require(order in sentences, "word_order", rule, order=order)
    require(isinstance(add, bool), "word_order", "add must be True or False", add=add)
    controls = {
        "order": chips("Order", sentences, order),
        "add": ipywidgets.Checkbox(
            description="Add the positions", value=add, indent=False
        ),
    }
    return Panel(
        _view(),
        controls,
        still=lambda: still.outputs(
            _trace(order, add), change_of("ate", order, add), add
        ),
        compute=_trace,
        exact=("order",),
    )


def change_of(word, order, add):
    """Return how far a word's output is from its output in "dog ate food"."""
    orders = (order, _sentence())
    now, first = (_trace(o, add).output[o.split().index(word)] for o in orders)
    return float(np.linalg.norm(now - first))


def _view():
    traces = [[_trace(_sentence(o), add) for o in ORDERS] for add in (False, True)]
    return WordOrderView(
        words=list(WORDS),
        orders=[list(order) for order in ORDERS],
        outputs=[numbers([_by_word(t, t.output) for t in row]) for row in traces],
        weights=[numbers([_by_word(t, _asked(t)) for t in row]) for row in traces],
        hands=numbers(in_order.places(len(WORDS))[:, in_order.CLOCK]),
    )


def _sentence(order=ORDERS[0]):
    return " ".join(WORDS[i] for i in order)


def _trace(order, add):
    words = order.split()
    x = in_order.embed(words)
    if add:
        x = x + in_order.places(len(words))
    return in_order.who_ate().trace(x, words)


def _by_word(trace, rows):
    """Put what belongs to the words of a trace into the order of `WORDS`."""
    return rows[[trace.tokens.index(word) for word in WORDS]]


def _asked(trace):
    """Return the weights of "ate"."""
    return trace.weights[trace.tokens.index("ate")]
