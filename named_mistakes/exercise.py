"""Exercises: a reference, cases to try, and known mistakes.

A known mistake is written down as what the learner computes instead. To combine two
of them, each exercise has a recipe, a dictionary of named steps, and a mistake gives
other functions for some of the steps.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

Step = Callable[[SimpleNamespace], Any]
Steps = dict[str, Step]


@dataclass(frozen=True)
class Case:
    """Inputs to try an answer on.

    Parameters
    ----------
    label : str
        What is special about it, in words; a passing verdict lists them.
    inputs : dict of str to array or int, in the order of the arguments
    is_batch : bool
        More axes than the plain form of the exercise has.
    is_large : bool
        Numbers so large that careless formulas overflow.
    special_rows : array of bool, the shape of the answer less its last axis, optional
        Rows with a rule of their own: known mistakes are not compared there. What is
        wrong in them is for the exercise's signs to say.
    room : int, optional
        The most bytes that an answer may hold at once; what it holds is measured then.
    """

    label: str
    inputs: dict[str, Any]
    is_batch: bool = False
    is_large: bool = False
    special_rows: np.ndarray | None = None
    room: int | None = None

    @cached_property
    def known(self) -> dict[Step, tuple[Any, dict]]:
        """A cache of what each step of the recipe gave, and of what came after it."""
        return {}

    @cached_property
    def order(self) -> tuple[bool, bool, int]:
        """The sort key: ordinary numbers, no batch and small sizes explain best."""
        size = sum(np.size(x) for x in self.inputs.values())
        return self.is_large, self.is_batch, size

    def copies(self) -> list[Any]:
        """Copy the inputs, so that an answer may change them."""
        return [x.copy() if hasattr(x, "copy") else x for x in self.inputs.values()]

    def described(self) -> str:
        """Name the inputs with their shapes; several weights of one shape at once."""
        weights = [name for name in self.inputs if name.startswith("w_")]
        alike = len({_shape(self.inputs[name]) for name in weights}) == 1
        weights = weights if len(weights) > 1 and alike else []
        named = [f"{k} {_shape(x)}" for k, x in self.inputs.items() if k not in weights]
        if weights:
            word = "and" if len(weights) == 2 else "to"
            shape = _shape(self.inputs[weights[0]])
            named.insert(1, f"{weights[0]} {word} {weights[-1]} {shape}")
        *first, last = named
        return f"{', '.join(first)} and {last}" if first else last


def _shape(x: Any) -> str:
    return str(x.shape) if hasattr(x, "shape") else f"= {x}"


@dataclass(frozen=True)
class Mistake:
    """A known mistake: the steps that differ, and words for it.

    Parameters
    ----------
    code : str
    cause : str
        What was done, as a noun phrase: "exactly what you get from <cause>".
    look : str
        Where to look, as a noun phrase: "Look at <look>".
    steps : dict of str to function
    hides : tuple of str
        Codes of mistakes that give the same numbers and are not named beside this one.
    written : str
        Text that the code of such an answer contains. Where it does not, or has no
        source, another mistake that fits is named.
    """

    code: str
    cause: str
    look: str
    steps: Steps
    hides: tuple[str, ...] = ()
    written: str = ""


def nonzero(x: np.ndarray) -> np.ndarray:
    """Read numbers as Python does: all but 0 are true."""
    return x != 0


@dataclass(frozen=True)
class Truth:
    """How to treat an answer that should be True and False.

    Parameters
    ----------
    read : function of an array
        Turns numbers given instead into True and False.
    not_numbers : str
        What to say of such numbers.
    """

    read: Callable[[np.ndarray], np.ndarray] = nonzero
    not_numbers: str = ""


@dataclass(frozen=True)
class Faded:
    """A solution in which dots stand for some lines.

    Parameters
    ----------
    text : str
        A function, as the learner finds it.
    gaps : tuple of (str, str)
        For each line of dots the right expression, and the end of "Look at …".
    """

    text: str
    gaps: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Exercise:
    """One thing to write.

    Parameters
    ----------
    name : str
    reference : function
        A right answer.
    draw : function of a numpy.random.Generator
        Makes fresh cases.
    recipe : dict of str to function
        The steps to the answer; the last one gives it. None where no mistake needs it.
    mistakes : tuple of Mistake, the first that fits is named
    signs : tuple of function
        Further detectors, for what is known by a property rather than by its numbers.
    returns : tuple of str
        The names of the returned arrays.
    truth : Truth, optional
        The answer is True and False rather than numbers.
    has_pairs : bool
        Columns belong together in pairs, neighbors or one of each half.
    faded : Faded, optional
        A solution to fill in; what it gives is no learner's mistake.
    patience : int
        How many times as long as usual a right answer may take, in plain Python.
    """

    name: str
    reference: Callable[..., Any]
    draw: Callable[[np.random.Generator], list[Case]]
    recipe: Steps = field(default_factory=dict)
    mistakes: tuple[Mistake, ...] = ()
    signs: tuple[Callable[..., Iterator[Any]], ...] = ()
    returns: tuple[str, ...] = ("output",)
    truth: Truth | None = None
    has_pairs: bool = False
    faded: Faded | None = None
    patience: int = 1

    def wanted(self, case: Case) -> tuple[np.ndarray, ...]:
        """Compute the right answer."""
        return as_tuple(self.reference(*case.copies()))

    def mistaken(
        self, case: Case, steps: Steps, *, is_kept: bool = True
    ) -> tuple[np.ndarray, ...]:
        """Compute what the recipe gives with some of its steps replaced.

        Results of steps are cached with the case, for mistakes that begin with the same
        steps. With `is_kept` False they are not, for steps that will not be reused.
        """
        work, known, result = SimpleNamespace(**case.inputs), case.known, None
        with np.errstate(all="ignore"):
            for name, right in self.recipe.items():
                step = steps.get(name, right)
                found = known.get(step) or (step(work), {})
                if is_kept:
                    known[step] = found
                result, known = found
                setattr(work, name, result)
        return as_tuple(result)


def as_tuple(result: Any) -> tuple[np.ndarray, ...]:
    """Return a tuple of arrays, whether given one or several."""
    several = result if isinstance(result, tuple) else (result,)
    return tuple(np.asarray(one) for one in several)
