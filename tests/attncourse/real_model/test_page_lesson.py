"""What lesson 12 says of head 3.1 comes out of the page's model too.

The effect in fresh pairs, with its interval and its count, the cuts, and the row of
"it" from the other sentence. The lesson prints two or three decimals.
"""

import numpy as np
import pytest
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


def find_words(got, template, a, b, adjective):
    """Give one sentence as tools/pair_tests.py has it, from the page's weights."""
    tokens = got["tokens"]
    places = [tokens.index(word) for word in ("it", a, b)]
    last = len(tokens) - 1 - tokens[::-1].index(got["first"])
    return Sentence(tokens, *places, last, None, got["weights"])


@pytest.fixture(scope="module")
def both(page_model, model):
    """Each pair's two sentences, run by the page's model."""
    texts = [(*pair[:3], word) for pair in PAIRS for word in pair[3:]]
    found = page_model([{"text": t.format(word)} for t, _, _, word in texts])
    for got, (_, _, _, word) in zip(found, texts, strict=True):
        got["first"] = model.pieces.pieces(word)[0]
    pairs = zip(found, texts, strict=True)
    all_sentences = [find_words(got, *text) for got, text in pairs]
    return list(zip(all_sentences[::2], all_sentences[1::2], strict=True))


def preference(one, weights):
    row = weights[LAYER, HEAD, one.it]
    return row[one.a] - row[one.b]


def effects(both):
    """Return the effect of each pair: the one preference less the other."""
    each = [[preference(one, one.weights) for one in pair] for pair in both]
    return np.array([first - second for first, second in each])


def test_the_effect_is_the_lessons(both):
    effect = effects(both)
    np.testing.assert_allclose(effect, STORED["as it is"], rtol=0, atol=0.04)
    fresh, stored = effect[FRESH], STORED["as it is"][FRESH]
    assert (fresh > 0).sum() == (stored > 0).sum() == 21
    assert abs(fresh.mean() - stored.mean()) < 0.005
    half = 2.069 * fresh.std(ddof=1) / np.sqrt(len(fresh))
    stored_half = 2.069 * stored.std(ddof=1) / np.sqrt(len(stored))
    assert abs(half - stored_half) < 0.005


def test_head_3_1_is_found_in_the_pairs_to_search(both):
    search = EXTRACT["pair_group"] == "discovery"
    chosen = [pair for pair, yes in zip(both, search, strict=True) if yes]
    towards = [
        [o.weights[:, :, o.it, o.a] - o.weights[:, :, o.it, o.b] for o in pair]
        for pair in chosen
    ]
    means = np.mean([first - second for first, second in towards], axis=0)
    assert np.unravel_index(means.argmax(), means.shape) == (LAYER, HEAD)
    assert abs(means.max() - STORED["as it is"][search].mean()) < 0.005


@pytest.fixture(scope="module")
def under(page_model, both):
    """By name: the effect of each of our pairs with something changed."""
    ours = [pair for pair, yes in zip(both, OURS, strict=True) if yes]
    asked = []
    for one, other in (p for a, b in ours for p in ((a, b), (b, a))):
        text = text_of(one)
        for name in CUTS:
            places = [
                dict(zip(("head", "query", "key"), map(int, c), strict=True))
                for c in cuts(one)[name]
            ]
            asked.append({"text": text, "cut": [{"layer": FEEDS, **p} for p in places]})
        for depth in DEPTHS:
            patch = {"text": text_of(other), "from": other.it, "to": one.it}
            asked.append({"text": text, "patch": {**patch, "layer": depth}})
    found = page_model([{**job, "nLayers": LAYER + 1} for job in asked])
    names = [*CUTS, *(f"swap it, {depth}" for depth in DEPTHS)]
    sentences = [one for pair in ours for one in pair]
    values = [
        preference(sentences[i // len(names)], got["weights"])
        for i, got in enumerate(found)
    ]
    table = np.reshape(values, (len(ours), 2, len(names)))
    return dict(zip(names, (table[:, 0] - table[:, 1]).T, strict=True))


def text_of(one):
    return " ".join(one.tokens[1:-1]).replace(" ##", "")


@pytest.mark.parametrize("name", [*CUTS, "swap it, 2", "swap it, 3"])
def test_cuts_and_swaps_are_the_lessons(under, name):
    assert abs(under[name].mean() - STORED[name][OURS].mean()) < 0.004
