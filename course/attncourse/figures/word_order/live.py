"""Lesson 7's first figure: words dragged into another order, and their outputs."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story import in_order

from ..kit.controls import Check, Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import MUTED, VALUE, WEIGHTS, panels


def outputs(now):
    """Draw what "ate" looks at, and the output of each word below it."""
    figure, (top, foot) = panels(2, 1, size=(4.4, 3.8), sharex=True)
    places = np.arange(len(now.tokens))
    top.bar(places, now.asked, width=0.3, color=WEIGHTS)
    top.set(ylim=(0, 1), title="What “ate” looks at", xticks=places)
    top.set_xticks(places, now.tokens)
    top.tick_params(labelbottom=True, length=0)
    for column, (name, color) in enumerate((("alive", VALUE), ("edible", MUTED))):
        beside = places + 0.2 * (column - 0.5)
        foot.bar(beside, now.output[:, column], width=0.18, color=color, label=name)
    foot.set(ylim=(0, 1), title="Outputs")
    foot.legend(loc="upper right", ncols=2)
    return figure


WORDS = ("dog", "ate", "food")
ORDERS = ((0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0), (0, 2, 1), (2, 0, 1))
SENTENCES = tuple(" ".join(WORDS[i] for i in order) for order in ORDERS)


def _trace(order, add):
    words = order.split()
    if not add:
        return in_order.both_nouns().trace(story.embed(words), words)
    x = in_order.embed(words) + in_order.places(len(words))
    return in_order.who_ate().trace(x, words)


def _compute(order, add):
    """Compute what "ate" looks at, each word's output, and how far that of "ate" is.

    ``by`` is its distance from the output in "dog ate food".
    """
    trace, first = _trace(order, add), _trace(SENTENCES[0], add)
    place = order.split().index("ate")
    got = trace.output[place]
    return SimpleNamespace(
        tokens=trace.tokens,
        asked=trace.weights[place],
        output=trace.output,
        columns=trace.output.T,
        got=got,
        by=float(np.linalg.norm(got - first.output[1])),
        how="added" if add else "left out",
    )


def _stored():
    """Return weights and outputs for every order, each in the order of `WORDS`."""
    found = {"weights": [], "outputs": []}
    for add in (False, True):
        all_ = [_compute(order, add) for order in SENTENCES]
        rows = [[one.split().index(word) for word in WORDS] for one in SENTENCES]
        pairs = list(zip(all_, rows, strict=True))
        found["weights"].append([numbers(now.asked[row], 4) for now, row in pairs])
        found["outputs"].append([numbers(now.output[row], 4) for now, row in pairs])
    return found


panel = Figure(
    __file__,
    controls={
        "order": Choice("Order", SENTENCES[0], SENTENCES, place="exact"),
        "add": Check("Add the positions", False),
    },
    solved={"order": SENTENCES[1]},
    data=lambda: {
        "words": WORDS,
        "orders": ORDERS,
        "sentences": SENTENCES,
        "hands": numbers(in_order.places(len(WORDS))[:, in_order.CLOCK]),
        **_stored(),
    },
    compute=_compute,
    still=lambda _, now: outputs(now),
    sound={"weights": "asked"},
    title="Three words in any order, and their outputs",
    summary=(
        "“{order}”, positions {how}: “ate” gets {got.0:.2f} alive and {got.1:.2f} "
        "edible.",
        "Its output has changed by {by:.2f}.",
    ),
    tables=Table(
        "The words as they stand",
        "tokens",
        Line("“ate” looks at it", "asked"),
        Line("alive", "columns.0"),
        Line("edible", "columns.1"),
    ),
    said=(
        "{order}: “ate” gets {got.0:.2f} alive, {got.1:.2f} edible",
        "changed by {by:.2f}",
    ),
)
