"""A run, and what is claimed of many: a model whose fields may depend on the sizes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from attncheck.formats import Format
from attncheck.model.domain import Value
from attncheck.model.fields import Model, Sizes
from attncheck.model.moves import moved_back

CHUNK = 2**22  # scores at a time


@dataclass(frozen=True)
class Run:
    """Query, key, value and output as float64, (batch, n_heads, n, d)."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray
    format: Format

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes that a model's values depend on."""
        h, n, d = self.query.shape[1:]
        return Sizes(h, self.key.shape[1], n, self.key.shape[2], d, self.value.shape[3])

    def of(self, formula: str) -> int:
        """Compute from the sizes by their names, "batch" among them."""
        return self.sizes.of(formula, len(self.query))

    def first(self, heads: int | None = None, columns: int | None = None) -> Run:
        """Return the first item, with its first heads, and first columns of values.

        Each way of sharing gives the first heads the first key head.
        """
        if (heads, columns) not in self.parts:
            q, k = self.query[:1, :heads], self.key[:1, :heads]
            v, out = (x[:1, :heads, :, :columns] for x in (self.value, self.output))
            self.parts[heads, columns] = Run(q, k, v, out, self.format)
        return self.parts[heads, columns]

    def moved_back(self, order: str) -> Run:
        """Return the first item, its output in the order that a model computes it."""
        if order not in self.parts:
            first = self.first()
            output = moved_back(first.output, order)
            self.parts[order] = replace(first, output=output)
        return self.parts[order]

    @cached_property
    def parts(self) -> dict[Any, Run]:
        """What was taken of it so far: thousands of candidates ask for it."""
        return {}

    def chunks(self, model: Model) -> list[np.ndarray | None]:
        """Split the queries so that scores take little memory; None: all of them."""
        n_chunks = -(-len(self.query) * self.sizes.n_scores // CHUNK)
        if n_chunks < 2 or model.whole:
            return [None]
        return [*np.array_split(np.arange(self.sizes.n), n_chunks)]


@dataclass(frozen=True)
class Claim:
    """A model for calls of any size; what was measured depends on them."""

    base: Model = field(default_factory=Model)
    values: tuple[Value, ...] = ()  # of DOMAIN, on top of the base
    fitted: tuple[tuple[str, Any], ...] = ()  # fields on top: a number, or by Sizes
    format: str = ""  # if told: the numbers are right to the bits of this format alone

    def at(self, run: Run) -> Model:
        """Return the model for one run; a ValueError if something was not measured."""
        s = run.sizes
        model = self.base.at(s)
        for value in self.values:
            model = value.change(model, s) or model
        fitted = {name: x(s) if callable(x) else x for name, x in self.fitted}
        return model.change(**fitted) if fitted else model

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

    @property
    def n_fields(self) -> int:
        """How many fields stand on top of the base."""
        return len(self.values) + len(self.fitted)


@dataclass(frozen=True)
class Regimes:
    """Two claims: one for the calls of which a condition is true, one for the rest."""

    words: str
    where: str  # a formula of sizes
    one: Claim
    rest: Claim

    def of(self, run: Run) -> Claim:
        """Return the claim that holds for one run."""
        return self.one if run.of(self.where) else self.rest

    @property
    def parts(self) -> tuple[Claim, ...]:
        """The claims that it is made of."""
        return self.rest, self.one


Claimed = Claim | Regimes
PLAIN = Model()


def differing(model: Model, beside: Model = PLAIN) -> dict[str, Any]:
    """Return the fields of a model that are not those of another, or of none."""
    others = vars(beside)
    return {
        name: x
        for name, x in vars(model).items()
        if x is not others[name] and not np.array_equal(x, others[name])
    }
