"""Windows of any width, and masks that are no window, read off one run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from attncheck.claim import Claim
from attncheck.guess.bands import Band
from attncheck.guess.rules import Rule
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
        corner = model.corner == "end"
        moved = model.change(offset=0 if corner else offset)  # the query is one alone
        if judge(last, Claim(moved)).ok:
            yield Claim(model)
    if np.ndim(claim.base.offset) or claim.base.offset:  # (rules count from a corner)
        return
    for rule in _rules(n, small.sizes.m, claim.base):
        yield Claim(claim.base.change(picture=rule.mark, corner=rule.band.corner))


def _windows(run: Run, model: Model) -> Iterator[Model]:
    """Yield every left side, with the right side there is or a causal one."""
    n, m = run.sizes.n, run.sizes.m
    corners = ("start", "end") if n != m else (model.corner,)
    for right, corner in itertools.product({model.window[1], 0}, corners):
        for left in range(min(m, WIDEST)):
            if left <= 256 or left % 64 in (0, 1, 63):
                yield model.change(window=(left, right), corner=corner)


def _rules(n: int, m: int, model: Model) -> Iterator[Rule]:
    """Yield rules with sizes in use, under the band there is or a causal one."""
    left, right = model.window
    sizes = [int(x) for x in (*range(1, 17), *2 ** np.arange(5, 13)) if x < m]
    for corner in ("start", "end") if n != m else ("start",):
        free = Band(None, None, corner)
        bands = dict.fromkeys((Band(left, right, corner), Band(None, 0, corner)))
        yield Rule("not its own", 1, free)
        yield Rule("sign", 0, free)
        for size, band in itertools.product(sizes, bands):
            kinds = ("chunks", "prefix", "steps") if size > 1 else ("prefix",)
            yield from (Rule(kind, size, band) for kind in kinds)
            if band.left is not None:
                yield Rule("kept", size, band)
        for size in sizes[1:]:
            yield from (Rule(kind, size, free) for kind in ("lags", "blocks"))
            if size < m - 1:  # else it is for the last key alone
                yield from (Rule(k, size, free) for k in ("restarts", "key restarts"))
