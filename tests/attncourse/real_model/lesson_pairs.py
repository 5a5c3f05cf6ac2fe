"""Lesson 12's pairs, cuts and exchanged rows, computed by the page's model."""

import numpy as np
from pair_tests import FEEDS, HEAD, LAYER, Sentence, cuts

from attncourse.real_model import load_extract

EXTRACT = load_extract()
PAIRS = EXTRACT["pairs"].tolist()
FRESH = EXTRACT["pair_group"] == "held_out"
OURS = FRESH & EXTRACT["pair_one_alive"]
CUTS = ("cut 2.1", "cut 2.3", "cut 2.8", "cut the three", "cut as much elsewhere")
DEPTHS = (2, 3)
TESTS, PREFERENCES = EXTRACT["tests"].tolist(), EXTRACT["preferences"].astype(float)
STORED = dict(zip(TESTS, PREFERENCES[..., 0] - PREFERENCES[..., 1], strict=True))


def find_words(got, first, template, a, b, adjective):
    """Give one sentence as tools/pair_tests.py has it, from the page's weights.

    ``first`` is the adjective's first token.
    """
    tokens = got["tokens"]
    places = [tokens.index(word) for word in ("it", a, b)]
    last = len(tokens) - 1 - tokens[::-1].index(first)
    return Sentence(tokens, *places, last, None, got["weights"])


def both_texts(chosen):
    """List both sentences of some pairs, each with template, nouns and last word."""
    pairs = [pair for pair, yes in zip(PAIRS, chosen, strict=True) if yes]
    asked = [(*pair[:3], word) for pair in pairs for word in pair[3:]]
    return [(one[0].format(one[3]), one) for one in asked]


def read_pairs(found, model, chosen):
    """Give both sentences of some pairs; ``found`` has what the page makes of texts."""
    sentences = [
        find_words(found[text], model.pieces.pieces(one[3])[0], *one)
        for text, one in both_texts(chosen)
    ]
    return list(zip(sentences[::2], sentences[1::2], strict=True))


def preference(one, weights):
    row = weights[LAYER, HEAD, one.it]
    return row[one.a] - row[one.b]


def effects(both):
    """Return the effect of each pair: the one preference less the other."""
    each = [[preference(one, one.weights) for one in pair] for pair in both]
    return np.array([first - second for first, second in each])


def changes(one, other):
    """Yield what the lesson does to a sentence: names, and jobs for the model."""
    for name in CUTS:
        cut = [
            {"layer": FEEDS, "head": int(h), "query": int(q), "key": int(k)}
            for h, q, k in cuts(one)[name]
        ]
        yield name, {"text": text_of(one), "cut": cut}
    for depth in DEPTHS:
        patch = {"text": text_of(other), "from": other.it, "to": one.it}
        job = {"text": text_of(one), "patch": {**patch, "layer": depth}}
        yield f"swap it, {depth}", job


def text_of(one):
    return " ".join(one.tokens[1:-1]).replace(" ##", "")


def run_changed(page_model, fresh):
    """Give by name the effect of each of our pairs with something changed."""
    ours = [pair for pair, yes in zip(fresh, OURS[FRESH], strict=True) if yes]
    asked = [
        (name, place, one, job)
        for pair in ours
        for place, (one, other) in enumerate((pair, pair[::-1]))
        for name, job in changes(one, other)
    ]
    found = page_model([{**job, "nLayers": LAYER + 1} for *_, job in asked])
    values = {name: ([], []) for name, *_ in asked}
    for (name, place, one, _), got in zip(asked, found, strict=True):
        values[name][place].append(preference(one, got["weights"]))
    return {name: np.subtract(*both) for name, both in values.items()}
