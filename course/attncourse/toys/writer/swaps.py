"""The place where the writer keeps a noun: found by swaps of a row between layers.

Two stories that differ in one noun alone are read up to "then the". If, between the
layers, one word of the first story gets the row that it has in the second, and the
second story's noun is written, then that row is where the noun was kept.
"""

from collections import Counter

import numpy as np

from attnlib import rms_norm

from .heads import KINDS
from .stories import ANIMALS, IDS, OF_ANIMALS, VERBS, write_story

NAMES = {**KINDS, **dict.fromkeys(VERBS, "VERB")}


def swapped(decoder, ids, other_ids):
    """Swap each word's row before the last layer; return the logits of what is next.

    Parameters
    ----------
    decoder : attnlib.Decoder
    ids, other_ids : array of int, (n_tokens,)

    Returns
    -------
    array, (n_tokens, vocab_size)
        Row i: what the last word of ``ids`` says if word i has its row from
        ``other_ids``.
    """
    x, other = (decoder.embedding(np.asarray(one)) for one in (ids, other_ids))
    for layer in decoder.layers[:-1]:
        x, other = layer(x), layer(other)
    changed = np.tile(x, (len(x), 1, 1))
    each = np.arange(len(x))
    changed[each, each] = other
    last = decoder.layers[-1](changed)[:, -1]
    return rms_norm(last, decoder.gain) @ decoder.embedding.table.T


def kept_at(decoder, nouns, n_stories=100):
    """Count at which words a swapped row makes the decoder write the other noun.

    Parameters
    ----------
    decoder : attnlib.Decoder
    nouns : tuple of str
        `ANIMALS` or `FOODS`: what the stories are about, and what they differ in.
    n_stories : int

    Returns
    -------
    dict of str to int
        In how many stories the decoder writes the story's own noun, and with this row
        swapped the other one: for each word or kind of word from the noun on. The last
        word, which is about to write, is "then the".
    """
    rng, found = np.random.default_rng(7), Counter()
    for _ in range(n_stories):
        story, other, noun = _pair(nouns, rng)
        ids, other_ids = ([IDS[word] for word in one] for one in (story, other))
        said = (swapped(decoder, ids, one).argmax(axis=-1) for one in (ids, other_ids))
        before, after = said
        moved = (before == ids[noun]) & (after == other_ids[noun])
        names = [NAMES.get(word, word) for word in story[:-1]] + ["then the"]
        for name, is_other in zip(names[noun:], moved.tolist()[noun:], strict=True):
            found[name] += is_other
    return dict(found)


def _pair(nouns, rng):
    """Draw a story about one of these nouns, up to "then the", and give it another."""
    story = write_story(rng)
    while (story[story.index(".") - 1] in OF_ANIMALS) != (nouns is ANIMALS):
        story = write_story(rng)
    story = story[: story.index("then") + 2]
    noun = next(i for i, word in enumerate(story) if word in nouns)
    other = list(story)
    left = [word for word in nouns if word != story[noun]]
    other[noun] = left[rng.integers(len(left))]
    return story, other, noun
