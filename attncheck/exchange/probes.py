"""The probes: sizes, and numbers drawn with a seed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from attncheck.formats import round_to


class Probe(NamedTuple):
    """The sizes of a probe, b h g n m d, and how large its numbers are."""

    name: str
    shape: tuple[int, int, int, int, int, int]
    size: float = 1.0
    low: bool = False


PROBES = (
    Probe("square", (2, 2, 2, 24, 24, 64)),
    Probe("wide", (1, 2, 2, 16, 48, 64)),
    Probe("tall", (1, 2, 2, 48, 16, 64)),
    Probe("one", (1, 2, 2, 1, 33, 64)),
    Probe("groups", (1, 6, 2, 24, 24, 64)),
    Probe("block", (1, 1, 1, 128, 128, 64)),
    Probe("tail", (1, 1, 1, 300, 300, 64)),
    Probe("far", (1, 1, 1, 32, 32, 64), size=2.5),
    Probe("large", (1, 1, 1, 16, 16, 64), size=60.0),
    Probe("low", (1, 1, 1, 16, 16, 64), low=True),
)


def draw(probe: Probe, dtype: str, number: int) -> dict[str, Any]:
    """Draw the inputs of a probe, rounded to a format."""
    b, h, g, n, m, d = probe.shape
    rng = np.random.default_rng([16, number])
    shapes = {"query": (b, h, n, d), "key": (b, g, m, d), "value": (b, g, m, d)}
    arrays = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    size = min(probe.size, 16.0) if dtype == "float16" else probe.size
    arrays["query"], arrays["key"] = size * arrays["query"], size * arrays["key"]
    if probe.low:
        side = 16.0 if dtype == "float16" else 128.0
        arrays["query"] = np.full(shapes["query"], side)
        arrays["key"] = np.full(shapes["key"], -side)
    return {name: round_to(x, dtype) for name, x in arrays.items()}
