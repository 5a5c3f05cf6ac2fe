"""One case: its shape, its keywords, and inputs drawn with a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attncheck.exchange import expected_model
from attncheck.formats import round_to
from attncheck.model import Model, Sizes

SEED = 2026


@dataclass
class Case:
    """One case: its inputs are numbers that every format from bfloat16 on holds."""

    id: str
    about: str
    shape: tuple[int, int, int, int, int, int]  # b, h, g, n, m, d
    keywords: dict[str, Any] = field(default_factory=dict)
    masked: float = 0.0  # the share of pairs that a mask hides
    each: bool = False  # a mask of its own for each sentence and head
    added: float = 0.0  # the size of a mask that is added to the scores
    size: float = 1.5
    low: bool = False  # every score far below 0
    catches: list[str] = field(default_factory=list)

    @property
    def sizes(self) -> Sizes:
        """The sizes that mistakes depend on."""
        _, h, g, n, m, d = self.shape
        return Sizes(h, g, n, m, d, d)

    def arrays(self) -> dict[str, np.ndarray]:
        """Draw query, key, value, and a mask if there is one."""
        b, h, g, n, m, d = self.shape
        rng = np.random.default_rng([SEED, *self.id.encode()])
        shapes = ((b, h, n, d), (b, g, m, d), (b, g, m, d))
        q, k, v = (rng.standard_normal(shape) for shape in shapes)
        q, k = q * self.size, k * self.size
        if self.low:
            q, k = np.full_like(q, 256.0), np.full_like(k, -256.0)
        arrays = {"query": q, "key": k, "value": v}
        arrays = {name: round_to(x, "bfloat16") for name, x in arrays.items()}
        if self.masked:
            pairs = (b, h, n, m) if self.each else (n, m)
            mask: np.ndarray = rng.random(pairs) >= self.masked
            mask[..., min(1, n - 1), :] = n == 1  # a query that may attend to nothing
            arrays["mask"] = mask
        if self.added:
            mask = self.added * rng.standard_normal((n, m))
            arrays["mask"] = round_to(mask, "bfloat16")
        return arrays

    def model(self, arrays: dict[str, np.ndarray]) -> Model:
        """Return what is right."""
        return expected_model(**self.keywords, mask=arrays.get("mask"))
