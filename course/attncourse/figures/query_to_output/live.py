"""Lesson 5's live figure: drag the query; scores, weights and output move together."""

import math
from typing import Any, NamedTuple

import numpy as np

from attncourse import story
from attnlib import attention_weights, dot_product_scores

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Description, Line, Table
from ..kit.panel import numbers
from . import still

LOWEST, HIGHEST, STEP = -4.0, 8.0, 0.5
WORDS = tuple(story.sentence("hungry"))
# Where words ask from: one dot each, and one for all words that ask for nothing.
ASKING = {"hungry": (6.0, 0.0), "delicious": (0.0, 6.0), "the others": (0.0, 0.0)}
CORNERS = {"dog": (1.0, 0.0), "food": (0.0, 1.0), "the others": (0.0, 0.0)}
_, KEY, VALUE = story.find().project(story.embed(WORDS))


class Answer(NamedTuple):
    """What one query gets: scores and weights of the words, (5,), output, (2,).

    Also which corner of the triangle the output is nearest to, and how far from it.
    """

    scores: Any
    scaled: Any
    weights: Any
    output: Any
    near: str
    far: float


def _answer(query):
    weights = attention_weights([query], KEY)[0]
    scores = dot_product_scores([query], KEY)[0]
    output = weights @ VALUE
    far = {name: math.dist(output, place) for name, place in CORNERS.items()}
    near = min(far, key=lambda name: round(far[name], 9))
    return Answer(scores, scores / np.sqrt(2), weights, output, near, far[near])


panel = Figure(
    "query_to_output",
    __file__,
    controls={
        "query": Slider(
            "Query",
            (3.0, 0.0),
            LOWEST,
            HIGHEST,
            STEP,
            place="exact",
            each={name: f"Query: {name}" for name in ("alive", "edible")},
        ),
    },
    data=lambda: {
        "names": WORDS,
        "key": numbers(KEY),
        "value": numbers(VALUE),
        "lies": numbers(KEY.T),
        "asking": ASKING,
        "corners": CORNERS,
    },
    compute=_answer,
    still=lambda state, now: still.one_query(WORDS, state["query"], KEY, VALUE, now),
    sound={"weights": "weights", "scores": "scaled"},
    describe=Description(
        "From a query to its output",
        (
            "The query (alive {query.0:.1f}, edible {query.1:.1f}) gives the output "
            "({output:.3f}).",
            "It lies near {near}: {output.0:.2f} right, {output.1:.2f} up, {far:.2f} "
            "from it, inside the triangle of dog (1 right), food (1 up) and the others "
            "(0, 0).",
        ),
        (
            Table(
                "What the query makes of each word",
                "names",
                (
                    Line("score", "scores", ".1f"),
                    Line("÷ √2", "scaled", source="scores"),
                    Line("weight", "weights", ".3f", source="scaled"),
                ),
                upright=True,
                shown=True,
            ),
            Table(
                "Where each key and value lies",
                "names",
                (Line("alive", "lies.0", ".0f"), Line("edible", "lies.1", ".0f")),
                upright=True,
            ),
        ),
        said=(
            "output near {near}: {output.0:.2f} right, {output.1:.2f} up",
            *(f"{{names.{j}}} {{weights.{j}:.3f}}" for j in (0, 2, 1, 3, 4)),
        ),
    ),
)
