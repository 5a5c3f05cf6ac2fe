"""Lesson 8's live figure: one encoder layer, step by step, under four masks."""

import ipywidgets
import numpy as np
import traitlets

from attncourse import examples
from attnlib import (
    EncoderLayer,
    MultiHeadAttention,
    causal_mask,
    feed_forward,
    layer_norm,
    padding_mask,
)

from ..kit.panel import LABEL, Panel, View, choice, numbers
from . import still

STEPS = (
    "input",
    "attention",
    "first add",
    "first norm",
    "feed-forward",
    "second add",
    "second norm",
)
N_WORDS, N_TOKENS, D_MODEL, D_FF = 3, 4, 4, 8
TOKENS = ("word 1", "word 2", "word 3", "padding")
CAUSAL, PADDING = causal_mask(N_TOKENS), padding_mask(N_WORDS, N_TOKENS)
MASKS = {
    "none": None,
    "causal": CAUSAL,
    "padding": PADDING,
    "both": CAUSAL & PADDING,
}


class EncoderView(View, beside=__file__):
    """What attnlib computed for each mask; the page shows one step of one mask."""

    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    masks = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List().tag(sync=True)
    weights = traitlets.List().tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    mask = traitlets.Int().tag(sync=True)


def worked_layer():
    """Return the four rows of the figure and the layer that encodes them.

    The attention is that of the worked example of lessons 1 to 6, in one head, so that
    its numbers are those of lesson 5. The feed-forward weights are drawn with a seed,
    to one decimal.

    Returns
    -------
    x : array, (4, 4)
        The three words and a row of padding, which is zeros.
    layer : EncoderLayer
    """
    words, one_head = examples.three_words()
    projections = (one_head.w_query, one_head.w_key, one_head.w_value)
    attention = MultiHeadAttention(*projections, np.eye(D_MODEL), n_heads=1)
    rng = np.random.default_rng(8)
    w_1 = rng.integers(-9, 10, (D_MODEL, D_FF)) / 10
    w_2 = rng.integers(-9, 10, (D_FF, D_MODEL)) / 10
    zeros, ones = np.zeros(D_MODEL), np.ones(D_MODEL)
    network = (w_1, np.zeros(D_FF), w_2, zeros)
    layer = EncoderLayer(attention, *network, ones, zeros, ones, zeros)
    return np.vstack([words, zeros]), layer


def steps_of(layer, x, mask=None):
    """Compute every step of a post-norm encoder layer, by name, and the weights.

    Parameters
    ----------
    layer : EncoderLayer
    x : array, (n_tokens, d_model)
    mask : array of bool, (n_tokens, n_tokens), optional

    Returns
    -------
    dict of str to array
        Each of `STEPS`, (n_tokens, d_model), and "weights", (n_tokens, n_tokens), of
        the first head.
    """
    attended = layer.attention(x, mask=mask)
    added = x + attended
    middle = layer_norm(added, layer.gain_1, layer.bias_1, eps=layer.eps)
    network = (layer.w_1, layer.b_1, layer.w_2, layer.b_2)
    transformed = feed_forward(middle, *network, activation=layer.activation)
    again = middle + transformed
    output = layer_norm(again, layer.gain_2, layer.bias_2, eps=layer.eps)
    steps = (x, attended, added, middle, transformed, again, output)
    weights = layer.attention.weights(x, mask=mask)[0]
    return dict(zip(STEPS, steps, strict=True)) | {"weights": weights}


def panel(step="input", mask="none"):
    """Return the live figure of lesson 8.

    Parameters
    ----------
    step : str
        The step to begin with: "input", "attention", "first add", "first norm",
        "feed-forward", "second add" or "second norm".
    mask : str
        "none", "causal", "padding" or "both".

    Returns
    -------
    Panel
        ``compute()`` gives every step by name, and the "weights", as attnlib computes
        them under the mask chosen.

    Raises
    ------
    ValueError
        If there is no such step or mask.
    """
    _check("step", step, STEPS)
    _check("mask", mask, tuple(MASKS))
    computed = [_compute(None, name) for name in MASKS]
    view = EncoderView(
        tokens=list(TOKENS),
        masks=list(MASKS),
        rows=[[numbers(with_moments(one[name])) for name in STEPS] for one in computed],
        weights=[numbers(one["weights"]) for one in computed],
    )
    masks = {"options": tuple(MASKS), "value": mask, "style": LABEL}
    controls = {
        "step": choice("Step", STEPS, step),
        "mask": ipywidgets.ToggleButtons(description="Mask", **masks),
    }
    now = _compute(step, mask)
    rows, weights = with_moments(now[step]), now["weights"]
    place = f"Step {STEPS.index(step) + 1} of {len(STEPS)}, {step}"
    picture = still.layer_step(place, rows, weights, mask, TOKENS)
    return Panel(view, controls, still=picture, compute=_compute)


def with_moments(rows):
    """Append to each row its mean and its standard deviation, as layer norm has it."""
    moments = (rows.mean(axis=-1, keepdims=True), rows.std(axis=-1, keepdims=True))
    return np.concatenate([rows, *moments], axis=-1)


def _compute(step, mask):
    x, layer = worked_layer()
    return steps_of(layer, x, MASKS[mask])


def _check(name, value, known):
    if value not in known:
        raise ValueError(f"encoder: {name} must be one of {known}, got {value!r}")
