"""The program that writes: it reads a text once, keeps keys and values, and goes on.

It computes what `attnlib.Decoder` does, from parts that a bug can take the place of.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from attncourse.toys.writer.model import N_HEADS, N_LAYERS, NETWORK
from attncourse.toys.writer.stories import WORDS
from attnlib import feed_forward, rms_norm, rotary_embedding
from attnlib import scaled_dot_product_attention as attention
from attnlib.heads import merge_heads, split_heads


def attend(query, key, value, mask=None):
    """Attend to the keys so far; the last query stands at the last key."""
    offset = key.shape[-2] - query.shape[-2]
    return merge_heads(
        attention(query, key, value, mask=mask, is_causal=True, query_offset=offset)
    )


def places(n_before, n_new):
    """Count the new words on from those before."""
    return np.arange(n_before, n_before + n_new)


def turn(x, positions):
    """Rotate queries or keys by their positions."""
    return rotary_embedding(x, positions=positions)


def padded(texts):
    """Fill texts up at the left; return ids, and how many of each are padding."""
    longest = max(map(len, texts))
    n_padding = [longest - len(text) for text in texts]
    rows = [[0] * n + list(text) for n, text in zip(n_padding, texts, strict=True)]
    return np.array(rows), np.array(n_padding) if any(n_padding) else None


class Parts(NamedTuple):
    """What a program that writes is made of; these are right."""

    words: tuple = WORDS
    attend: Callable = attend
    turn: Callable = turn
    places: Callable = places
    padded: Callable = padded
    n_kept: int | None = None  # keys that stay in the cache: all of them
    is_fresh: bool = True  # whether each text begins with an empty cache


class Cache:
    """The keys and values of each layer, and how many words were read."""

    def __init__(self):
        self.n_read, self.held, self.n_padding = 0, {}, None

    def append(self, layer, new, n_kept):
        """Return all keys and values of a layer, the new ones among them."""
        if layer in self.held:
            pairs = zip(self.held[layer], new, strict=True)
            new = tuple(np.concatenate(pair, axis=-2) for pair in pairs)
        self.held[layer] = (
            new if not n_kept else tuple(x[..., -n_kept:, :] for x in new)
        )
        return new


def read(params, ids, parts, cache=None):
    """Return the logits after each word of ids, (n_texts, n_new)."""
    cache = Cache() if cache is None else cache
    x, n_new = params["table"][ids], ids.shape[-1]
    positions, mask = parts.places(cache.n_read, n_new), None
    if cache.n_padding is not None:
        n_padding = cache.n_padding[:, None]
        mask = (np.arange(cache.n_read + n_new) >= n_padding)[:, None, None]
        positions = np.maximum(positions - n_padding, 0)[:, None]
    for i in range(N_LAYERS):
        x = _layer(params, i, x, parts, cache, positions, mask)
    cache.n_read += n_new
    return rms_norm(x, params["gain"]) @ params["table"].T


def _layer(params, i, x, parts, cache, positions, mask):
    normal = rms_norm(x, params[f"gain_1_{i}"])
    query, key, value = (
        split_heads(normal @ params[f"w_{name}_{i}"], N_HEADS)
        for name in ("query", "key", "value")
    )
    query, key = parts.turn(query, positions), parts.turn(key, positions)
    key, value = cache.append(i, (key, value), parts.n_kept)
    mask = None if mask is None else mask[..., -key.shape[-2] :]
    x = x + parts.attend(query, key, value, mask) @ params[f"w_output_{i}"]
    network = [params[f"{name}_{i}"] for name in NETWORK]
    return x + feed_forward(rms_norm(x, params[f"gain_2_{i}"]), *network)


class Program:
    """A writer at work: give it texts, and it goes on with them.

    Parameters
    ----------
    params : dict of str to array
    parts : Parts
    """

    def __init__(self, params, parts):
        self.params, self.parts, self.cache = params, parts, Cache()

    def ids(self, text):
        """Return the id of each word of a text."""
        return [self.parts.words.index(word) for word in text.split()]

    def logits(self, texts):
        """Return the logits of the word that follows each text, (n_texts, n_words)."""
        self.cache = Cache() if self.parts.is_fresh else self.cache
        ids, n_padding = self.parts.padded([self.ids(text) for text in texts])
        self.cache.n_padding = n_padding
        return read(self.params, ids, self.parts, self.cache)[:, -1]

    def write(self, texts, n_new, temperature=0.0, rng=None):
        """Go on with texts, n_new words each; return the new words, texts again."""
        rng = np.random.default_rng() if rng is None else rng
        logits, found = self.logits(texts), []
        for _ in range(n_new):
            if temperature:  # the largest of these is drawn with softmax's chances
                logits = logits / temperature + rng.gumbel(size=logits.shape)
            found.append(logits.argmax(axis=-1))
            logits = read(self.params, found[-1][:, None], self.parts, self.cache)[
                :, -1
            ]
        words = np.array(self.parts.words)
        return [" ".join(row) for row in words[np.array(found).T]]
