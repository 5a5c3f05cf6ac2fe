"""The writer's heads: where each looks, and what is lost without it."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np

from attnlib import (
    Decoder,
    attention_weights,
    cross_entropy,
    rms_norm,
    rotary_embedding,
)
from attnlib.heads import split_heads

from .stored import writer
from .stories import ADJECTIVES, ANIMALS, FOODS, WORDS

KINDS = {
    **dict.fromkeys(ANIMALS, "ANIMAL"),
    **dict.fromkeys(FOODS, "FOOD"),
    **dict.fromkeys(ADJECTIVES, "ADJECTIVE"),
}


def weights_of(decoder, ids):
    """Return who looks at whom, in every head.

    Parameters
    ----------
    decoder : attnlib.Decoder
        With rotary positions, as the writer has.
    ids : array of int, (..., n_tokens)

    Returns
    -------
    array, (n_layers, ..., n_heads, n_tokens, n_tokens)
    """
    x, found = decoder.embedding(ids), []
    for layer in decoder.layers:
        normal, parts = rms_norm(x, layer.gain_1), layer.attention
        query, key = (
            rotary_embedding(split_heads(normal @ w, parts.n_heads))
            for w in (parts.w_query, parts.w_key)
        )
        found.append(attention_weights(query, key, is_causal=True))
        x = layer(x)
    return np.stack(found)


def looks_at(layer, head, texts, at):
    """Count the words, or kinds of words, that the writer's head looks at most.

    Parameters
    ----------
    layer, head : int
        Counted from 0.
    texts : array of int, (n_texts, n_tokens)
    at : array of bool, (n_texts, n_tokens)
        From where it looks.

    Returns
    -------
    dict of str to int, the most frequent first
    """
    rows, places = np.nonzero(at)
    weights = weights_of(writer(), texts)[layer, rows, head, places]
    found = np.array(WORDS)[texts[rows, weights.argmax(axis=-1)]].tolist()
    return dict(Counter(KINDS.get(word, word) for word in found).most_common())


def without_head(decoder, layer, head):
    """Return the decoder with one head cut: what it hands over becomes 0."""
    layers = list(decoder.layers)
    attention = layers[layer].attention
    w_output, d_k = attention.w_output.copy(), decoder.d_model // attention.n_heads
    w_output[head * d_k : (head + 1) * d_k] = 0
    cut = replace(attention, w_output=w_output)
    layers[layer] = replace(layers[layer], attention=cut)
    return Decoder(decoder.embedding, layers, gain=decoder.gain, eps=decoder.eps)


def losses_without_two(decoder, texts, at):
    """Cut every two heads at once, and measure what the cut costs each text.

    Parameters
    ----------
    decoder : attnlib.Decoder
    texts : array of int, (n_texts, n_tokens)
    at : array of bool, (n_texts, n_tokens − 1)
        The words whose next one is looked at: at least one in each text.

    Returns
    -------
    dict of ((int, int), (int, int)) to array, (n_texts,)
        For each two heads, (layer, head) both, the mean of −log p of each text.
    """
    seen, targets, found = texts[:, :-1], texts[:, 1:], {}
    n_heads = decoder.layers[0].attention.n_heads
    heads = [(i, j) for i in range(len(decoder.layers)) for j in range(n_heads)]
    for one, other in combinations(heads, 2):
        cut = without_head(without_head(decoder, *one), *other)
        losses = np.where(at, cross_entropy(cut(seen), targets), 0)
        found[one, other] = losses.sum(axis=1) / at.sum(axis=1)
    return found
