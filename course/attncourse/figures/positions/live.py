"""Lesson 7's live figure: encodings, their dot products, and words in any order."""

import ipywidgets
import numpy as np
import traitlets

from attncourse.checks import require
from attnlib import SelfAttention, sinusoidal_positional_encoding

from ..kit.checks import check_whole
from ..kit.panel import Panel, View, choice, numbers, slider
from . import still

D_MODEL, LAST, N_SHOWN = 8, 40, 64
WORDS = ("I", "love", "AI")
ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
BASES = {"10": 10, "100": 100, "1,000": 1000, "10,000": 10**4, "10⁸": 10**8}


class PositionsView(View, beside=__file__):
    """Three words and a layer; the page encodes their positions and attends."""

    words = traitlets.List().tag(sync=True)
    x = traitlets.List().tag(sync=True)
    w_query = traitlets.List().tag(sync=True)
    w_key = traitlets.List().tag(sync=True)
    w_value = traitlets.List().tag(sync=True)
    orders = traitlets.List().tag(sync=True)
    bases = traitlets.List().tag(sync=True)
    n_shown = traitlets.Int().tag(sync=True)
    position = traitlets.Int().tag(sync=True)
    base = traitlets.Int().tag(sync=True)
    order = traitlets.Int().tag(sync=True)
    add = traitlets.Bool().tag(sync=True)


def random_words(seed=0):
    """Return three words of eight random numbers, (3, 8), and a random layer."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((len(WORDS), D_MODEL))
    return x, SelfAttention.random(D_MODEL, D_MODEL, rng=rng)


def panel(position=0, base=10_000, order="I love AI", add=False):
    """Return the live figure of lesson 7.

    Parameters
    ----------
    position : int
        Where the first word stands, from 0 to 40.
    base : int
        10, 100, 1000, 10000, or 100000000.
    order : str
        The words "I", "love" and "AI" in the order to begin with.
    add : bool
        Whether the encodings are added to the words.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of the words as they stand.

    Raises
    ------
    ValueError
        If a value is not one that its control has.
    """
    sentences = {_sentence(order): order for order in ORDERS}
    operation = "positions"
    check_whole(operation, "position", position, 0, LAST)
    rule = f"base must be one of {', '.join(map(str, BASES.values()))}"
    require(base in BASES.values(), operation, rule, base=base)
    rule = f"order must be one of {', '.join(sentences)}"
    require(order in sentences, operation, rule, order=order)
    require(isinstance(add, bool), operation, "add must be True or False", add=add)
    controls = {
        "position": slider("First position", position, 0, LAST, 1),
        "base": choice("Base", list(BASES.items()), base),
        "order": choice("Word order", list(sentences), order),
        "add": ipywidgets.Checkbox(
            description="Add the encodings", value=add, indent=False
        ),
    }
    trace = _trace(position, base, order, add)
    picture = still.overview(
        position, base, trace, _changes(position, base, order, add)
    )
    return Panel(_view(), controls, still=picture, compute=_trace)


def _view():
    x, layer = random_words()
    weights = {n: getattr(layer, n) for n in ("w_query", "w_key", "w_value")}
    return PositionsView(
        words=list(WORDS),
        x=numbers(x),
        **{name: numbers(weight) for name, weight in weights.items()},
        orders=[list(order) for order in ORDERS],
        bases=list(BASES.values()),
        n_shown=N_SHOWN,
    )


def _sentence(order):
    return " ".join(WORDS[i] for i in order)


def _trace(position, base, order, add):
    x, layer = random_words()
    words = order.split()
    x = x[[WORDS.index(word) for word in words]]
    if add:
        n_positions = position + len(words)
        encoding = sinusoidal_positional_encoding(n_positions, D_MODEL, base=base)
        x = x + encoding[position:]
    return layer.trace(x, words)


def _changes(position, base, order, add):
    """Say how far each word's output is from its output in the first order."""
    now = _trace(position, base, order, add)
    first = _trace(position, base, _sentence(ORDERS[0]), add)
    before = first.output[[WORDS.index(word) for word in now.tokens]]
    return np.linalg.norm(now.output - before, axis=1)
