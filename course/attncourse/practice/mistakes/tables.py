"""Tables of mistakes: for each code where to look, and the ways to come by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attncourse.practice.engine.exercise import Mistake, Step, mistake

# A way is what was done, in words, and what it gives.
Ways = dict[str, tuple[Any, ...]]


def mistakes_in(
    step: str, ways: Ways, make: Callable[[Any], Step] = lambda way: way
) -> tuple[Mistake, ...]:
    """Write a table down as mistakes in one step of a recipe.

    Parameters
    ----------
    step : str
    ways : dict of str to (look, (cause, way), (cause, way), ...)
    make : function, optional
        Makes a way into a step.
    """
    return tuple(
        mistake(code, cause, look, **{step: make(way)})
        for code, (look, *several) in ways.items()
        for cause, way in several
    )
