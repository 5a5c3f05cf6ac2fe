"""Lesson 10's live figure: every head of a real model, two sentences side by side."""

from typing import NamedTuple

import ipywidgets
import numpy as np
import traitlets

from attncourse.real_model import load_extract

from ..kit.checks import check_whole
from ..kit.panel import LABEL, Panel, View, slider
from . import still

N_LAYERS, N_HEADS, MOST_TOKENS = 6, 12, 15
NOTHING = "#"  # the character for a weight of 0; real_model.js knows it too


class RealModelView(View, beside=__file__):
    """All weights of the sentences, to the hundredth, and what the controls say.

    A sentence's weights are one text with a character for each: "#" is 0, "$" 0.01 and
    so on. As lists of numbers the 89,136 weights would be half the weight of the page.
    """

    tokens = traitlets.List().tag(sync=True)
    weights = traitlets.List(traitlets.Unicode()).tag(sync=True)
    first = traitlets.Int().tag(sync=True)
    second = traitlets.Int().tag(sync=True)
    layer = traitlets.Int().tag(sync=True)
    head = traitlets.Int().tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)


class TwoSentences(NamedTuple):
    """What the figure shows, from the extract.

    Parameters
    ----------
    first, second : array, (n_tokens, n_tokens)
        One head's weights in each sentence.
    """

    first: np.ndarray
    second: np.ndarray


def panel(first=0, second=1, layer=5, head=11, word=8):
    """Return the live figure of lesson 10.

    Parameters
    ----------
    first, second : int
        The sentences, from 0 to 7: places in ``load_extract()["texts"]``.
    layer, head : int
        From 0 to 5, and from 0 to 11.
    word : int
        The token of the first sentence that asks, from 1; past the end, the last. In
        the second sentence the same word asks.

    Returns
    -------
    Panel
        ``compute()`` gives the `TwoSentences`.

    Raises
    ------
    ValueError
        If a value is not one that its control has.
    """
    extract = load_extract()
    texts = extract["texts"].tolist()
    _check(len(texts), first, second, layer, head, word)
    tokens = [line.split() for line in extract["tokens"].tolist()]
    tables = [extract[f"attention_{i}"].astype(float) for i in range(len(texts))]
    start = {"first": first, "second": second}
    rest = {"layer": layer, "head": head, "word": word}
    view = RealModelView(
        tokens=tokens, weights=list(map(packed, tables)), **start, **rest
    )
    controls = {
        "first": _sentence("First sentence", texts, first),
        "second": _sentence("Second sentence", texts, second),
        "layer": slider("Layer", layer, 0, N_LAYERS - 1, 1),
        "head": slider("Head", head, 0, N_HEADS - 1, 1),
        "word": slider("Token that asks", word, 1, MOST_TOKENS, 1),
    }

    def compute(first, second, layer, head, word):
        places = texts.index(first), texts.index(second)
        return TwoSentences(*(tables[place][layer, head] for place in places))

    shown = tokens[first], tokens[second]
    asking = min(word, len(shown[0])) - 1
    rows = [tables[first][layer, head][asking]]
    rows.append(tables[second][layer, head][matching(*shown, asking)])
    picture = still.one_word(shown, rows, shown[0][asking], layer, head)
    return Panel(view, controls, still=picture, compute=compute).add_class("aw-many")


def packed(weights):
    """Write weights from 0 to 1 as text: how many hundredths each is past "#".

    Column by column: a column repeats itself more than a row does, and packs smaller.
    """
    hundredths = np.rint(100 * weights.swapaxes(-1, -2)).astype(int).ravel()
    return "".join(chr(ord(NOTHING) + count) for count in hundredths)


def matching(tokens, others, place):
    """Return the place of the same token among others; the same place if none."""
    token = tokens[place]
    return others.index(token) if token in others else min(place, len(others) - 1)


def _sentence(description, texts, place):
    return ipywidgets.Dropdown(
        description=description, options=texts, value=texts[place], style=LABEL
    )


def _check(n_texts, first, second, layer, head, word):
    operation = "real_model"
    check_whole(operation, "first", first, 0, n_texts - 1)
    check_whole(operation, "second", second, 0, n_texts - 1)
    check_whole(operation, "layer", layer, 0, N_LAYERS - 1)
    check_whole(operation, "head", head, 0, N_HEADS - 1)
    check_whole(operation, "word", word, 1, MOST_TOKENS)
