"""What lesson 12 says of head 3.1 comes out of the page's model too.

The effect in fresh pairs, with its interval and its count, the cuts, and the row of
"it" from the other sentence. The lesson prints two or three decimals of the float32
model; attnlib with the rounded weights must agree to four.
"""

import numpy as np
import pytest
from pair_tests import FEEDS, HEAD, LAYER, Sentence, cuts

from attncourse.real_model import load_extract, load_minilm

EXTRACT = load_extract()
PAIRS = EXTRACT["pairs"].tolist()
FRESH = EXTRACT["pair_group"] == "held_out"
OURS = FRESH & EXTRACT["pair_one_alive"]
CUTS = ("cut 2.1", "cut 2.3", "cut 2.8", "cut the three", "cut as much elsewhere")
DEPTHS = (2, 3)
TESTS, PREFERENCES = EXTRACT["tests"].tolist(), EXTRACT["preferences"].astype(float)
STORED = dict(zip(TESTS, PREFERENCES[..., 0] - PREFERENCES[..., 1], strict=True))


def find_words(got, template, a, b, adjective):
    """Give one sentence as tools/pair_tests.py has it, from the page's weights."""
    tokens = got["tokens"]
    places = [tokens.index(word) for word in ("it", a, b)]
    last = len(tokens) - 1 - tokens[::-1].index(got["first"])
    return Sentence(tokens, *places, last, None, got["weights"])


def run_pairs(page_model, model, chosen, n_layers):
    """Run both sentences of some pairs through the page's model."""
    pairs = [pair for pair, yes in zip(PAIRS, chosen, strict=True) if yes]
    texts = [(*pair[:3], word) for pair in pairs for word in pair[3:]]
    asked = [{"text": t[0].format(t[3]), "nLayers": n_layers} for t in texts]
    found = page_model(asked)
    for got, (*_, word) in zip(found, texts, strict=True):
        got["first"] = model.pieces.pieces(word)[0]
    together = zip(found, texts, strict=True)
    sentences = [find_words(got, *text) for got, text in together]
    return list(zip(sentences[::2], sentences[1::2], strict=True))


@pytest.fixture(scope="module")
def fresh(page_model, model):
    return run_pairs(page_model, model, FRESH, LAYER + 1)


def preference(one, weights):
    row = weights[LAYER, HEAD, one.it]
    return row[one.a] - row[one.b]


def effects(both):
    """Return the effect of each pair: the one preference less the other."""
    each = [[preference(one, one.weights) for one in pair] for pair in both]
    return np.array([first - second for first, second in each])


def test_every_effect_is_that_of_the_rounded_model(fresh):
    rounded = load_minilm(page_sized=True)
    expected = [[preference(o, rounded(text_of(o)).weights) for o in p] for p in fresh]
    first, second = np.transpose(expected)
    np.testing.assert_allclose(effects(fresh), first - second, rtol=0, atol=5e-5)


def test_the_effect_is_the_lessons(fresh):
    effect, stored = effects(fresh), STORED["as it is"][FRESH]
    np.testing.assert_allclose(effect, stored, rtol=0, atol=0.04)
    assert (effect > 0).sum() == (stored > 0).sum() == 21
    assert abs(effect.mean() - stored.mean()) < 0.005
    half, stored_half = (2.069 * e.std(ddof=1) / np.sqrt(24) for e in (effect, stored))
    assert abs(half - stored_half) < 0.005


def test_head_3_1_is_found_in_the_pairs_to_search(page_model, model):
    search = EXTRACT["pair_group"] == "discovery"
    towards = [
        [o.weights[:, :, o.it, o.a] - o.weights[:, :, o.it, o.b] for o in pair]
        for pair in run_pairs(page_model, model, search, 6)
    ]
    means = np.mean([first - second for first, second in towards], axis=0)
    assert np.unravel_index(means.argmax(), means.shape) == (LAYER, HEAD)
    assert abs(means.max() - STORED["as it is"][search].mean()) < 0.005


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


@pytest.fixture(scope="module")
def under(page_model, fresh):
    """By name: the effect of each of our pairs with something changed."""
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


def text_of(one):
    return " ".join(one.tokens[1:-1]).replace(" ##", "")


@pytest.mark.parametrize("name", [*CUTS, "swap it, 2", "swap it, 3"])
def test_cuts_and_swaps_are_the_lessons(under, name):
    """Within what rounding does to a mean; test_page_numbers.py is exact."""
    assert abs(under[name].mean() - STORED[name][OURS].mean()) < 0.004
