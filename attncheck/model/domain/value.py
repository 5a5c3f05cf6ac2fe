"""One value of one field of a model: its words, its source, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from attncheck.model.fields import Model
from attncheck.model.masking import reach


class Sizes(NamedTuple):
    """The sizes of a call."""

    n_heads: int
    n_kv_heads: int
    n: int
    m: int
    d: int
    d_v: int


Change = Callable[[Model, Sizes], Model | None]
Fits = Callable[[Model, Sizes], bool]


@dataclass(frozen=True)
class Value:
    """A value that a field of a model has in some program.

    Attributes
    ----------
    field : str
        Two values of one field exclude each other.
    name : str
    words : str
    change : function of a Model and Sizes
        Returns the changed model, or None where it makes no sense or no difference.
    source : str
        Where it is defined, or what goes wrong where it is a mistake.
    rare : bool
        Not tried together with another.
    """

    field: str
    name: str
    words: str
    change: Change
    source: str = ""
    rare: bool = False

    @property
    def code(self) -> str:
        """The field and the name: "scale: 1/d_k"."""
        return f"{self.field}: {self.name}"


def anywhere(model: Model, sizes: Sizes) -> bool:
    """Say that a value makes sense for any model and any sizes."""
    return True


def each(
    field: str,
    table: Mapping[str, tuple[dict[str, Any], str]],
    source: str,
    fits: Fits = anywhere,
    rare: bool = False,
) -> Iterator[Value]:
    """Yield a value for each row of a table: the fields that it sets, and its words."""
    for name, (fields, words) in table.items():

        def change(model: Model, s: Sizes, fields: Any = fields) -> Model | None:
            return model.change(**fields) if fits(model, s) else None

        yield Value(field, name, words, change, source, rare)


def unless_same(model: Model, changed: Model, s: Sizes) -> Model | None:
    """Return the changed model, or None if the same keys are seen."""
    sides = zip(reach(s.n, s.m, model), reach(s.n, s.m, changed), strict=True)
    return None if all(np.array_equal(*both) for both in sides) else changed


def hides(model: Model, s: Sizes) -> bool:
    """Say whether a model hides any key."""
    by_place = model.window != (None, None) or model.picture is not None
    return by_place or model.allowed is not None or model.lost is not None
