"""Windows of any width, and masks that are no window, read off one run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.rules import CAUSAL, FREE, rules
from attncheck.model import Model
from attncheck.run import Run
from attncheck.verify import judge

WIDEST = 4096


def other_masks(run: Run, claim: Claim) -> Iterator[Claim]:
    """Yield the windows and the rules that explain the last query, and a few more."""
    small = run.take(0).part(1, 8)
    n = small.sizes.n
    last = Run(
        small.query[..., n - 1 :, :],
        small.key,
        small.value,
        small.output[..., n - 1 :, :],
        small.format,
    )
    offset = int(n - 1)
    for model in _windows(run, claim.base):
        moved = model.change(
            offset=0 if model.corner == "end" else offset
        )  # the query is one alone
        if judge(last, Claim(moved)).ok:
            yield Claim(model)
    base, m = claim.base, small.sizes.m
    if np.ndim(base.offset) or base.offset:  # (rules count from a corner)
        return
    sizes = [int(x) for x in (*range(1, 17), *2 ** np.arange(5, 13)) if x < m]
    for rule in rules(m, sizes, (FREE, CAUSAL, base.window)):
        fields = {"picture": rule.picture, "window": rule.window}
        for corner in ("start", "end") if n != m else ("start",):
            yield Claim(base.change(corner=corner, **fields))


def _windows(run: Run, model: Model) -> Iterator[Model]:
    """Yield every left side, with the right side there is or a causal one."""
    n, m = run.sizes.n, run.sizes.m
    corners = ("start", "end") if n != m else (model.corner,)
    for right, corner in itertools.product({model.window[1], 0}, corners):
        for left in range(min(m, WIDEST)):
            if left <= 256 or left % 64 in (0, 1, 63):
                yield model.change(window=(left, right), corner=corner)
