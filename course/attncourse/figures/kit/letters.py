"""Whole numbers as a text, a letter for each: it takes fewest bytes in a page."""

import numpy as np


def letters(codes):
    """Return the letter for each number, counted from "#", as `letters.js` reads it.

    What comes in a row should be alike: the values of one cell, step by step.
    """
    return "".join(map(chr, np.ravel(codes) + ord("#")))
