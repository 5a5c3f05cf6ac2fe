"""Lesson 5's live figure: drag the query; scores, weights and output move together."""

from typing import Any, NamedTuple

import traitlets

from attncourse import story
from attnlib import attention_weights, dot_product_scores

from ..kit.checks import check_between
from ..kit.panel import Panel, View, numbers, slider
from . import still

LOWEST, HIGHEST, STEP = -4.0, 8.0, 0.5
WORDS = tuple(story.sentence("hungry"))
# Where words ask from: one dot each, and one for all words that ask for nothing.
ASKING = {"hungry": (6.0, 0.0), "delicious": (0.0, 6.0), "the others": (0.0, 0.0)}


class QueryToOutputView(View, beside=__file__):
    """The keys and values of the sentence, and the two numbers of a query."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    key = traitlets.List().tag(sync=True)
    value = traitlets.List().tag(sync=True)
    asking = traitlets.Dict().tag(sync=True)
    bounds = traitlets.List().tag(sync=True)  # lowest, highest, step of the query
    alive = traitlets.Float().tag(sync=True)
    edible = traitlets.Float().tag(sync=True)


class Answer(NamedTuple):
    """What one query gets: scores and weights of the words, (5,), output, (2,)."""

    scores: Any
    weights: Any
    output: Any


def panel(query=(3.0, 0.0)):
    """Return the live figure that opens lesson 5.

    Parameters
    ----------
    query : two numbers, from -4 to 8
        What is looked for to begin with: something alive, something edible.

    Returns
    -------
    Panel
        ``compute()`` gives the `Answer`, computed by attnlib.

    Raises
    ------
    ValueError
        If there are not two numbers, or one is outside of its slider's range.
    """
    start = dict(zip(("alive", "edible"), _check(query), strict=True))
    controls = {
        name: slider(f"Query: {name}", number, LOWEST, HIGHEST, STEP)
        for name, number in start.items()
    }
    key, value = _keys_and_values()
    view = QueryToOutputView(
        names=list(WORDS),
        key=numbers(key),
        value=numbers(value),
        asking={name: list(place) for name, place in ASKING.items()},
        bounds=[LOWEST, HIGHEST, STEP],
        **start,
    )
    answer = _answer(**start)
    return Panel(
        view,
        controls,
        still=lambda: still.one_query(WORDS, tuple(start.values()), key, value, answer),
        compute=_answer,
        exact=("alive", "edible"),
    )


def _keys_and_values():
    _, key, value = story.find().project(story.embed(WORDS))
    return key, value


def _answer(alive, edible):
    key, value = _keys_and_values()
    query = [[alive, edible]]
    weights = attention_weights(query, key)[0]
    return Answer(dot_product_scores(query, key)[0], weights, weights @ value)


def _check(query):
    try:
        query = tuple(query)
    except TypeError:
        query = (query,)
    name = "query_to_output"
    if len(query) != 2:
        raise ValueError(f"{name}: query must be two numbers, got {len(query)}")
    return [check_between(name, "query", number, LOWEST, HIGHEST) for number in query]
