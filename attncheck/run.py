"""One run: the numbers that went in and came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from attncheck.formats import Format
from attncheck.model import Sizes

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

    @cached_property
    def first_item(self) -> Run:
        """The first item of the batch."""
        return self.take(0)

    @cached_property
    def first_head(self) -> Run:
        """The first head of the first item."""
        return self.first_item.part(1)

    def take(self, batch: int) -> Run:
        """Return one item of the batch."""
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

    def chunks(self) -> list[np.ndarray]:
        """Split the queries so that scores take little memory."""
        per_row = self.query.shape[0] * self.query.shape[1] * self.key.shape[2]
        n = self.query.shape[2]
        n_chunks = max(1, -(-n * per_row // CHUNK))
        return [rows for rows in np.array_split(np.arange(n), n_chunks) if rows.size]
