"""Lesson 6's live figure: split, attend, concatenate, project."""

from typing import NamedTuple

import numpy as np
import traitlets

from attncourse import examples
from attncourse.checks import require
from attnlib import MultiHeadAttention

from ..kit.checks import check_between, check_whole
from ..kit.panel import Panel, View, choice, numbers, slider
from . import still

N_WORDS, D_MODEL = 3, 4
HEADS = (1, 2, 4)  # what divides d_model
OWN = np.eye(D_MODEL)
OTHER = np.roll(OWN, D_MODEL // 2, axis=1)  # each column from the other half


class MultiHeadView(View, beside=__file__):
    """What attnlib computed for each number of heads; the page applies W_O."""

    query = traitlets.List().tag(sync=True)
    key = traitlets.List().tag(sync=True)
    value = traitlets.List().tag(sync=True)
    heads = traitlets.List(traitlets.Int()).tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    concatenated = traitlets.List().tag(sync=True)
    own = traitlets.List().tag(sync=True)
    other = traitlets.List().tag(sync=True)
    n_heads = traitlets.Int().tag(sync=True)
    word = traitlets.Int().tag(sync=True)
    mixing = traitlets.Float().tag(sync=True)


class MultiHeadSteps(NamedTuple):
    """What the figure shows, computed by attnlib.

    Parameters
    ----------
    weights : array, (n_heads, n_tokens, n_tokens)
    concatenated, output : array, (n_tokens, d_model)
        The heads side by side, before and after W_O.
    """

    weights: np.ndarray
    concatenated: np.ndarray
    output: np.ndarray


def worked_layer(n_heads, mixing=0.0):
    """Return the worked example's weights as several heads, with a W_O that mixes.

    Parameters
    ----------
    n_heads : int
    mixing : float
        W_O is the identity, plus this share of the columns of the other half.
    """
    _, one = examples.three_words()
    weights = one.w_query, one.w_key, one.w_value, OWN + mixing * OTHER
    return MultiHeadAttention(*weights, n_heads=n_heads)


def panel(n_heads=1, word=2, mixing=0.0):
    """Return the live figure of lesson 6.

    Parameters
    ----------
    n_heads : int
        1, 2 or 4 heads to begin with.
    word : int
        The word whose rows are marked, from 1 to 3.
    mixing : float
        How far W_O mixes the heads, from 0 (the identity) to 1.

    Returns
    -------
    Panel
        ``compute()`` gives the `MultiHeadSteps`.

    Raises
    ------
    ValueError
        If a value is not one that its slider has.
    """
    _check(n_heads, word, mixing)
    x, one = examples.three_words()
    query, key, value = one.project(x)
    steps = [_compute(n) for n in HEADS]
    view = MultiHeadView(
        query=numbers(query),
        key=numbers(key),
        value=numbers(value),
        heads=list(HEADS),
        weights=[numbers(step.weights) for step in steps],
        concatenated=[numbers(step.concatenated) for step in steps],
        own=numbers(OWN),
        other=numbers(OTHER),
    )
    controls = {
        "n_heads": choice("Number of heads", HEADS, n_heads),
        "word": slider("Word to follow", word, 1, N_WORDS, 1),
        "mixing": slider("Mixing by W_O", mixing, 0.0, 1.0, 0.1),
    }
    picture = still.every_head(*_compute(n_heads, word, mixing), word)
    return Panel(view, controls, still=picture, compute=_compute)


def _compute(n_heads, word=1, mixing=0.0):
    x, _ = examples.three_words()
    layer = worked_layer(n_heads, mixing)
    return MultiHeadSteps(layer.weights(x), worked_layer(n_heads)(x), layer(x))


def _check(n_heads, word, mixing):
    operation = "multi_head"
    require(n_heads in HEADS, operation, "n_heads must be 1, 2 or 4", n_heads=n_heads)
    check_whole(operation, "word", word, 1, N_WORDS)
    check_between(operation, "mixing", mixing, 0, 1)
