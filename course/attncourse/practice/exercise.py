"""Make an exercise of the module that it stands in, and cases of a table of shapes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read


def exercise(
    module: dict[str, Any], reference: Callable, recipe: Steps, **more: Any
) -> Exercise:
    """Return the exercise that has the name of its module.

    Parameters
    ----------
    module : dict of str to Any
        The module's `globals()`: its ``draw``, and its ``TABLE`` of mistakes as text.
    reference, recipe, more
        As `Exercise` has them.
    """
    name = module["__name__"].rpartition(".")[2]
    mistakes = read(module["TABLE"], module, recipe, file=module["__file__"])
    return Exercise(name, reference, module["draw"], recipe, mistakes, **more)


def drawn(
    rng: np.random.Generator, shapes: dict[str, tuple], *names: str, **more: Any
) -> list[Case]:
    """Draw a case for each label: arrays of these names, and what all have besides.

    Parameters
    ----------
    shapes : dict of str to tuple
        A shape for each name, or one for all of them.
    more
        As `case` has it.
    """
    found = []
    for label, own in shapes.items():
        several = own if isinstance(own[0], tuple) else [own] * len(names)
        pairs = zip(names, several, strict=True)
        arrays: dict[str, Any] = {name: normal(rng, *shape) for name, shape in pairs}
        found.append(case(label, **arrays, **more))
    return found
