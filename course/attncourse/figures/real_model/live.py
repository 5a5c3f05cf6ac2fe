"""Lesson 12's live figure: one head of the real model in two sentences of a pair."""

from typing import NamedTuple

import numpy as np
import traitlets

from attncourse.real_model import load_extract

from ..kit.checks import check_whole
from ..kit.panel import LABEL, Panel, View, slider
from ..kit.widgets import ipywidgets
from . import still

N_LAYERS, N_HEADS, MOST_TOKENS = 6, 12, 15
NOTHING = "#"  # the character for a weight of 0; live.js knows it too
PAIRS = {
    "A dog ate the food …": (0, 1),
    "The food was eaten by a dog …": (2, 3),
    "The animal didn't cross …": (4, 5),
}


class RealModelView(View, beside=__file__):
    """All weights of the sentences, to the hundredth, and what the controls say.

    A sentence's weights are one text with a character for each: "#" is 0, "$" 0.01 and
    so on. As lists of numbers the 73,440 weights would be half the weight of the page.
    """

    tokens = traitlets.List().tag(sync=True)
    weights = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pair = traitlets.Int().tag(sync=True)
    layer = traitlets.Int().tag(sync=True)
    head = traitlets.Int().tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)


class TwoSentences(NamedTuple):
    """What the figure shows, from the extract.

    Parameters
    ----------
    first, second : array, (n_tokens, n_tokens)
        One head's weights in each sentence.
    changes : array, (n_layers, n_heads)
        How much of its weight the asking word moves, from the one sentence to the
        other: half the sum of the differences, from 0 to 1.
    """

    first: np.ndarray
    second: np.ndarray
    changes: np.ndarray


def panel(pair=0, layer=5, head=11, word=8):
    """Return the live figure of lesson 12.

    Parameters
    ----------
    pair : int
        From 0 to 2: sentences 0 and 1, 2 and 3 or 4 and 5 of the extract.
    layer, head : int
        From 0 to 5, and from 0 to 11.
    word : int
        The token that asks, from 1; past the end, the last.

    Returns
    -------
    Panel
        ``compute()`` gives the `TwoSentences`.

    Raises
    ------
    ValueError
        If a value is not one that its control has.
    """
    _check(pair, layer, head, word)
    extract = load_extract()
    tokens = [line.split() for line in extract["tokens"].tolist()]
    tables = [extract[f"attention_{i}"].astype(float) for i in range(len(tokens))]
    start = {"layer": layer, "head": head, "word": word}
    packs = list(map(packed, tables))
    view = RealModelView(tokens=tokens, weights=packs, pair=pair, **start)
    names = list(PAIRS)
    controls = {
        "pair": ipywidgets.Dropdown(
            description="Sentences", options=names, value=names[pair], style=LABEL
        ),
        "layer": slider("Layer", layer, 0, N_LAYERS - 1, 1),
        "head": slider("Head", head, 0, N_HEADS - 1, 1),
        "word": slider("Token that asks", word, 1, MOST_TOKENS, 1),
    }

    def compute(pair, layer, head, word):
        both = [tables[place] for place in PAIRS[pair]]
        asking = min(word, both[0].shape[-1]) - 1
        rows = [table[:, :, asking] for table in both]
        changes = np.abs(rows[0] - rows[1]).sum(axis=-1) / 2
        return TwoSentences(*(table[layer, head] for table in both), changes)

    shown = [tokens[place] for place in PAIRS[names[pair]]]
    now, asking = compute(names[pair], **start), min(word, len(shown[0])) - 1
    rows = now.first[asking], now.second[asking]
    return Panel(
        view,
        controls,
        still=lambda: still.one_word(shown, rows, shown[0][asking], layer, head),
        compute=compute,
    ).add_class("aw-many")


def packed(weights):
    """Write weights from 0 to 1 as text: how many hundredths each is past "#".

    Column by column: a column repeats itself more than a row does, and packs smaller.
    """
    hundredths = np.rint(100 * weights.swapaxes(-1, -2)).astype(int).ravel()
    return "".join(chr(ord(NOTHING) + count) for count in hundredths)


def _check(pair, layer, head, word):
    operation = "real_model"
    check_whole(operation, "pair", pair, 0, len(PAIRS) - 1)
    check_whole(operation, "layer", layer, 0, N_LAYERS - 1)
    check_whole(operation, "head", head, 0, N_HEADS - 1)
    check_whole(operation, "word", word, 1, MOST_TOKENS)
