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
    kept : list of float
        What is left of a word's first row after each layer, as a part of its row: only
        norms divide it, and what is added to it makes it a smaller part.
    """

    spread: list[float]
    largest: list[float]
    alike: list[float]
    kept: list[float]
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
    found, divided = Sizes([], [], [], [], []), 1.0
    for layer in encoder.layers:
        for step in steps(layer, times):
            inputs = _norm(rows) if norm == "before each step" else rows
            if isinstance(step, MultiHeadAttention):
                largest = step.weights(inputs).max(axis=-1)
                found.largest.append(largest.mean())
                found.top.append(largest.max())
            rows = rows + step(inputs)
            if norm == "after each sum":
                divided *= rows.std(axis=-1).mean()
                rows = _norm(rows)
        found.spread.append(rows.std(axis=-1).mean())
        found.kept.append(1 / divided / found.spread[-1])
        alike = np.asarray(np.corrcoef(rows))[np.triu_indices(N_WORDS, 1)]
        found.alike.append(alike.mean())
    return found


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
