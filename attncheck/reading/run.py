"""One run on file: its numbers, what was meant, and what rounding may have done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from attncheck.formats import Format
from attncheck.mistakes import Sizes
from attncheck.model import Attended, Model, attend, of_first
from attncheck.reading.rounding import shares

CHUNK = 2**22  # scores at a time
EXPLAINED = 0.1  # a mistake explains an output to this share of it, or not at all


@dataclass(frozen=True)
class Run:
    """Query, key, value and output as float64, (batch, n_heads, n, d)."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray
    format: Format

    @property
    def sizes(self) -> Sizes:
        """The sizes that mistakes depend on."""
        h, n, d = self.query.shape[1:]
        return Sizes(h, self.key.shape[1], n, self.key.shape[2], d, self.value.shape[3])

    def take(self, batch: int) -> Run:
        """Return one sentence of the batch."""
        return self._each(lambda x: x[batch : batch + 1])

    def part(self, heads: int, columns: int | None = None) -> Run:
        """Return the first heads; each way of sharing gives them the first key head."""
        value, output = self.value[..., :columns], self.output[..., :columns]
        narrow = replace(self, value=value, output=output)
        return narrow._each(lambda x: x[:, :heads])

    def _each(self, change: Callable[[np.ndarray], np.ndarray]) -> Run:
        arrays = (self.query, self.key, self.value, self.output)
        query, key, value, output = map(change, arrays)
        return Run(query, key, value, output, self.format)

    def compute(self, model: Model, rows: np.ndarray | None = None) -> Attended:
        """Compute what a model gives for some of the queries."""
        return attend(self.query, self.key, self.value, model, rows)

    def error(
        self,
        model: Model,
        rows: np.ndarray | None = None,
        fmt: Format | None = None,
        most: float = np.inf,
    ) -> float:
        """Return the largest error as a share of what rounding may do; 1 or less fits.

        NaN where only one of the two is NaN counts as infinitely wrong. `most` bounds
        the tolerance: with scores of thousands, rounding could explain anything.
        """
        found = self.compute(model, rows)
        output = self.output if rows is None else self.output[..., rows, :]
        if found.output.shape != output.shape:
            return np.inf
        share = shares(output, found, fmt or self.format, most)
        return float(share.max(initial=0.0))

    def left(self, model: Model, rows: np.ndarray) -> float:
        """Return the norm of what a model leaves unexplained, in the first sentence."""
        first = self.take(0)
        try:
            found = first.compute(of_first(model), rows).output
            left = float(np.linalg.norm(first.output[..., rows, :] - found))
        except ValueError:  # the shapes do not fit this model
            return np.inf
        return left if np.isfinite(left) else np.inf

    def chunks(self) -> list[np.ndarray]:
        """Split the queries so that scores take little memory."""
        per_row = self.query.shape[0] * self.query.shape[1] * self.key.shape[2]
        n = self.query.shape[2]
        n_chunks = max(1, -(-n * per_row // CHUNK))
        return [rows for rows in np.array_split(np.arange(n), n_chunks) if rows.size]

    def error_everywhere(
        self,
        model: Model,
        fmt: Format | None = None,
        stop: bool = True,
        most: float = np.inf,
    ) -> float:
        """Return the largest error over all queries, a few at a time.

        With `stop`, the first error that rounding does not explain is enough.
        """
        if model.over_queries:
            return self.error(model, None, fmt, most)
        worst = 0.0
        for rows in self.chunks():
            worst = max(worst, self.error(model, rows, fmt, most))
            if stop and worst > 1:
                break
        return worst
