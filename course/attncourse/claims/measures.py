"""Measures that several checkers share, and a row of numbers in a sentence."""

import numpy as np

from attnlib import (
    Embedding,
    Vocabulary,
    attention_weights,
    dot_product_scores,
    scale_scores,
    scaled_dot_product_attention,
    softmax,
    tokenize,
)

from .posts import draw
from .registry import Found


def show(numbers, digits):
    """Write a row of numbers with so many decimals."""
    return "[" + ", ".join(f"{number:.{digits}f}" for number in numbers) + "]"


def outcome(function, *arguments):
    """Call; return "runs", or the name of the error that stops it."""
    try:
        function(*arguments)
    except Exception as error:
        return type(error).__name__
    return "runs"


def finite(numbers):
    """Return "finite", or "nan" if any number is not."""
    return "finite" if np.isfinite(numbers).all() else "nan"


def encoding_as_coded(n_positions, d_model):
    """Encode positions as post 4 codes it: the exponent is doubled."""
    table = np.zeros((n_positions, d_model))
    positions = np.arange(n_positions)
    for column in range(0, d_model, 2):
        angle = positions / 10_000 ** (2 * column / d_model)
        table[:, column], table[:, column + 1] = np.sin(angle), np.cos(angle)
    return table


def plain_softmax(scores):
    """Softmax as post 4 codes it: the largest score is not subtracted first."""
    with np.errstate(over="ignore", invalid="ignore"):
        shares = np.exp(scores)
        return shares / shares.sum(axis=-1, keepdims=True)


def are_probabilities(weights):
    """Tell whether all are positive and below 1, and each row sums to 1."""
    inside = ((weights > 0) & (weights < 1)).all()
    return bool(inside and np.allclose(weights.sum(axis=-1), 1))


def own_largest(scores, ties=False):
    """Tell for each row whether its diagonal entry beats (or equals) all others."""
    own = np.diagonal(scores)
    others = np.where(np.eye(len(scores), dtype=bool), -np.inf, scores).max(axis=-1)
    return own > others - 1e-9 if ties else own > others + 1e-9


def same_order(scores, weights):
    """Tell whether each row of weights ranks its keys as the row of scores does."""
    higher = scores[:, :, None] > scores[:, None, :] + 1e-9
    heavier = weights[:, :, None] > weights[:, None, :] + 1e-9
    return bool((higher == heavier).all())


def row_by_row(query, key, value):
    """Tell whether one query at a time, last one first, gives what all give at once."""
    whole = scaled_dot_product_attention(query, key, value)
    alone = [scaled_dot_product_attention(q[None], key, value)[0] for q in query[::-1]]
    return np.allclose(alone[::-1], whole)


def jacobian(weights):
    """Return the derivative of softmax: diag(w) − w wᵀ for every row w of weights."""
    diagonal = weights[..., :, None] * np.eye(weights.shape[-1])
    return diagonal - weights[..., :, None] * weights[..., None, :]


def gradient_size(scores):
    """Return the mean size of the derivative of softmax at these rows of scores."""
    return np.linalg.norm(jacobian(softmax(scores)), axis=(-2, -1)).mean()


def gradients_with_scale(n_tokens, d_k):
    """Compare the derivative of softmax with and without the scale."""
    scores = dot_product_scores(*draw(2, 500, n_tokens, d_k))
    scaled, unscaled = gradient_size(scale_scores(scores, d_k)), gradient_size(scores)
    return Found(
        bool(scaled > unscaled), facts={"scaled": scaled, "unscaled": unscaled}
    )


def prefers(words, asker, one, other, draws):
    """Return how often random weights let `asker` attend more to `one` than `other`."""
    query, key = draw(2, draws, len(words), 8)
    weights = attention_weights(query, key)[:, words.index(asker)]
    return (weights[:, words.index(one)] > weights[:, words.index(other)]).mean()


def distinct_outputs(sentence, layer):
    """Count the different output rows for a sentence with seeded embeddings."""
    words = [word.lower() for word in tokenize(sentence)]
    vocabulary = Vocabulary(words)
    embedding = Embedding(draw(len(vocabulary), layer.d_model, seed=1), vocabulary)
    return len(np.unique(layer(embedding(words)).round(9), axis=0))
