"""One value of one field of a model: its words, its source, and what it changes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.fields import Model, Sizes, scale_of
from attncheck.model.masking import reach

Fields = dict[str, Any]
Sets = Callable[[Model, Sizes], Fields | None]
BY_PLACE = {"window", "corner", "offset"}


@dataclass(frozen=True)
class Value:
    """A value that a field of a model has in some program.

    Attributes
    ----------
    field : str
        Two values of one field exclude each other.
    name, words : str
    sets : function of a Model and Sizes
        Returns the fields that it sets, or None where it makes no sense.
    source : str
        Where it is defined, or what goes wrong where it is a mistake.
    rare : bool
        Not tried together with another.
    """

    field: str
    name: str
    words: str
    sets: Sets
    source: str
    rare: bool = False

    @property
    def code(self) -> str:
        """The field and the name: "scale: 1/d_k"."""
        return f"{self.field}: {self.name}"

    def change(self, model: Model, sizes: Sizes) -> Model | None:
        """Return the changed model; None where it makes no sense or no difference."""
        fields = self.sets(model, sizes)
        if fields is None or _alike(model, fields, sizes):
            return None
        return model.change(**fields)


def _alike(model: Model, fields: Fields, s: Sizes) -> bool:
    """Say whether a model has these fields already, or others that mean the same."""
    if set(fields) <= BY_PLACE:
        both = (reach(s.n, s.m, x) for x in (model, model.change(**fields)))
        return all(np.array_equal(*sides) for sides in zip(*both, strict=True))
    return all(_same(name, getattr(model, name), x, s) for name, x in fields.items())


def _same(name: str, a: Any, b: Any, s: Sizes) -> bool:
    if name == "scale":
        a, b = (scale_of(x, s.d, s.n_heads) for x in (a, b))
        return bool(abs(b - a) < 1e-6 * abs(a))
    return a is b or (np.ndim(a) == np.ndim(b) == 0 and bool(a == b))


def always(fields: Fields, model: Model, sizes: Sizes) -> Fields:
    """Return these fields, whatever the model and the sizes."""
    return fields


def each(
    field: str,
    table: Mapping[str, str],
    sets: Callable[..., Fields | None],
    source: str,
    rare: bool = False,
) -> Iterator[Value]:
    """Yield a value for each name and its words; `sets` is given the name too."""
    for name, words in table.items():
        yield Value(field, name, words, partial(sets, name), source, rare)


def hides(model: Model) -> bool:
    """Say whether a model hides any key."""
    by_place = model.window != (None, None) or model.picture is not None
    return by_place or model.allowed is not None or model.lost is not None
