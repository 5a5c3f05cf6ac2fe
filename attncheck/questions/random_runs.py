"""Runs of the function on random numbers, and whether mistakes explain them."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.model import Model
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found
from attncheck.subject import Refused

# Of the queries (b, h, n), and of keys: what explains one run must explain them all.
SHAPES = (((2, 3, 13), 31), ((1, 2, 37), 37), ((3, 2, 20), 12))


def run_of(
    case: Case,
    of_queries: tuple[int, int, int],
    m: int,
    kv_heads: int = 0,
    d: int = 0,
    d_v: int = 0,
) -> Run | None:
    """Call it on random numbers (b, h, n, d), with m keys; None where it refuses."""
    b, h, n = of_queries
    draw, d, g = case.probes.draw, d or case.d, kv_heads or h
    q, k, v = draw(b, h, n, d), draw(b, g, m, d), draw(b, g, m, d_v or d)
    try:
        return Run(q, k, v, case.subject(q, k, v), case.subject.format)
    except Refused:
        return None


def also_explains(run: Run, base: Model, found: Found) -> bool:
    """Say whether the same mistakes explain another run."""
    model = base
    for mistake in found.mistakes:
        model = mistake.change(model, run.sizes) or model
    return run.error(model, most=EXPLAINED) <= 1
