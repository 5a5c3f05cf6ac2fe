"""Lesson 13's live figure: softmax in one pass, one key after the other."""

from types import SimpleNamespace

import numpy as np

from attnlib import softmax

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from . import still

# The score of key 6 is the reader's to choose: its place holds 0 here.
SCORES = np.array([2, 1, 3, 0, 2, 0, 1, 2])
VALUES = np.array([[1, 0], [0, 1], [2, 1], [1, 3], [3, 0], [8, 4], [0, 2], [1, 1]])
N_KEYS, LATE = len(SCORES), 5
LOWEST, HIGHEST = -2, 10


def _scores(late):
    scores = SCORES.astype(float)
    scores[LATE] = late
    return scores


def _compute(read, late):
    """Compute, of the keys read, each number in one go from all of them.

    Their ``scores`` and ``values``, the ``largest`` score, the ``factor`` that the last
    key brought, the ``total`` of the exponentials, the softmax ``weights`` and the
    ``output``; in ``steps``, what is kept after each key: largest, factor, total.
    """
    scores, values = _scores(late)[:read], VALUES[:read]
    largest = np.maximum.accumulate(scores)
    before = np.concatenate([[-np.inf], largest[:-1]])
    steps = [
        (most, factor, np.exp(scores[:j] - most).sum())
        for j, (most, factor) in enumerate(
            zip(largest, np.exp(before - largest), strict=True), 1
        )
    ]
    weights = softmax(scores)
    return SimpleNamespace(
        keys=[f"k{j}" for j in range(1, read + 1)],
        scores=scores,
        values=values,
        largest=steps[-1][0],
        factor=steps[-1][1],
        total=steps[-1][2],
        powers=np.exp(scores - steps[-1][0]),
        columns=np.transpose(steps),
        outputs=[softmax(scores[:j]) @ values[:j] for j in range(1, read + 1)],
        weights=weights,
        output=weights @ values,
    )


panel = Figure(
    __file__,
    controls={
        "read": Slider("Keys read", 5, 1, N_KEYS, 1),
        "late": Slider("Score of key 6", 8, LOWEST, HIGHEST, 1),
    },
    data=lambda: {
        "given": SCORES,
        "all": VALUES,
        "place": LATE,
        "range": (LOWEST, HIGHEST),
    },
    compute=_compute,
    still=lambda state, now: still.keys_read(_scores(state["late"]), now),
    sound={"weights": "weights", "scores": "scores"},
    title="Softmax and the weighted mean, one key after the other",
    summary=(
        "{read} of 8 keys are read: the largest score is {largest:.0f}, the last "
        "factor {factor:.4f}, the total {total:.3f}, the output {output:.2f}.",
    ),
    tables=(
        Table(
            "The keys that are read",
            "keys",
            Line("score", "scores", ".0f"),
            Line("exp(score − largest)", "powers", ".3f", source="scores"),
            Line("value", "values", "[.0f"),
        ),
        Table(
            "What is kept after each key",
            "keys",
            Line("largest", "columns.0", ".0f", source="scores"),
            Line("factor", "columns.1", ".4f", source="columns.0"),
            Line("total", "columns.2", ".3f", source="columns.1"),
            Line("output", "outputs", "[.2f", source="columns.2"),
        ),
    ),
    said=(
        "largest {largest:.0f}",
        "factor {factor:.4f}",
        "total {total:.3f}",
        "output {output:.2f}",
    ),
)
