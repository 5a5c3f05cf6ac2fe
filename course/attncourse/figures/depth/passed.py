"""Random rows on their way through many layers with random weights."""

from typing import NamedTuple

import numpy as np

from attnlib import (
    Encoder,
    MultiHeadAttention,
    feed_forward,
    layer_norm,
)

N_WORDS, D_MODEL, N_HEADS = 10, 64, 4
NORMS = ("none", "after each sum", "before each step")


def drawn(n_layers, seed=0):
    """Draw ten random words and a random encoder that they will pass through.

    Returns
    -------
    rows : array, (n_words, d_model)
    encoder : Encoder
    """
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((N_WORDS, D_MODEL))
    return rows, Encoder.random(n_layers, D_MODEL, N_HEADS, 4 * D_MODEL, rng=rng)


class Sizes(NamedTuple):
    """What becomes of rows and weights, layer by layer.

    Parameters
    ----------
    spread : list of float
        Of a row after each layer: the mean over all words.
    largest, top : list of float
        The largest weight that a word gives in each layer: the mean over all words and
        heads, and the largest of all.
    alike : list of float
        The correlation between the rows of two words after each layer: the mean over
        all pairs.
    """

    spread: list[float]
    largest: list[float]
    alike: list[float]
    top: list[float]


def sizes(norm, n_layers=12, times=1, seed=0):
    """Follow random rows through random layers, normalized or not.

    Parameters
    ----------
    norm : str
        One of `NORMS`.
    n_layers : int
    times : float
        What all matrices are multiplied by.
    seed : int

    Returns
    -------
    Sizes
    """
    rows, encoder = drawn(n_layers, seed)
    found = Sizes([], [], [], [])
    for layer in encoder.layers:
        for step in steps(layer, times):
            inputs = _norm(rows) if norm == "before each step" else rows
            if isinstance(step, MultiHeadAttention):
                largest = step.weights(inputs).max(axis=-1)
                found.largest.append(largest.mean())
                found.top.append(largest.max())
            rows = rows + step(inputs)
            rows = _norm(rows) if norm == "after each sum" else rows
        found.spread.append(rows.std(axis=-1).mean())
        alike = np.asarray(np.corrcoef(rows))[np.triu_indices(N_WORDS, 1)]
        found.alike.append(alike.mean())
    return found


def direct_shares(n_layers=12, seed=0):
    """Follow random rows through a random encoder, normalized in two ways.

    A norm divides what came along the sums by the spread of its row. Post-norm does so
    after every sum; pre-norm divides once, at the very end.

    Returns
    -------
    dict of str to list of float
        For "post-norm" and "pre-norm", the factor on the input after each layer.
    """
    rows, encoder = drawn(n_layers, seed)
    after = before = rows
    factor, shares = 1.0, {"post-norm": [], "pre-norm": []}
    for step in all_steps(encoder):
        total = after + step(after)
        factor = factor / total.std(axis=-1).mean()
        after = _norm(total)
        before = before + step(_norm(before))
        shares["post-norm"].append(factor)
        shares["pre-norm"].append(1 / before.std(axis=-1).mean())
    assert np.allclose(after, encoder(rows))  # post-norm is what the encoder does
    return {name: each[1::2] for name, each in shares.items()}  # two steps a layer


def _norm(rows):
    return layer_norm(rows, np.ones(rows.shape[-1]))


def steps(layer, times=1):
    """Return the two steps of a layer without their sums and norms."""
    of = layer.attention
    matrices = (of.w_query, of.w_key, of.w_value, of.w_output)
    attention = MultiHeadAttention(*(times * w for w in matrices), n_heads=of.n_heads)
    weights = times * layer.w_1, layer.b_1, times * layer.w_2, layer.b_2
    return attention, lambda rows: feed_forward(rows, *weights)


def all_steps(encoder):
    """List the steps of all layers in order: attention, network, and so on."""
    return [step for layer in encoder.layers for step in steps(layer)]
