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
SCORES, LENGTHS = ("6", "12", "24", "48", "96"), {"50": 50, "1,000": 1000}


def _found(hands, score, words):
    """Return the weights of a word in the middle that asks for the clock before it."""
    n_words, (n_hands, compared) = LENGTHS[words], HANDS[hands]
    clocks = sinusoidal_positional_encoding(n_words, 2 * n_hands)[:, : 2 * compared]
    alike = clocks @ clocks[0] / compared  # by step, on either side
    loud = np.exp(float(score) * (alike - 1))
    before, after = n_words // 2 - 1, n_words - n_words // 2  # of the clock asked for
    total = loud[: before + 1].sum() + loud[1 : after + 1].sum()
    weights = loud[[0, 1, 1]] / total
    return {
        "names": ["the word before", "the word itself", "two before", "all others"],
        "weights": np.append(weights, 1 - weights.sum()),
        "right": 0,
    }


panel = Tabled(
    "word_before",
    controls={
        "hands": Choice("Hands compared", "8", tuple(HANDS)),
        "score": Choice("Score of the clock that matches", "12", SCORES),
        "words": Choice("Words in the text", "50", tuple(LENGTHS)),
    },
    compute=_found,
    drawn=Bars("A word in the middle of the text", "weight", "weights", lit="right"),
    title="How much attention the word before gets",
    summary="The word before gets {weights.0:.2f} of the attention, the word itself "
    "{weights.1:.2f}; all but three together {weights.3:.2f}.",
    said=("Word before {weights.0:.2f}", "all others {weights.3:.2f}"),
)
