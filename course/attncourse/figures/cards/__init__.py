"""The figures of the cards: few states, a function of each; no script of their own."""

import numpy as np

from attncourse.toys import training

from ..kit.controls import Choice
from ..kit.panel import choice


def interval(found):
    """Return the means over draws, the first axis, and half their 95% intervals."""
    return np.round(training.interval(found), 3)


def numbers(label, value, values):
    """Make a control of numbers, written with commas."""
    return Choice(label, value, {f"{n:,}": int(n) for n in values}, look=choice)
