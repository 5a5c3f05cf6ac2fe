"""Live figure: how much attention the word before gets, from clocks alone."""

import numpy as np

from attnlib import sinusoidal_positional_encoding

from ..kit.controls import Choice
from ..kit.tabled import Bars, Tabled

# How many hands the clock has, and how many of them, the fastest first, are compared.
HANDS = {
    "2": (2, 2),
    "8": (8, 8),
    "32": (32, 32),
    "8 of 32": (32, 8),
    "5 of 32": (32, 5),
}
SCORES, LENGTHS = ("6", "12", "24", "48", "96"), ("50", "1,000")


def _found(hands, score, words):
    """Return the weights of a word in the middle that asks for the clock before it."""
    n_words, (n_hands, compared) = int(words.replace(",", "")), HANDS[hands]
    clocks = sinusoidal_positional_encoding(n_words, 2 * n_hands)[:, : 2 * compared]
    alike = clocks @ clocks[0] / compared  # by step, on either side
    loud = np.exp(float(score) * (alike - 1))
    up_to = np.cumsum(loud)  # on one side of the clock asked for, itself included
    sums = up_to + up_to[::-1] - 1  # for each position asked for
    middle = loud[:2] / sums[n_words // 2 - 1]
    weights = [middle[0], middle[1], middle[1]]
    return {
        "names": ["the word before", "the word itself", "two before", "all others"],
        "weights": [*weights, 1 - sum(weights)],
        "right": 0,
        "least": 1 / sums[:-1].max(),
    }


panel = Tabled(
    "word_before",
    controls={
        "hands": Choice("Hands compared", "8", tuple(HANDS)),
        "score": Choice("Score of the clock that matches", "12", SCORES),
        "words": Choice("Words in the text", "50", LENGTHS),
    },
    compute=_found,
    drawn=Bars("A word in the middle of the text", "weight", "weights", lit="right"),
    title="How much attention the word before gets",
    summary="The word before gets {weights.0:.2f} of the attention, the word itself "
    "{weights.1:.2f}; all but three together {weights.3:.2f}. "
    "Nowhere in the text does the word before get less than {least:.2f}.",
    said=("Word before {weights.0:.2f}", "all others {weights.3:.2f}"),
)
