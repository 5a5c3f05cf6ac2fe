"""Lesson 3's live figure: what growing d_k does to scores, weights and gradient."""

import numpy as np
import traitlets

from attnlib import SelfAttention, dot_product_scores, scale_scores

from ..kit.panel import Panel, View, choice, numbers, slider
from . import still

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
N_WORDS, N_SHOWN, D_MODEL = 64, 8, 512
EDGES = np.arange(-40, 40.5, 0.5)


class ScalingView(View, beside=__file__):
    """What attnlib computed for each d_k; the page scales and weighs the scores."""

    sizes = traitlets.List(traitlets.Int()).tag(sync=True)
    edges = traitlets.List(traitlets.Float()).tag(sync=True)
    spreads = traitlets.List().tag(sync=True)
    raw_counts = traitlets.List().tag(sync=True)
    scaled_counts = traitlets.List().tag(sync=True)
    scores = traitlets.List().tag(sync=True)
    d_k = traitlets.Int().tag(sync=True)
    word = traitlets.Int().tag(sync=True)


def random_layer(d_k, seed=0):
    """Return 64 random words and a random layer whose q and k have d_k numbers.

    Words are standard normal and weights are divided by √d_model, so that the numbers
    in q and k have mean 0 and variance 1 for every d_k.
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((N_WORDS, D_MODEL))
    weights = rng.standard_normal((3, D_MODEL, D_MODEL)) / np.sqrt(D_MODEL)
    return x, SelfAttention(*weights[:, :, :d_k])


def random_scores(d_k):
    """Return the scores of all 64 × 64 pairs of words."""
    x, layer = random_layer(d_k)
    return dot_product_scores(x @ layer.w_query, x @ layer.w_key)


def panel(d_k=64, word=1):
    """Return the live figure of lesson 3.

    Parameters
    ----------
    d_k : int
        Numbers in each query and key to begin with: a power of two up to 512.
    word : int
        The word whose query is shown, from 1 to 8.

    Returns
    -------
    Panel
        ``compute()`` gives the `AttentionTrace` of the eight words shown.
    """
    if d_k not in SIZES:
        raise ValueError(f"scaling: d_k must be one of {SIZES}, got {d_k}")
    scores = {size: random_scores(size) for size in SIZES}
    scaled = {size: scale_scores(scores[size], size) for size in SIZES}
    view = ScalingView(
        sizes=list(SIZES),
        edges=EDGES.tolist(),
        spreads=numbers([scores[size].std() for size in SIZES]),
        raw_counts=[np.histogram(s, EDGES)[0].tolist() for s in scores.values()],
        scaled_counts=[np.histogram(s, EDGES)[0].tolist() for s in scaled.values()],
        scores=[numbers(s[:N_SHOWN, :N_SHOWN]) for s in scores.values()],
    )
    controls = {
        "d_k": choice("Length of q and k, d_k", SIZES, d_k),
        "word": slider("Word that asks", word, 1, N_SHOWN, 1),
    }
    picture = still.with_and_without_scale(scores[d_k], scaled[d_k], d_k, word)
    return Panel(view, controls, still=picture, compute=_trace)


def _trace(d_k, word):
    x, layer = random_layer(d_k)
    return layer.trace(x[:N_SHOWN], [f"word {i}" for i in range(1, N_SHOWN + 1)])
