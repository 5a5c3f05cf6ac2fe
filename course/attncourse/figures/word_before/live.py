"""Live figure: how much attention the word before gets, from clocks alone."""

import numpy as np

from ..kit.controls import Choice
from ..kit.tabled import Curves, Tabled

HANDS = 32  # of the clock; the fastest n of them are compared
SCORES = ("6", "12", "24", "48", "96")
LENGTHS = {"50": 50, "1,000": 1000, "100,000": 100_000}


def _found(score, words):
    """Return the weight of the clock asked for, in the middle of the text, and gaps.

    With n hands compared, the word k positions from it scores the mean of n cosines,
    and its gap is what that lacks of 1.
    """
    n_words, counts = LENGTHS[words], np.arange(1, HANDS + 1)
    after = n_words // 2  # words after the one asked for; one fewer before it
    turned = np.arange(after + 1)[:, None] / 10_000 ** (np.arange(HANDS) / HANDS)
    gaps = 1 - np.cumsum(np.cos(turned), axis=1) / counts
    loud = np.exp(-float(score) * gaps)
    weights = 1 / (loud[1:].sum(axis=0) + loud[:after].sum(axis=0))
    best = int(weights.argmax())
    return {
        "hands": counts,
        "weights": weights,
        "next": gaps[1],
        "farther": gaps[2:].min(axis=0),
        "at": best,
        "best": best + 1,
    }


ACROSS = "hands compared, the fastest of 32"
panel = Tabled(
    "word_before",
    controls={
        "score": Choice("Score of the clock that matches", "48", SCORES),
        "words": Choice("Words in the text", "1,000", tuple(LENGTHS)),
    },
    compute=_found,
    drawn=(
        Curves(
            "Weight of the word before",
            "hands",
            ACROSS,
            {"the word before": "weights"},
        ),
        Curves(
            "Gap to its nearest rival",
            "hands",
            ACROSS,
            {"next to it": "next", "farther off": "farther"},
        ),
    ),
    title="How much attention the word before gets",
    summary="The word before gets most with {best} hands: {weights.$at:.2f}. With all "
    "32 it gets {weights.31:.2f}.",
    said=("Most with {best} hands: {weights.$at:.2f}", "with all {weights.31:.2f}"),
)
