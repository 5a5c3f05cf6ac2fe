"""Runs of the function on random numbers, and whether mistakes explain them."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.model import BLOCKS, Model
from attncheck.reading.run import EXPLAINED, Run
from attncheck.reading.search import Found
from attncheck.report import lowered
from attncheck.subject import Refused

# Of the queries (b, h, n), and of keys: what explains one run must explain them all.
Shape = tuple[tuple[int, int, int], int]
LARGER = 10.0
SHAPES: tuple[Shape, ...] = (((2, 3, 13), 31), ((1, 2, 37), 37), ((3, 2, 20), 12))


def run_of(
    case: Case,
    of_queries: tuple[int, int, int],
    m: int,
    kv_heads: int = 0,
    d: int = 0,
    d_v: int = 0,
    size: float = 1.0,
) -> Run | None:
    """Call it on random numbers (b, h, n, d), with m keys; None where it refuses.

    Queries, and so scores, are multiplied by `size`.
    """
    b, h, n = of_queries
    draw, d, g = case.probes.draw, d or case.d, kv_heads or h
    q, k, v = draw(b, h, n, d, size=size), draw(b, g, m, d), draw(b, g, m, d_v or d)
    try:
        return Run(q, k, v, case.subject(q, k, v), case.subject.format)
    except Refused:
        return None


def with_ordinary_scores(
    case: Case, base: Model, found: Found, sentence: str, shape: Shape
) -> str:
    """Say that a mistake in the merging of blocks holds for ordinary scores only.

    Sums may be rescaled where the maximum rises by much, and left where by little.
    """
    sentence = sentence[:1].upper() + sentence[1:] + "."
    if found.model.normalized not in BLOCKS or case.subject.format.bits <= 11:
        return sentence
    run = run_of(case, *shape, size=LARGER)
    if run is None or also_explains(run, base, found):
        return sentence
    begins = f"With ordinary scores, {lowered(sentence)}"
    return (
        f"{begins} With scores {LARGER:.0f} times as large, its outputs do not follow "
        "from that."
    )


def also_explains(run: Run, base: Model, found: Found) -> bool:
    """Say whether the same mistakes explain another run."""
    model = base
    for mistake in found.mistakes:
        model = mistake.change(model, run.sizes) or model
    return run.error(model, most=EXPLAINED) <= 1
