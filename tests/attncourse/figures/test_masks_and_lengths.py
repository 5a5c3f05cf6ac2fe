"""Figures of lessons 9 and 13, and of the cards: masks, long texts, caches."""

import numpy as np
import pytest

from attncourse import story
from attncourse.figures.cache_size import live as cache_size
from attncourse.figures.many_readers import live as many_readers
from attncourse.figures.masks import live
from attncourse.figures.sinks import live as sinks
from attncourse.figures.sinks.live import BESIDE, LETTERS, MODELS
from attncourse.figures.sinks.live import N_KEYS as SINKS_N_KEYS
from attncourse.toys.echoes import measures as echo_measures
from attnlib import KVCache, causal_mask

OLD = story.sentence("hungry")
WEIGHT = {"rtol": 0, "atol": 1e-12}


def test_without_a_mask_it_knows_how_the_sentence_ends():
    """As in lesson 8's figure: after layer 2, only "it" and the last word differ."""
    now = live.panel().compute()
    assert now.changed.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(now.before[3], [1, 0], **WEIGHT)
    np.testing.assert_allclose(now.after[3], [0, 1], **WEIGHT)


@pytest.mark.parametrize("place", range(1, 6))
def test_under_the_causal_mask_nothing_earlier_changes(place):
    now = live.panel(ahead=0, place=place, word="it").compute()
    np.testing.assert_array_equal(now.before[: place - 1], now.after[: place - 1])
    assert not now.changed[: place - 1].any()


def test_clicked_cells_are_flipped():
    panel = live.panel(ahead=0)
    panel.view.flipped = [4, 5]  # "dog" sees "hungry"; "ate" no longer sees "dog"
    mask = causal_mask(5)
    mask[0, 4], mask[1, 0] = True, False
    now = panel.compute()
    np.testing.assert_array_equal(now.allowed, mask)
    assert not now.changed[:4].any()  # "dog" asks for nothing, and keeps its row
    panel = live.panel(ahead=0, flipped=[19])  # "it" sees "hungry"
    assert panel.compute().changed.tolist() == [False, False, False, True, True]


def test_a_click_goes_on_to_the_next_word(figure_javascript):
    at = {"place": 5, "word": live.WORDS[5]}
    given = [live.WORDS, OLD, at]
    calls = [["masks/live", "next", *given, chosen] for chosen in (5, 3, 1)]
    assert figure_javascript(calls) == [live.WORDS[k] for k in (0, 3, 1)]


def test_the_text_begins_with_the_start_and_ends_with_a_letter():
    assert len(LETTERS) == SINKS_N_KEYS == 23
    assert LETTERS[0] == "^"
    assert LETTERS[-1].isalpha()
    assert "^" not in LETTERS[1:]


@pytest.mark.parametrize("beside", BESIDE)
def test_at_the_width_of_the_page_the_rise_is_that_of_its_table(beside):
    for name, order in MODELS.items():
        losses = [one["loss"] for one in echo_measures.load()[order]]
        rises = [one[BESIDE[beside]] - one["everything"] for one in losses]
        found = sinks.panel(echo_measures.WINDOW, beside, name).compute().rise
        assert found == pytest.approx(np.mean(rises), abs=1e-4)


def three_tokens(n_heads, width):
    """The bytes of a real cache of one layer in float16, of three tokens."""
    cache, row = KVCache(), np.zeros((n_heads, 3, width), np.float16)
    cache.append(row, row)
    return cache.n_bytes


def test_tokens_cost_what_a_real_cache_says():
    size = cache_size.panel(tokens=1024, heads=8).compute()
    expected = three_tokens(8, cache_size.HEAD_DIM) * cache_size.LAYERS
    assert size.per_token * 3 == expected
    step = many_readers.panel(texts=2, tokens=256).compute()
    one = three_tokens(many_readers.KV_HEADS, many_readers.HEAD_DIM)
    assert step.caches / 2 / 256 * 3 == one * many_readers.LAYERS


def test_weights_are_those_of_the_matrices():
    d, width, columns, n_words = 4096, 14_336, 1024, 128_256
    layer = 2 * d * d + 2 * d * columns + 3 * d * width
    assert many_readers.LAYERS * layer + d * n_words == many_readers.N_WEIGHTS
    step = many_readers.panel(texts=4, tokens=1024, bits=4).compute()
    assert step.weights == 2 * many_readers.N_WEIGHTS
    # A product for each score, and one for each mix.
    pairs = 2 * 1024 * d * many_readers.LAYERS
    assert step.multiplications == 4 * (many_readers.N_WEIGHTS + pairs)
