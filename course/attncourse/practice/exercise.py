"""Make an exercise of the module that it stands in."""

from collections.abc import Callable
from typing import Any

from named_mistakes.exercise import Exercise, Steps
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
