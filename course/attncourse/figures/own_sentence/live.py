"""Lesson 12's live figure: heads of a real model, in any two sentences."""

from functools import partial
from typing import NamedTuple

import numpy as np
import traitlets

from attncourse.real_model import load_extract

from ..kit.controls import check_whole
from ..kit.panel import LABEL, Panel, View, slider
from ..kit.widgets import ipywidgets
from . import still_heads

N_LAYERS, N_HEADS, MOST_TOKENS = 6, 12, 15
PAIRS = {
    "A dog ate the food …": (0, 1),
    "The animal didn't cross …": (4, 5),
}
NOTHING = "#"  # the character for a weight of 0; weights.js knows it too
OWN = "your own sentences"  # the page alone can read them


def pair_lines(extract):
    """Write the lesson's pairs as a reader would: those to search in, and the fresh."""
    return [
        ["; ".join(pair) for pair in extract["pairs"][extract["pair_group"] == group]]
        for group in ("discovery", "held_out")
    ]


def packed(weights):
    """Write weights from 0 to 1 as text: how many hundredths each is past "#".

    Column by column: a column repeats itself more than a row does, and packs smaller.
    """
    hundredths = np.rint(100 * weights.swapaxes(-1, -2)).astype(int).ravel()
    return "".join(chr(ord(NOTHING) + count) for count in hundredths)


class OwnSentenceView(View, beside=__file__):
    """All weights of the stored sentences, to the hundredth, and what the controls say.

    A sentence's weights are one text with a character for each: "#" is 0, "$" 0.01 and
    so on. As lists of numbers the 49,824 weights would be half the weight of the page.
    """

    pairs = traitlets.List().tag(sync=True)
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tokens = traitlets.List().tag(sync=True)
    weights = traitlets.List(traitlets.Unicode()).tag(sync=True)
    pair = traitlets.Int().tag(sync=True)
    layer = traitlets.Int().tag(sync=True)
    head = traitlets.Int().tag(sync=True)
    word = traitlets.Int(1).tag(sync=True)
    matrices = traitlets.Bool().tag(sync=True)
    n_tokens = traitlets.Int(MOST_TOKENS).tag(sync=True)


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
        0 for sentences 0 and 1 of the extract, 1 for its sentences 4 and 5.
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
        If a value is not one that its control has; by ``compute()``, if the reader's
        own sentences are chosen.
    """
    _check(pair, layer, head, word)
    extract = load_extract()
    shown = [i for places in PAIRS.values() for i in places]
    tokens = [extract["tokens"][i].split() for i in shown]
    tables = {i: extract[f"attention_{i}"].astype(float) for i in shown}
    start = {"layer": layer, "head": head, "word": word}
    view = OwnSentenceView(
        texts=extract["texts"][shown].tolist(),
        pairs=pair_lines(extract),
        tokens=tokens,
        weights=list(map(packed, tables.values())),
        pair=pair,
        n_tokens=len(tokens[2 * pair]),
        **start,
    )
    controls = _controls(pair, **start)
    ipywidgets.jsdlink((view, "n_tokens"), (controls["word"], "max"))
    now = _compute(tables, list(PAIRS)[pair], **start)
    both = tokens[2 * pair : 2 * pair + 2]
    asking = min(word, len(both[0])) - 1
    rows = now.first[asking], now.second[asking]
    return Panel(
        view,
        controls,
        still=lambda: still_heads.word_and_heads(
            both,
            rows,
            both[0][asking],
            tables[PAIRS[list(PAIRS)[pair]][0]],
            (layer, head),
        ),
        compute=partial(_compute, tables),
        exact=("layer", "head", "word"),  # one taps a square, or a token
    )


def _controls(pair, layer, head, word):
    names = [*PAIRS, OWN]
    return {
        "pair": ipywidgets.Dropdown(
            description="Sentences", options=names, value=names[pair], style=LABEL
        ),
        "layer": slider("Layer", layer, 0, N_LAYERS - 1, 1),
        "head": slider("Head", head, 0, N_HEADS - 1, 1),
        "word": slider("Token that asks", word, 1, MOST_TOKENS, 1),
    }


def _compute(tables, pair, layer, head, word):
    if pair == OWN:
        rule = "the page reads your own sentences; in Python, load_minilm() does"
        raise ValueError(f"own_sentence: {rule}")
    both = [tables[place] for place in PAIRS[pair]]
    asking = min(word, both[0].shape[-1]) - 1
    rows = [table[:, :, asking] for table in both]
    changes = np.abs(rows[0] - rows[1]).sum(axis=-1) / 2
    first, second = (table[layer, head] for table in both)
    return TwoSentences(first, second, changes)


def _check(pair, layer, head, word):
    operation = "own_sentence"
    check_whole(operation, "pair", pair, 0, len(PAIRS) - 1)
    check_whole(operation, "layer", layer, 0, N_LAYERS - 1)
    check_whole(operation, "head", head, 0, N_HEADS - 1)
    check_whole(operation, "word", word, 1, MOST_TOKENS)
