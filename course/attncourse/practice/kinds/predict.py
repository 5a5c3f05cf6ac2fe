"""Predict: say what a few lines give before they run."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from named_mistakes.report import Report, show_open, show_right, show_wrong

Told = Iterator[tuple[str, str]]  # a code and a sentence; the first one is said


def predict(lines: Callable[[], Any], guess: Any) -> Report:
    """Compare a guess with what a function without arguments gives.

    The function runs only once there is a guess, and a wrong guess is told in what it
    is wrong, not what would have been right.

    Parameters
    ----------
    lines : function without arguments
        It gives a shape, a number, True or False, or an array.
    guess : like what the function gives, or `...` while there is none

    Returns
    -------
    Report

    Examples
    --------
    >>> def shape():
    ...     return (np.ones((5, 3)) @ np.ones((3, 7))).shape
    >>> _ = predict(shape, (7, 5))
    ✗ shape: not yet.
      other-order: The sizes are right, their order is not.
    >>> _ = predict(shape, (5, 7))
    ✓ shape: right. It gives (5, 7).
    """
    name = lines.__name__
    if guess is ...:
        return show_open(name, "Put your guess where the dots are, then run this.")
    given = lines()
    if isinstance(given, np.generic):
        given = given.item()
    for code, message in _differences(given, guess):
        return show_wrong(name, code, message)
    return show_right(name, f"It gives {given}.")


def _differences(given: Any, guess: Any) -> Told:
    if isinstance(given, bool):
        yield from _of_truth(given, guess)
    elif isinstance(given, int | float):
        yield from _of_numbers(given, guess)
    elif isinstance(given, tuple):
        yield from _of_shapes(given, guess)
    else:
        yield from _of_arrays(np.asarray(given), guess)


def _of_truth(given: bool, guess: Any) -> Told:
    if not isinstance(guess, bool):
        yield "true-or-false", "The line gives True or False. Which one?"
    elif guess != given:
        yield "the-other-one", f"It is not {guess}. Run the lines, and find out why."


def _of_numbers(given: float, guess: Any) -> Told:
    if not _is_number(guess):
        yield "not-a-number", f"A single number comes out; this is {guess!r}."
    elif np.isclose(guess, given, rtol=0.005, atol=1e-12):
        return
    elif np.isclose(guess, -given, rtol=0.005):
        yield "sign", "The size is right, the sign is not."
    elif given and guess and np.isclose(guess, 1 / given, rtol=0.005):
        yield "upside-down", "It is upside down: 1 divided by yours is the number."
    else:
        word = "large" if guess > given else "small"
        yield f"too-{word}", f"{guess} is too {word}."


def _is_number(guess: Any) -> bool:
    return isinstance(guess, int | float | np.number) and not isinstance(guess, bool)


def _of_shapes(given: tuple[int, ...], guess: Any) -> Told:
    if not isinstance(guess, tuple):
        yield "not-a-shape", "A shape is a tuple: one number for each axis."
    elif len(guess) != len(given):
        yield (
            "number-of-axes",
            f"You name {_axes(len(guess))}; what comes out has {len(given)}.",
        )
    elif guess != given and sorted(guess) == sorted(given):
        yield "other-order", "The sizes are right, their order is not."
    else:
        for i, (one, right) in enumerate(zip(guess, given, strict=True)):
            if one != right:
                yield "wrong-size", f"Axis {i} does not have size {one}."


def _axes(n: int) -> str:
    return "1 axis" if n == 1 else f"{n} axes"


def _of_arrays(given: np.ndarray, guess: Any) -> Told:
    shape = np.shape(guess)
    if shape != given.shape:
        yield "wrong-shape", f"Yours has shape {shape}, what comes out {given.shape}."
        return
    wrong = int(np.sum(~np.isclose(np.asarray(guess, float), given, atol=0.005)))
    if wrong:
        verb = "number is" if wrong == 1 else "numbers are"
        yield "wrong-numbers", f"{wrong} of the {given.size} {verb} not right."
