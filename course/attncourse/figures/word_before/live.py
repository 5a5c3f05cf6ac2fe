"""Live figure: who gets the attention, if a word asks for the clock before its own."""

import numpy as np

from ..kit.controls import Slider
from ..kit.tabled import Bars, Curves, Tabled

HANDS = 32  # of the clock; the fastest n of them are compared
SCORE = 48  # of the clock that matches
WORDS = 1000
DRAWN = 46  # steps


def _found(hands):
    """Return scores by step, as a share of the best, and three shares of the weight.

    The word asks in the middle of the text. With n hands compared, the clock k steps
    from the one asked for scores the mean of n cosines.
    """
    steps = np.arange(-(WORDS // 2 - 1), WORDS // 2 + 1)
    angles = steps[:, None] / 10_000 ** (np.arange(hands) / HANDS)
    shares = np.cos(angles).mean(axis=1)
    loud = np.exp(SCORE * (shares - 1))
    weights = loud / loud.sum()
    before = weights[steps == 0].sum()
    beside = weights[abs(steps) == 1].sum()
    scores = shares[steps >= 0][:DRAWN].round(2)
    return {
        "steps": np.arange(DRAWN),
        "scores": scores,
        "at": 1 + int(scores[1:].argmax()),
        "names": ["the word before", "its two neighbors", f"the other {WORDS - 3}"],
        "weights": np.round([before, beside, weights[abs(steps) > 1].sum()], 4),
    }


panel = Tabled(
    "word_before",
    controls={"hands": Slider("Hands compared, the fastest", 2, 2, HANDS, 1)},
    compute=_found,
    beside=__file__,
    solved={"hands": 8},
    drawn=(
        Curves(
            "Score, if the best is 1",
            "steps",
            "words away from the word before",
            {"score": "scores"},
        ),
        Bars("Who gets the attention", "weight", "weights"),
    ),
    title="Who gets the attention, by how many hands are compared",
    summary="With {hands} hands the word before gets {weights.0:.2f}, its two "
    "neighbors {weights.1:.2f}, all others {weights.2:.2f}.",
    said=("{hands} hands: word before {weights.0:.2f}", "neighbors {weights.1:.2f}"),
)
