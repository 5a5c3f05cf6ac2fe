"""Mistakes in the softmax: what it sums over, and what large scores do to it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.model import BLOCKS, SMALL, Model

SUMS = {
    "queries": "softmax runs over the queries",
    "heads": "softmax runs over the heads",
    "all": "softmax runs over all pairs of queries and keys",
    "no": "weights are exp(score), divided by nothing",
    "no, less the largest": "weights are exp(score − largest), divided by nothing",
    "sigmoid": "weights are sigmoids",
    "twice": "softmax is taken twice",
    "relu": "weights are the positive scores, divided by their sum",
    "linear": "weights are the scores: there is no softmax",
    "hard": "the largest score takes all the weight",
    "key maximum": "the largest score of each key is subtracted, not that of each "
    "query",
    "maximum of another": "from the scores of key j, the largest of query j is "
    "subtracted: an axis is missing",
}

RUNNING = {
    "all not rescaled": "the running output and the running sum are not rescaled when "
    "the maximum rises",
    "output not rescaled": "the running output is not rescaled when the maximum rises",
    "sum not rescaled": "the running sum is not rescaled when the maximum rises",
}
APART = "each {} has a softmax of its own, and "
MERGED = {
    "averaged": f"{APART}the outputs are averaged",
    "added": f"{APART}the outputs are added up",
    "by maximum": f"{APART}the outputs are weighed by the largest scores, not the sums",
    "by sum": "the largest score of each {} is subtracted in it, and never made up for "
    "when the sums are put together",
}
TWICE = {
    "ends": "the first key of each block of {} but the first is counted twice",
    "overlap": "some keys before the last block of {} are counted twice, as when it is "
    "moved back to be full",
    "clamped": "some keys are counted twice and the last are not seen, as when the "
    "last block of {} is read from an earlier key on, but as many as were left",
}


def _words(what: str, size: int) -> str:
    """Say what a name of `BLOCKS` stands for."""
    if what in RUNNING:
        blocks = "one key at a time" if size == 1 else f"blocks of {size} keys"
        return f"{RUNNING[what]} ({blocks})"
    if what in TWICE:
        return TWICE[what].format(size)
    merge, _, parts = what.partition(" in ")
    return MERGED[merge].format(
        f"of {size} {parts} of the keys" if parts else f"block of {size} keys"
    )


def softmaxes() -> Iterator[Mistake]:
    """Yield the mistakes in the sums."""
    for name, words in SUMS.items():

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            square = s.n == s.m
            if name == model.normalized or (
                name == "maximum of another" and not square
            ):
                return None
            return model.change(normalized=name, sink=None)

        yield Mistake(f"normalized: {name}", "sum", words, change)
    yield Mistake(
        "normalized: sink", "sum", "1 is added to every sum (a sink of 0)", _sink
    )
    yield from _pads()
    yield from _blocks()


def _pads() -> Iterator[Mistake]:
    for block in (8, 16, 32, 64, 128):

        def change(model: Model, s: Sizes, block: int = block) -> Model | None:
            return model.change(pad=block) if s.m % block else None

        words = f"keys of 0 that fill a block of {block} are attended to"
        yield Mistake(f"padding: blocks of {block}", "padding", words, change)


def _blocks() -> Iterator[Mistake]:
    for name in BLOCKS:
        what, number = name.split(", ")
        size = int(number)

        def change(
            model: Model, s: Sizes, name: str = name, least: int = size
        ) -> Model | None:
            return model.change(normalized=name, sink=None) if s.m > least else None

        yield Mistake(
            f"normalized: {name}",
            "sum",
            _words(what, size),
            change,
            alone=True,
            few=size < SMALL and " in " not in name,
        )


def _sink(model: Model, s: Sizes) -> Model | None:
    zero = np.zeros(1)
    return (
        None if model.sink is not None else model.change(normalized="sink", sink=zero)
    )


def only_large() -> list[Mistake]:
    """Return the mistakes that ordinary scores do not show."""
    return [
        Mistake(
            "large: no maximum subtracted",
            "sum",
            "exp overflows: the largest score is not subtracted",
            lambda model, s: model.change(normalized="keys, no maximum"),
        ),
        Mistake(
            "large: a maximum from −50,000",
            "sum",
            "the running maximum starts at −50,000, not at −∞",
            lambda model, s: model.change(lowest=-5e4),
        ),
    ]
