"""What is claimed of many calls: a model whose fields may depend on the sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from attncheck.model import Model, Sizes, Value
from attncheck.run import Run

BY_HEADS = ("slopes", "sink", "relative")  # a number, or a row, for each head
Heads = dict[tuple[int, int], tuple[list[int], list[int]]]
Places = dict[tuple[int, int, int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Claim:
    """A model for calls of any size.

    Attributes
    ----------
    base : Model
    values : tuple of Value
        Those of DOMAIN that come on top.
    by_heads : dict
        What was measured for each number of heads: slopes, sinks, a bias by distance.
    fitted : tuple of pairs
        Fields on top of the values: a number, or a function of Sizes.
    format : str
        If not empty: the numbers are right to the bits of this format alone.
    heads : dict
        Key head and value head of each query head, by (n_heads, n_kv_heads).
    rounded : str
        Queries and keys are rounded to this format first.
    places : dict
        Who sees whom, as read at each (n_heads, n, m): where no rule is known.
    """

    base: Model = field(default_factory=Model)
    values: tuple[Value, ...] = ()
    by_heads: dict[str, dict[int, np.ndarray]] = field(default_factory=dict)
    fitted: tuple[tuple[str, Any], ...] = ()
    format: str = ""
    heads: Heads = field(default_factory=dict)
    rounded: str = ""
    places: Places = field(default_factory=dict)

    def at(self, run: Run) -> Model:
        """Return the model for one run's sizes.

        Raises
        ------
        ValueError
            If something was not measured for this number of heads.
        """
        s, model = run.sizes, self._base_at(run.sizes)
        for value in self.values:
            model = value.change(model, s) or model
        if self.places:
            allowed, bias = self.places[s.n_heads, s.n, s.m]
            model = model.change(allowed=allowed, bias=bias)
        fitted = {name: x(s) if callable(x) else x for name, x in self.fitted}
        return model.change(**fitted) if fitted else model

    def _base_at(self, s: Sizes) -> Model:
        found: dict[str, Any] = {}
        for name, values in self.by_heads.items():
            if s.n_heads not in values:
                raise ValueError(f"{name} of {s.n_heads} heads were not measured")
            found[name] = values[s.n_heads]
        if self.base.rotary is not None:
            found["rotary"] = rotary_at(self.base.rotary, s.d)
        return self.base.change(**found) if found else self.base

    def plus(self, *values: Value, **fitted: Any) -> Claim:
        """Return a claim with one value more, or another field."""
        return replace(
            self,
            values=(*self.values, *values),
            fitted=(*self.fitted, *fitted.items()),
        )

    def on(self, **base: Any) -> Claim:
        """Return a claim with other fields of the model below all others."""
        return replace(self, base=self.base.change(**base))

    def of(self, run: Run) -> Claim:
        """Return the claim that holds for one run: this one."""
        return self

    @property
    def parts(self) -> tuple[Claim, ...]:
        """The claims that it is made of."""
        return (self,)


def rotary_at(rotary: dict[str, Any], d: int) -> dict[str, Any] | None:
    """Return keywords for so many columns: a part of them is turned, or so many."""
    keywords = dict(rotary)
    part = keywords.pop("part", 1.0)
    dim = int(part * d) if part <= 1 else min(int(part), d)
    return {**keywords, "rotary_dim": dim - dim % 2} if dim > 1 else None


@dataclass(frozen=True)
class Regimes:
    """Two claims: one for the calls of which a condition is true, one for the rest."""

    words: str
    where: Callable[[Run], bool]
    one: Claim
    rest: Claim

    def at(self, run: Run) -> Model:
        """Return the model for one run."""
        return self.of(run).at(run)

    def of(self, run: Run) -> Claim:
        """Return the claim that holds for one run."""
        return self.one if self.where(run) else self.rest

    @property
    def parts(self) -> tuple[Claim, ...]:
        """The claims that it is made of."""
        return self.rest, self.one


Claimed = Claim | Regimes


def differing(model: Model) -> dict[str, Any]:
    """Return the fields of a model that are not those of plain attention."""
    default = Model()
    names = [f.name for f in fields(Model) if f.name not in BY_HEADS]
    pairs = {name: getattr(model, name) for name in names}
    return {
        name: x
        for name, x in pairs.items()
        if x is not getattr(default, name) and np.any(x != getattr(default, name))
    }
