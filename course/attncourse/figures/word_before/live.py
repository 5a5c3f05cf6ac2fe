"""Live figure: how much attention the word before gets, from clocks alone."""

import numpy as np

from attnlib import sinusoidal_positional_encoding

from ..kit.controls import Choice
from ..kit.tabled import Bars, Tabled

HANDS = 32  # of the clock, the fastest first
COMPARED = ("2", "3", "4", "5", "8", "16", "32")
SCORES, LENGTHS = ("6", "12", "24", "48"), {"50": 50, "1,000": 1000}


def _found(hands, score, words):
    """Return the weights of a word in the middle that asks for the clock before it."""
    n_words, compared = LENGTHS[words], int(hands)
    clocks = sinusoidal_positional_encoding(n_words, 2 * HANDS)[:, : 2 * compared]
    alike = clocks @ clocks[0] / compared  # by step, on either side
    loud = np.exp(float(score) * (alike - 1))
    before, after = n_words // 2 - 1, n_words - n_words // 2  # of the clock asked for
    total = loud[: before + 1].sum() + loud[1 : after + 1].sum()
    weights = loud[[0, 1, 1]] / total
    rival = 2 + alike[2 : after + 1].argmax()
    return {
        "names": ["the word before", "the word itself", "two before", "all others"],
        "weights": np.append(weights, 1 - weights.sum()),
        "right": 0,
        "neighbor": alike[1],
        "far": int(rival),
        "rival": alike[rival],
    }


panel = Tabled(
    "word_before",
    controls={
        "hands": Choice("The fastest hands alone", "32", COMPARED),
        "score": Choice("Score of the clock that matches", "48", SCORES),
        "words": Choice("Words in the text", "1,000", tuple(LENGTHS)),
    },
    compute=_found,
    drawn=Bars("A word in the middle of the text", "weight", "weights", lit="right"),
    title="How much attention the word before gets",
    summary=(
        "The word before gets {weights.0:.2f} of the attention, the word itself "
        "{weights.1:.2f}; all but three together {weights.3:.2f}.",
        "A neighbor’s clock is {neighbor:.2f} like the one asked for; of those farther "
        "off, the most alike, {far} away, is {rival:.2f} like it.",
    ),
    said=("Word before {weights.0:.2f}", "all others {weights.3:.2f}"),
)
