"""Values of a model's fields, read from a table of text: a row for each value.

A block of lines is about one field. Its first line is `field | source`, and perhaps

- `if CONDITION`: for which model and sizes its rows make sense;
- `within WORDS`, in which `{}` stands for the words of each row;
- `and FIELDS`, which each row sets as well;
- `for b in VALUES`: its rows stand for each b, which is `{b}` in names and words;
- `rare`: its rows are not tried together with others;
- `never`: nobody means them.

A row is `name | words`, or `name | words | fields`, as `scale=c * 2, factor=1.0`; the
field itself becomes the name if no fields are set. Formulas are Python: they know the
`model` and its fields, the sizes `s`, each by name too, the scale as a number `c`, the
window's sides `left` and `right`, the row's `name`, `b`, and what is `given`. A line
with more space before it continues the one above.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from attncheck.model.fields import Model, Sizes, reach, scale_of

OPTIONS = {"if", "within", "and", "for", "rare", "never"}
BY_PLACE = {"window", "corner", "offset"}


@dataclass(frozen=True, eq=False)
class Value:
    """A value that a field of a model has in some program.

    Attributes
    ----------
    field : str
        Two values of one field exclude each other.
    name, words : str
    source : str
        Where it is defined, or what goes wrong where it is a mistake.
    rare, never : bool
        Not tried together with another; what nobody means.
    fields, when : code
        What it sets, and where it makes sense.
    given : dict
        What formulas know beside model and sizes.
    """

    field: str
    name: str
    words: str
    source: str
    rare: bool
    never: bool
    fields: CodeType
    when: CodeType
    given: Mapping[str, Any]

    @property
    def code(self) -> str:
        """The field and the name: "scale: 1/d_k"."""
        return f"{self.field}: {self.name}"

    def change(self, model: Model, sizes: Sizes) -> Model | None:
        """Return the changed model; None where it makes no sense or no difference."""
        left, right = model.window
        known = {"left": left, "right": right, "model": model, "s": sizes}
        known["c"] = scale_of(model.scale, sizes.d, sizes.n_heads)
        known = {**self.given, **vars(model), **sizes._asdict(), **known}
        if not eval(self.when, known):
            return None
        fields = eval(self.fields, known)
        return None if _alike(model, fields, sizes) else model.change(**fields)


def _alike(model: Model, fields: dict[str, Any], s: Sizes) -> bool:
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


def read_values(table: str, given: Mapping[str, Any]) -> Iterator[Value]:
    """Read a table of text; `given` are the names that its formulas use."""
    for block in re.sub(r"\n {5,}", " ", table).strip().split("\n\n"):
        head, *lines = block.splitlines()
        field, source, *options = head.split(" | ")
        told = {word: rest for word, _, rest in (x.partition(" ") for x in options)}
        if unknown := told.keys() - OPTIONS:
            raise ValueError(f"a line of values has no {unknown}: {head}")
        when = compile(told.get("if", "True"), f"<{head}>", "eval")
        family = told.get("for", "b in (None,)").removeprefix("b in ")
        for b in eval(family, dict(given)):
            for line in lines:
                name, words, *fields = line.strip().format(b=b).split(" | ")
                sets = fields or [f"{field}={name!r}"]
                sets += [told["and"]] if "and" in told else []
                yield Value(
                    field,
                    name,
                    told.get("within", "{}").format(words),
                    source,
                    "rare" in told,
                    "never" in told,
                    compile(f"dict({', '.join(sets)})", f"<{head}>", "eval"),
                    when,
                    {**given, "b": b, "name": name},
                )
