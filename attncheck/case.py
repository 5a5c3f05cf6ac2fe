"""What the questions share while a function is asked: probes, a model, a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attncheck.model import Model, band
from attncheck.patterns import Seen, read_even
from attncheck.probes import Probes
from attncheck.report import Report
from attncheck.subject import Refused, Subject

# Kernels want certain sizes: tokens in blocks, columns of certain numbers.
SIZES = [(12, 64), (16, 64), (64, 64), (128, 64), (64, 128), (12, 32), (12, 16)]
SIZES += [(12, 8), (12, 4)]


@dataclass
class Case:
    """One examination."""

    subject: Subject
    report: Report = field(default_factory=Report)
    model: Model = field(default_factory=Model)
    n: int = 12  # tokens of a small probe: the smallest number that works
    d: int = 64
    heads: int = 2
    done: str = ""  # why nothing more can be asked
    nothing: bool = False  # it gives 0 or NaN whatever the size
    hopeless: bool = False  # not even one run of it would tell anything
    unnamed: str = ""  # that who sees whom is seen, and follows no known rule
    uneven: str = ""  # what tails left open
    window_meant: tuple[int | None, int | None] = (None, None)
    rotary_meant: dict[str, Any] = field(default_factory=dict)
    sharing: int = 6  # query heads that were asked to share two key heads
    level: float = 0.0  # of query · key, where the mask shows
    scales: dict[tuple[int, int], float] = field(default_factory=dict)  # at (d_k, h)
    by_query: bool = False  # every column adds up to 1 in place of every row
    first_call: tuple[list[np.ndarray], np.ndarray] | None = None  # and its output
    empty: list[int] = field(default_factory=list)  # sizes at which it gives nothing
    key_masks: list[Any] = field(default_factory=list)  # that it was seen to obey
    pictures: dict[tuple[int, int], Seen] = field(default_factory=dict)
    alone: bool | None = None  # whether one head alone has the mask of the first of two

    def __post_init__(self) -> None:
        self.probes = Probes(self.subject, self.d)

    @property
    def wide(self) -> int:
        """Keys that a window which is meant reaches."""
        return max((side for side in self.window_meant if side is not None), default=0)

    @property
    def many(self) -> int:
        """As many tokens as a probe of scores wants."""
        return self.n if self.n >= 32 else 2 * self.n

    @property
    def unmeasured_places(self) -> bool:
        """Whether weights depend on places in a way that could not be measured."""
        return self.report.facts["position"] == "other" and self.model.relative is None

    @property
    def tolerance(self) -> float:
        """What weights may be wrong by, relative, and still be what they look like."""
        return max(4e-3, 4 * self.subject.format.eps)

    @property
    def smallest(self) -> float:
        """The weight below which a logarithm means nothing."""
        return {"float16": 2e-4, "float64": 1e-290}.get(self.subject.format.name, 1e-30)

    def find_sizes(self) -> None:
        """Find sizes that it takes.

        Raises
        ------
        Refused
            If it takes none; with the words of the first refusal.
        """
        first: Refused | None = None
        fallback: tuple[int, int, int] | None = None
        draw = np.random.default_rng(1).standard_normal
        for heads in (2, 1):
            for n, d in SIZES:
                shape = (1, heads, n, d)
                try:
                    output = self.subject(*(draw(shape) for _ in range(3)))
                except Refused as error:
                    first = first or error
                    continue
                if not np.nan_to_num(output).any():
                    self.empty.append(n)  # a block that is not full is dropped
                    fallback = fallback or (n, d, heads)
                    continue
                return self._use(n, d, heads)
        if fallback is None:
            raise first or Refused("it was not called")
        self.nothing = True
        return self._use(*fallback)

    def _use(self, n: int, d: int, heads: int) -> None:
        self.n, self.d, self.heads = n, d, heads
        self.probes = Probes(self.subject, d)

    def even(self, n: int, m: int, head: int = 0, heads: int | None = None) -> Seen:
        """Return the mask for n queries and m keys, as even weights show it."""
        if heads is None and (n, m) in self.pictures:
            return self.pictures[n, m]
        large = n * m > 64 * 64 and self._one_head_tells()  # (none but what is read)
        many = heads or (1 if large else self.heads)
        weights = self.probes.even(n, m, many, self.level)[head]
        if self.by_query:
            top = np.max(np.where(np.isfinite(weights), weights, 0), axis=-2)
            weights = weights / np.where(top > 0, top, 1)
        seen = read_even(weights, self.tolerance * 2)
        if heads is None:
            self.pictures[n, m] = seen
        return seen

    def _one_head_tells(self) -> bool:
        """Say whether a head alone has the mask that it has beside others."""
        if self.alone is None:
            try:
                alone = self.probes.even(self.n, self.n, 1, self.level)
                beside = self.probes.even(self.n, self.n, self.heads, self.level)
            except Refused:
                return True
            self.alone = bool(np.array_equal(alone[0] > 0, beside[0] > 0))
        return self.alone

    def allowed(self, n: int, m: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return who sees whom, of all queries or of some: bool (n, m).

        A query whose band is empty sees nobody, though it may get a mean of all values.
        """
        seen = self.even(n, m).allowed
        if self.model.picture is None:
            seen = seen & band(n, m, self.model).any(-1, keepdims=True)
        return seen if rows is None else seen[rows]

    def bias(self, n: int, m: int, heads: int) -> np.ndarray:
        """Return what is added to the scores, (heads, n, m); zeros if nothing is."""
        found = np.zeros((heads, n, m))
        if not self.model.biased_by_place and self.model.bias is None:
            return found
        for head in range(heads):
            picture = self.even(n, m, head, heads)
            if picture.bias is not None:
                found[head] = np.where(picture.allowed, picture.bias, 0)
        return found
