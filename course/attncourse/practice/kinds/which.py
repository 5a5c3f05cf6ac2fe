"""Exercises with two functions, one of them wrong: name it, show it by an input."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attncourse.practice.catalogue import named
from named_mistakes.exercise import Exercise, as_tuple
from named_mistakes.limit import LINES, LineBudget, NeverEnds, limited
from named_mistakes.report import Report, show_open, show_right, show_wrong

CLOSE = {"rtol": 1e-5, "atol": 1e-8}

# By whether the one that is named is right on the input, and the other one.
NOT_SHOWN = {
    (True, True): (
        "agree-here",
        "both give what the formula gives. Find one where they part.",
    ),
    (True, False): (
        "the-other-one",
        "{wrong} gives what the formula gives, and {other} does not.",
    ),
    (False, False): (
        "both-differ",
        "neither gives what the formula gives. Try a plainer one.",
    ),
}


def which(
    name: str, first: Callable, second: Callable, *, wrong: Any, on: Any
) -> Report:
    """Judge which of two functions is said to be wrong, and the input that shows it.

    Parameters
    ----------
    name : str
        The exercise that both answer.
    first, second : function
    wrong : one of the two, or `...` while it is open
    on : tuple or list of inputs, or a single one, or `...`
        Where the wrong one differs from the formula and the other does not.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If there is no such exercise, or `wrong` is neither of the two.
    """
    exercise = named(name)
    if wrong is ... or on is ...:
        return show_open(
            name, "Name the one that is wrong, and an input that shows it."
        )
    if wrong not in (first, second):
        quoted = ", a text; leave out the quotes" if isinstance(wrong, str) else ""
        raise ValueError(
            f"which: wrong must be {first.__name__} or {second.__name__}; "
            f"got {wrong!r}{quoted}"
        )
    try:
        inputs = _inputs(exercise, on)
        formula = as_tuple(exercise.reference(*inputs))
    except (ValueError, TypeError) as error:
        return show_wrong(
            name, "unfit-input", f"The formula refuses this input: {error}"
        )
    other = second if wrong is first else first
    accused, cleared = (_given(function, inputs) for function in (wrong, other))
    is_right, is_other_right = (_agree(x, formula) for x in (accused, cleared))
    if is_right or not is_other_right:
        code, said = NOT_SHOWN[is_right, is_other_right]
        names = {"wrong": wrong.__name__, "other": other.__name__}
        return show_wrong(name, code, f"On this input {said.format(**names)}")
    return show_right(name, _evidence(wrong, accused, formula))


def _inputs(exercise: Exercise, on: Any) -> tuple:
    """Read what was given as the inputs of an exercise; lists become arrays.

    A tuple holds the inputs if there are as many as are wanted, else it is a list.
    """
    wanted = list(exercise.draw(np.random.default_rng(0))[0].inputs.values())
    kinds = (tuple, list) if len(wanted) > 1 else tuple  # one input may be a list
    several = isinstance(on, kinds) and len(on) == len(wanted)
    if not several and len(wanted) > 1:
        raise ValueError(f"it takes {len(wanted)} inputs")
    pairs = zip(on if several else (on,), wanted, strict=True)
    return tuple(np.asarray(x) if np.ndim(w) else x for x, w in pairs)


def _given(function: Callable, inputs: tuple) -> tuple | None:
    """Call it; None if it raises."""
    try:
        with np.errstate(all="ignore"):
            return as_tuple(limited(function, *inputs, budget=LineBudget(LINES)))
    except (Exception, NeverEnds):
        return None


def _agree(given: tuple | None, formula: tuple) -> bool:
    return given is not None and all(
        one.shape == right.shape and np.allclose(one, right, equal_nan=True, **CLOSE)
        for one, right in zip(given, formula, strict=True)
    )


def _evidence(wrong: Callable, given: tuple | None, formula: tuple) -> str:
    """Say what shows it: an exception, a shape, or the first number that differs."""
    if given is None:
        return f"{wrong.__name__} fails on this input, and the formula does not."
    for one, right in zip(given, formula, strict=True):
        if one.shape != right.shape:
            return (
                f"{wrong.__name__} gives shape {one.shape}, the formula {right.shape}."
            )
        differs = ~np.isclose(one, right, equal_nan=True, **CLOSE)
        if np.any(differs):
            at = tuple(int(i) for i in np.argwhere(differs)[0])
            place = f" at {list(at)}" if at else ""
            return (
                f"{wrong.__name__} gives {_short(one[at])}{place}, "
                f"the formula {_short(right[at])}."
            )
    raise AssertionError("the caller has found a difference")


def _short(x: Any) -> str:
    return str(x) if np.asarray(x).dtype.kind in "bi" else f"{x:.4g}"
