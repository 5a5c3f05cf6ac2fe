"""The posts' own sentences, each with the layer that attends to it."""

from typing import Any, NamedTuple

import numpy as np

from attncourse import examples
from attnlib import SelfAttention


class Sentence(NamedTuple):
    """Words, their embeddings (n_tokens, d_model), a layer, where it comes from."""

    tokens: tuple[str, ...]
    x: Any
    layer: SelfAttention
    note: str


def slides():
    """Return post 3's five words in the plane; all weights are the identity."""
    words = examples.plane_words()
    layer = SelfAttention(np.eye(2), np.eye(2), np.eye(2))
    note = "From the slides. All weights are the identity: q, k and v are the word."
    return Sentence(tuple(words), np.array(list(words.values())), layer, note)


def three_words():
    """Return post 5's three words: the worked example of lessons 1 to 6."""
    x, layer = examples.three_words()
    note = "From the fifth post: the worked example of lessons 1 to 6."
    return Sentence(("word 1", "word 2", "word 3"), x, layer, note)


def three_tokens():
    """Return post 4's three tokens, whose q, k and v the post gives as they are."""
    layer = SelfAttention(*examples.three_tokens())
    note = (
        "From the fourth post, which gives q, k and v as they are. Embeddings with a "
        "single 1 make them the rows of the weight matrices."
    )
    return Sentence(("token 1", "token 2", "token 3"), np.eye(3), layer, note)


def this_is_book(seed=1):
    """Return post 1's three words, with random weights of one decimal."""
    words = examples.book_words()
    weights = np.random.default_rng(seed).integers(-10, 11, (3, 5, 3)) / 10
    note = (
        "From the first post, which shows its weights in pictures only. These are "
        f"random: NumPy's generator, seed {seed}, one decimal."
    )
    x = np.array(list(words.values()))
    return Sentence(tuple(words), x, SelfAttention(*weights), note)


SENTENCES = {
    "Smart robots perform complex tasks": slides(),
    "This is book": this_is_book(),
    "Three words, four numbers each": three_words(),
    "Three tokens": three_tokens(),
}
