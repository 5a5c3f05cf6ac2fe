"""Lesson 5's live figure: drag the query; scores, weights and output move together."""

import math
from types import SimpleNamespace

import numpy as np

from attncourse import story
from attnlib import attention_weights, dot_product_scores

from ..kit.controls import Slider
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import INK, MUTED, ON_WEIGHTS, QUERY, VALUE, WEIGHTS, panels


def one_query(words, query, key, value, answer):
    """Draw a query with the keys, the weights that it gives, and its output."""
    figure, (asks, shares, gets) = panels(1, 3, size=(7.2, 2.6), phone=6)
    _question(asks, query, key)
    _bars(shares, words, answer.weights)
    _hull(gets, words, value, answer.output)
    return figure


def _question(axis, query, key):
    axis.annotate("", query, (0, 0), arrowprops={"arrowstyle": "->", "color": QUERY})
    axis.plot(*np.unique(key, axis=0).T, "o", color=MUTED, ms=4)
    axis.axhline(0, color=MUTED, lw=0.5)
    axis.axvline(0, color=MUTED, lw=0.5)
    axis.set(xlim=(-4.5, 8.5), ylim=(-4.5, 8.5), aspect="equal", title="query")
    axis.set(xlabel="alive", ylabel="edible")


def _bars(axis, words, weights):
    axis.barh(words, weights, color=WEIGHTS)
    for row, weight in enumerate(weights):
        inside = weight > 0.5
        place = {"ha": "right" if inside else "left", "va": "center"}
        text = f" {weight:.3f} "
        axis.text(weight, row, text, color=ON_WEIGHTS if inside else INK, **place)
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), title="weights")


def _hull(axis, words, value, output):
    corners, first = np.unique(value, axis=0, return_index=True)
    axis.fill(*corners.T, color=VALUE, alpha=0.1, lw=0)
    for corner, row in zip(corners, first, strict=True):
        name = words[row] if corner.any() else "others"
        axis.plot(*corner, "o", color=VALUE)
        axis.annotate(
            name, corner, (3, 5), textcoords="offset points", color=VALUE, fontsize=9
        )
    axis.plot(*output, "o", color=INK, ms=7)
    axis.set(xlim=(-0.15, 1.35), ylim=(-0.15, 1.35), aspect="equal", title="output")
    axis.set(xlabel="alive", ylabel="edible")


LOWEST, HIGHEST, STEP = -4.0, 8.0, 0.5
WORDS = tuple(story.sentence("hungry"))
# Where words ask from: one dot each, and one for all words that ask for nothing.
ASKING = {"hungry": (6.0, 0.0), "delicious": (0.0, 6.0), "the others": (0.0, 0.0)}
CORNERS = {"dog": (1.0, 0.0), "food": (0.0, 1.0), "the others": (0.0, 0.0)}
_, KEY, VALUES = story.find().project(story.embed(WORDS))


def _answer(query):
    """Return what one query gets: scores and weights of the words, (5,), output, (2,).

    Also which corner of the triangle the output is nearest to, and how far from it.
    """
    weights = attention_weights([query], KEY)[0]
    scores = dot_product_scores([query], KEY)[0]
    output = weights @ VALUES
    far = {name: math.dist(output, place) for name, place in CORNERS.items()}
    near = min(far, key=lambda name: round(far[name], 9))
    return SimpleNamespace(
        scores=scores,
        scaled=scores / np.sqrt(2),
        weights=weights,
        output=output,
        near=near,
        far=far[near],
    )


panel = Figure(
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
        "value": numbers(VALUES),
        "lies": numbers(KEY.T),
        "asking": ASKING,
        "corners": CORNERS,
    },
    compute=_answer,
    still=lambda state, now: one_query(WORDS, state["query"], KEY, VALUES, now),
    sound={"weights": "weights", "scores": "scaled"},
    title="From a query to its output",
    summary=(
        "The query (alive {query.0:.1f}, edible {query.1:.1f}) gives the output "
        "({output:.3f}).",
        "It lies near {near}: {output.0:.2f} right, {output.1:.2f} up, {far:.2f} "
        "from it, inside the triangle of dog (1 right), food (1 up) and the others "
        "(0, 0).",
    ),
    tables=(
        Table(
            "What the query makes of each word",
            "names",
            Line("score", "scores", ".1f"),
            Line("÷ √2", "scaled", source="scores"),
            Line("weight", "weights", ".3f", source="scaled"),
            shown=True,
        ),
        Table(
            "Where each key and value lies",
            "names",
            Line("alive", "lies.0", ".0f"),
            Line("edible", "lies.1", ".0f"),
        ),
    ),
    said=(
        "output near {near}: {output.0:.2f} right, {output.1:.2f} up",
        *(f"{{names.{j}}} {{weights.{j}:.3f}}" for j in (0, 2, 1, 3, 4)),
    ),
)
