"""One value of DOMAIN on top of a claim; and rotary positions, half of them wrong."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from attncheck.claim import Claim
from attncheck.model import ALL, HALF_TURNS, LARGE

TURNS: tuple[dict[str, Any], ...] = (
    *(more for more, _ in HALF_TURNS.values()),
    {"queries": "end"},
    {"backwards": True},
    {"step": 0.5},
)


def one_off(claim: Claim) -> Iterator[Claim]:
    """Yield the claim with one value more."""
    if claim.base.window != (None, None):
        other = "start" if claim.base.corner == "end" else "end"
        yield claim.on(corner=other)  # (wide windows look alike from both)
    rotary = claim.base.rotary
    if rotary is not None:
        yield from (claim.on(rotary={**rotary, **more}) for more in TURNS)
        yield claim.on(rotary={**rotary, "queries": "end", "step": 0.5})
    elif not claim.by_heads:
        for pairs, more in itertools.product((False, True), ({}, *TURNS)):
            yield claim.on(rotary={"interleaved": pairs, "part": 1.0, **more})
    if claim.base.slopes_from == "" and "slopes" in claim.by_heads:
        yield from (claim.on(slopes_from=corner) for corner in ("start", "end"))
    yield from (claim.plus(value) for value in (*ALL, *LARGE))
