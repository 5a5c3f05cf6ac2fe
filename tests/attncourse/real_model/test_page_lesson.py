"""What lesson 12 says of head 3.1 comes out of the page's model too.

The effect in fresh pairs, with its interval and its count, the cuts, and the row of
"it" from the other sentence. The lesson prints two or three decimals of the float32
model; attnlib with the rounded weights must agree to four.
"""

import numpy as np
import pytest
from lesson_pairs import (
    CUTS,
    EXTRACT,
    FRESH,
    OURS,
    STORED,
    effects,
    preference,
    run_changed,
    run_pairs,
    text_of,
)
from pair_tests import HEAD, LAYER

from attncourse.real_model import load_minilm


@pytest.fixture(scope="module")
def fresh(page_model, model):
    return run_pairs(page_model, model, FRESH, LAYER + 1)


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


@pytest.fixture(scope="module")
def under(page_model, fresh):
    return run_changed(page_model, fresh)


@pytest.mark.parametrize("name", [*CUTS, "swap it, 2", "swap it, 3"])
def test_cuts_and_swaps_are_the_lessons(under, name):
    """Within what rounding does to a mean; test_page_numbers.py is exact."""
    assert abs(under[name].mean() - STORED[name][OURS].mean()) < 0.004
