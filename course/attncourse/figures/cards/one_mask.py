"""The figure of the card on drafts that are written as a block."""

from functools import cache, partial

import numpy as np

from attncourse.toys.writer import ahead
from attncourse.toys.writer.drafting import (
    counted,
    counted_behind_one,
    propose,
    propose_block,
    words_a_step,
)
from attncourse.toys.writer.stored import writer
from attncourse.toys.writer.training import training_texts
from attnlib import softmax

from ..kit.controls import Choice
from ..kit.panel import choice
from ..kit.tabled import Curves, tabled
from . import interval

DRAFTS = (1, 2, 4, 8)
COSTS = {"nothing": 0.0, "1/20": 0.05, "1/10": 0.1, "1/5": 0.2}


@cache
def words_by_way():
    """Return {way: (words a step, half of each interval)}, for each of `DRAFTS`."""
    texts, new = training_texts(), ahead.texts()[1][:, :-1]
    tables = [counted(texts, n) for n in range(1, DRAFTS[-1] + 1)]
    pairs = counted_behind_one(texts)
    ends = np.random.default_rng(14).integers(2, 18, size=len(new))  # where to begin
    ways = {
        "one by one": lambda n: partial(propose, draft=tables[0], n_drafts=n),
        "at once": lambda n: partial(propose_block, tables=tables[:n], pairs=None),
        "with pairs": lambda n: partial(propose_block, tables=tables[:n], pairs=pairs),
    }

    def words(write):
        large, rng = (lambda ids: softmax(writer()(ids))), np.random.default_rng(14)
        return words_a_step(large, new, ends, write, 3, rng)

    return {
        name: interval(np.transpose([words(way(n)) for n in DRAFTS]))
        for name, way in ways.items()
    }


@tabled(
    controls={
        "drafts": Choice("Drafts a step", 8, DRAFTS, look=choice),
        "cost": Choice("A draft step costs, of a large one", 0.1, COSTS),
    },
    drawn=Curves(
        "Words in the time of a step of the large model",
        "n_drafts",
        "drafts, doubling",
        {"one by one": "one by one", "at once": "at once", "with pairs": "with pairs"},
        moves="drafts",
        form=".1f",
        even=True,
    ),
    title="Drafts one by one, and as a block",
    summary="{drafts} drafts one by one bring {one by one.$at:.1f} words, at once "
    "{at once.$at:.1f}, with pairs {with pairs.$at:.1f}: {best} is fastest.",
    said=("{best} is fastest", "at once {at once.$at:.1f}"),
)
def dflash(drafts, cost):
    """Return words in the time of one step of the large model, by way."""
    found = {name: means for name, (means, _) in words_by_way().items()}
    steps = {"one by one": np.array(DRAFTS)}  # of the draft model; else one
    speeds = {n: (w / (1 + cost * steps.get(n, 1))).round(2) for n, w in found.items()}
    at = DRAFTS.index(drafts)
    best = max(speeds, key=lambda name: speeds[name][at])
    return {"n_drafts": DRAFTS, **speeds, "best": best}
