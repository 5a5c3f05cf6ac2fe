"""The figures of the cards: few states, a function of each; no script of their own."""

import numpy as np

from ..kit.controls import Choice
from ..kit.panel import choice

STUDENT = {5: 2.776, 8: 2.365, 40: 2.023, 100: 1.984, 200: 1.972}  # by draws, at 95%


def interval(found):
    """Return the means over draws, the first axis, and half their 95% intervals."""
    half = STUDENT[len(found)] * np.std(found, axis=0, ddof=1) / len(found) ** 0.5
    return np.mean(found, axis=0).round(3), half.round(3)


def numbers(label, value, values):
    """Make a control of numbers, written with commas."""
    return Choice(label, value, {f"{n:,}": int(n) for n in values}, look=choice)
