"""Lesson 7's first figure: words dragged into another order, and what "ate" gets."""

from types import SimpleNamespace

import numpy as np

from attncourse import story
from attncourse.story import in_order

from ..kit.controls import Check, Choice
from ..kit.declared import Figure
from ..kit.described import Line, Table
from ..kit.panel import numbers
from ..kit.picture import MUTED, VALUE, WEIGHTS, panels


def drawn(now):
    """Draw what "ate" looks at, and its output."""
    figure, (top, foot) = panels(2, 1, size=(4.4, 3.2), height_ratios=[2, 1])
    top.bar(now.tokens, now.asked, width=0.3, color=WEIGHTS)
    top.set(ylim=(0, 1), title="What “ate” looks at")
    top.tick_params(axis="x", length=0)
    foot.barh(["alive", "edible"], now.got, 0.5, color=[VALUE, MUTED])
    foot.invert_yaxis()
    foot.set(xlim=(0, 1), title="Its output")
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
    """Compute what "ate" looks at, and each word's output.

    ``by`` is how far that of "ate" is from its output in "dog ate food"; ``case`` says
    whether there is anything to compare, and whether it is the same.
    """
    trace, first = _trace(order, add), _trace(SENTENCES[0], add)
    place = order.split().index("ate")
    got, at_first = trace.output[place], first.output[1]
    by = float(np.linalg.norm(got - at_first))
    return SimpleNamespace(
        tokens=trace.tokens,
        asked=trace.weights[place],
        output=trace.output,
        got=got,
        at_first=at_first,
        by=by,
        case="first" if order == SENTENCES[0] else "same" if by < 0.005 else "other",
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


GETS = (
    "“{order}”, positions {how}: “ate” gets {got.0:.2f} alive and {got.1:.2f} edible."
)
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
    still=lambda _, now: drawn(now),
    sound={"weights": "asked"},
    title="Three words in any order, and what “ate” gets",
    summary={
        "first": GETS,
        "same": (GETS, "In “dog ate food”, it gets the same."),
        "other": (
            GETS,
            "In “dog ate food”, it gets {at_first.0:.2f} and {at_first.1:.2f}.",
        ),
    },
    tables=Table(
        "The words as they stand",
        "tokens",
        Line("“ate” looks at it", "asked"),
    ),
    said="{order}: “ate” gets {got.0:.2f} alive, {got.1:.2f} edible",
)
