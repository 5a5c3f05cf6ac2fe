"""What the live figure takes along: the lesson's pairs, and weights as text."""

import numpy as np

NOTHING = "#"  # the character for a weight of 0; weights.js knows it too


def pair_lines(extract):
    """Write the lesson's pairs as a reader would: those to search in, and the fresh."""
    return [
        ["; ".join(pair) for pair in extract["pairs"][extract["pair_group"] == group]]
        for group in ("discovery", "held_out")
    ]


def packed(weights):
    """Write weights from 0 to 1 as text: how many hundredths each is past "#".

    Column by column: a column repeats itself more than a row does, and packs smaller.
    """
    hundredths = np.rint(100 * weights.swapaxes(-1, -2)).astype(int).ravel()
    return "".join(chr(ord(NOTHING) + count) for count in hundredths)
