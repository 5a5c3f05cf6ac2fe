"""One way to compute attention: every convention is a field."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any, NamedTuple

import numpy as np


@cache
def compiled(formula: str) -> CodeType:
    """Compile a formula once."""
    return compile(formula, formula, "eval")


def read_rows(table: str, n_cells: int) -> list[list[str]]:
    """Return the cells of a table of text; a line with more space goes on."""
    lines = re.sub(r"\n {5,}", " ", table).strip().splitlines()
    return [line.strip().split(" | ", n_cells - 1) for line in lines]


# What is added to a window or taken from it: a name; what a query sees, behind the
# words of the window; and the mask, of x, who is inside the window, the positions
# of queries i (n, 1) and keys j (m,), the size, and `more`, n_keys − n_queries.
RULES = """
    chunks | only keys of its own chunk of {size} | x & (i // size == j // size)
    blocks | all keys of its own block of {size}, later ones too, and of the blocks
     before | x & (i // size >= j // size)
    prefix | and the first {size}, even those later than its own | x | (j < size)
    kept | and the first {size}, none later than its own | x | ((j < size) & (j <= i))
    global | and the first {size}; the first {size} of the queries see every key
     | x | (j < size) | (i < size)
    steps | only keys whose distance from its own is a multiple of {size}
     | x & ((i - j) % size == 0)
    not its own | every key but its own | x & (i != j)
"""
# A causal mask goes wrong so, which nobody can mean.
WRONG = """
    sign | query i sees the keys j ≤ i − (n_keys − n_queries): the offset between
     queries and keys has the wrong sign | x & (j <= i - more)
    restarts | its causal mask begins anew with each block of {size} queries: query
     {size} sees only key 0 again | x & (j <= i % size)
    key restarts | its causal mask begins anew with each block of {size} keys: query 0
     sees key {size} too | x & (j % size <= i)
    lags | a query sees the keys up to the first query of its own block of {size}, and
     not those up to its own | x & (j <= i - i % size)
"""
KINDS = {
    name: (words, compiled(mark), table is WRONG)
    for table in (RULES, WRONG)
    for name, words, mark in read_rows(table, 3)
}


class Rule(NamedTuple):
    """What is added to a window or taken from it: a name of RULES or WRONG, a size."""

    kind: str
    size: int = 1

    def mark(
        self, inside: np.ndarray, i: np.ndarray, j: np.ndarray, more: int
    ) -> np.ndarray:
        """Return the mask, given who is inside the window."""
        given = {"x": inside, "i": i, "j": j, "size": self.size, "more": more}
        return np.asarray(eval(KINDS[self.kind][1], given))

    @property
    def words(self) -> str:
        """What a query sees, behind the words of the window."""
        return KINDS[self.kind][0].format(size=self.size)

    @property
    def never(self) -> bool:
        """Whether nobody can mean it."""
        return KINDS[self.kind][2]


# Sums, or a maximum, over all queries.
FULL = ("queries", "all", "key maximum", "maximum of another")
MOVES_ROWS = ("not transposed", "not transposed back", "last query 0")
Bounds = tuple[int | None, int | None]
SCALES: dict[str, Callable[[int, int], float]] = {
    "1/√d_k": lambda d, h: d**-0.5,
    "1/⌊√d_k⌋": lambda d, h: 1 / math.isqrt(d),
    "1 (none)": lambda d, h: 1.0,
    "1/d_k": lambda d, h: 1 / d,
    "√d_k": lambda d, h: d**0.5,
    "d_k": lambda d, h: float(d),
    "log2(e)/√d_k (exp for exp2)": lambda d, h: math.log2(math.e) * d**-0.5,
    "ln 2/√d_k (exp2 for exp)": lambda d, h: math.log(2) * d**-0.5,
    "−1/√d_k (negated)": lambda d, h: -(d**-0.5),
    "−1 (none, negated)": lambda d, h: -1.0,
    "1/√(n_heads·d_k)": lambda d, h: (h * d) ** -0.5,
    "1/(n_heads·d_k)": lambda d, h: 1 / (h * d),
    "1/√(d_k − 1)": lambda d, h: (d - 1) ** -0.5 if d > 1 else math.inf,
    "1/√(d_k + 1)": lambda d, h: (d + 1) ** -0.5,
    "1/√(d_k/2)": lambda d, h: (d / 2) ** -0.5,
    "1/√(2·d_k)": lambda d, h: (2 * d) ** -0.5,
    "2/√d_k": lambda d, h: 2 * d**-0.5,
    "1/(2·√d_k)": lambda d, h: 0.5 * d**-0.5,
    "1/√n_heads": lambda d, h: h**-0.5,
    "1/∜d_k": lambda d, h: d**-0.25,
    "ln 2 (exp2 for exp, no scale)": lambda d, h: math.log(2),
    "log2(e) (exp for exp2, no scale)": lambda d, h: math.log2(math.e),
}

EPS = {f"rms, ε = {x:.2g}": x for x in (1e-6, 1e-5, 2.0**-23)}  # (of PyTorch: eps)


def scale_of(scale: Any, d: int, n_heads: int) -> Any:
    """Return what scores are multiplied by: a number, or several of them."""
    return SCALES[scale](d, n_heads) if isinstance(scale, str) else scale


class Sizes(NamedTuple):
    """The sizes of a call."""

    n_heads: int
    n_kv_heads: int
    n: int
    m: int
    d: int
    d_v: int

    @property
    def n_scores(self) -> int:
        """The scores of a batch item."""
        return self.n_heads * self.n * self.m

    def of(self, formula: str, batch: int = 1) -> int:
        """Compute, say, "min(d_k, 64)" or "n_keys > 32", from names as in words."""
        names = ("n_heads", "n_key_heads", "n_queries", "n_keys", "d_k", "d_v")
        known = dict(zip(names, self, strict=True)) | {"batch": batch}
        return int(eval(compiled(formula), known))


@dataclass(frozen=True, eq=False)
class Measured:
    """A field that was measured: a value for each of the sizes that it depends on."""

    of: tuple[str, ...]
    values: dict[Any, Any]

    def __call__(self, sizes: Sizes) -> Any:
        """Return the value for these sizes; a ValueError if it was not measured."""
        key = tuple(getattr(sizes, name) for name in self.of)
        if key not in self.values:
            raise ValueError(f"nothing was measured for {self.of} {key}")
        return self.values[key]


@dataclass(frozen=True)
class Model:
    """One way to compute attention; the defaults are scaled dot-product attention."""

    scale: float | str = "1/√d_k"
    softcap: float | None = None
    window: Bounds = (None, None)  # keys i + offset − left … i + offset + right
    alignment: str = "start"  # or "end": the last query stands at the last key
    offset: Any = 0
    normalized: str = "keys"  # or "queries", "no", "heads", "all", "sink", "sigmoid" …
    factor: float = 1.0  # of the weights
    sink: Any = None  # a logit for each head, in the denominator alone
    grouping: str = "repeat"  # or "tile", "first" (one for all), "by count"
    rotary: dict[str, Any] | None = None  # keywords of attnlib.rotary_embedding …
    slopes: Any = None  # ALiBi: for each head
    slopes_signed: bool = False  # scores of later keys rise, in place of falling
    slopes_from: str = ""  # where distances count from, if not as the mask
    relative: Any = None  # added for key − query = 1 − N … N − 1: (heads, 2 N − 1)
    places: Measured | None = None  # allowed and bias, where no rule is known
    bias: Any = None  # added to the scores
    allowed: Any = None  # a mask: True = may attend
    kept: Any = None  # a mask that is multiplied onto the weights
    order: str = "cap, mask"  # or "mask, cap"
    masked: str = "before"  # or "after": multiplied onto the weights
    roles: str = "qkv"  # what is used as query, key and value
    values: str = "as they are"  # or "reversed", "one later", "of transposed weights" …
    empty: str = "zeros"  # or "mean"
    lowest: float | None = None  # where a running maximum starts, if not at −∞
    input_order: str = "as it is"  # or "not transposed": heads and tokens of the inputs
    columns: tuple[int, int] | None = None  # of queries and keys: those multiplied
    product: str = "dot"  # or "cosine", "rms", "distance" …
    squash: str = "tanh"  # what caps: or "clip"
    fill: float = -math.inf  # the score of a pair that is hidden
    pad: int = 1  # keys of 0 fill up blocks of this size, and take part
    picture: Rule | None = None  # what is added to the window or taken from it
    dropped_keys: str | None = None  # a formula of m keys j: which are read at all
    output_order: str = "as it is"  # or what OUTPUT_ORDERS names
    adds: str = ""  # "q", "k" or "v": what is added to the output
    heads: Any = None  # the key heads and value heads that query heads read
    rounded: str = ""  # the format that queries and keys are rounded to first
    layout: str = "bhnd"  # or "bnhd": axes 1 and 2 are taken for each other

    @property
    def over_queries(self) -> bool:
        """Whether a query's output is made of sums over all the others."""
        turned = self.values == "of transposed weights"
        return self.normalized in FULL or turned

    @property
    def moves_rows(self) -> bool:
        """Whether a query's row is read, or put, where another's belongs."""
        moved = self.output_order in MOVES_ROWS or self.input_order in MOVES_ROWS
        return moved or self.layout != "bhnd"

    @property
    def whole(self) -> bool:
        """Whether some queries alone cannot be computed: it takes all of them."""
        return self.over_queries or self.moves_rows

    @property
    def headwise(self) -> bool:
        """Whether each head's output is made of its own query, key and value alone."""
        orders = {self.input_order, self.output_order, self.layout}
        moved = orders != {"as it is", "bhnd"} or self.normalized == "heads"
        return not (moved or self.by_heads)

    @property
    def by_heads(self) -> bool:
        """Whether heads have numbers of their own, or read others than their own."""
        own = (self.slopes, self.sink, self.relative, self.heads)
        return any(x is not None for x in own)

    @property
    def hides(self) -> bool:
        """Whether it hides any key."""
        hiding = (self.picture, self.allowed, self.dropped_keys)
        by_place = self.window != (None, None)
        return by_place or any(x is not None for x in hiding)

    def at(self, sizes: Sizes) -> Model:
        """Return the model for some sizes, with what was measured there."""
        fields = vars(self).items()
        found = {name: x(sizes) for name, x in fields if isinstance(x, Measured)}
        if "places" in found:
            found["allowed"], found["bias"] = found["places"]
        return self.change(**found) if found else self

    def change(self, **fields: Any) -> Model:
        """Return a copy with some fields changed."""
        found = object.__new__(Model)  # (thousands are made: without __init__)
        vars(found).update(vars(self), **fields)
        if unknown := vars(found).keys() - vars(self).keys():
            raise TypeError(f"a model has no {', '.join(sorted(unknown))}")
        return found


def of_first(model: Model, heads: int | None = None) -> Model:
    """Return the model for the first batch item, and its first heads: their masks."""
    fields = {}
    for name in ("allowed", "bias", "kept"):
        x = getattr(model, name)
        if x is not None and x.ndim > 2:
            fields[name] = x[:1, :heads] if x.ndim == 4 else x[:heads]
    return model.change(**fields) if fields else model


def positions(
    n: int, m: int, model: Model, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return where queries (..., n, 1) and keys (m,) stand."""
    offset = np.asarray(model.offset)[..., None, None]
    start = m - n if model.alignment == "end" else 0
    rows = np.arange(n) if rows is None else rows
    return rows[:, None] + offset + start, np.arange(m)


def band(n: int, m: int, model: Model, rows: np.ndarray | None = None) -> np.ndarray:
    """Mark the keys inside the window, of all queries or of some; a rule changes it."""
    left, right = model.window
    i, j = positions(n, m, model, rows)
    inside = np.ones_like(i + j, bool)
    if left is not None:
        inside = inside & (j >= i - left)
    if right is not None:
        inside = inside & (j <= i + right)
    rule = model.picture
    return inside if rule is None else rule.mark(inside, i, j, m - n)
