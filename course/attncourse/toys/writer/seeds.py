"""Results of other seeds of the same training: stored, as each takes a while.

`tools/train_writer.py --seeds` computes the numbers again.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from attnlib import cross_entropy

from .stories import ANIMALS, FOODS, WORDS
from .swaps import kept_at
from .training import held_out_texts

STORED = Path(__file__).with_suffix(".json")


def measure(decoder):
    """Return a trained decoder's losses on held-out texts, and where it keeps nouns.

    Returns
    -------
    dict
        ``noun`` and ``other``: the mean of −log p of the nouns after "then the", and of
        all other words. ``animal`` and ``food``: in how many of 100 stories a row of
        this word, swapped, makes it write another noun; words with 0 are left out.
    """
    texts, words = held_out_texts(), np.array(WORDS)
    seen, targets = texts[:, :-1], texts[:, 1:]
    losses = cross_entropy(decoder(seen), targets)
    noun = (words[seen] == "the") & (np.roll(words[seen], 1, axis=1) == "then")
    means = {"noun": losses[noun].mean(), "other": losses[~noun].mean()}
    found: dict[str, Any] = {n: round(float(loss), 3) for n, loss in means.items()}
    for name, nouns in {"animal": ANIMALS, "food": FOODS}.items():
        found[name] = {word: n for word, n in kept_at(decoder, nouns).items() if n}
    return found


def stored_seeds():
    """Return what `measure` gives for each seed, as stored: a list of dict."""
    return json.loads(STORED.read_text(encoding="utf-8"))
