"""The landing page's live figure: what it saves, says and computes."""

import json

import numpy as np
import pytest

from attncourse import examples
from attncourse.figures.follow import live
from attncourse.figures.follow.sentences import SENTENCES
from attnlib import softmax

NAMES = list(SENTENCES)


def control(panel, name):
    return panel.children[list(panel.values).index(name)]


@pytest.mark.parametrize("name", NAMES)
def test_begins_with_the_sentence_as_the_post_has_it(name):
    tokens, x, layer, _ = SENTENCES[name]
    trace = live.panel(name, word=1).compute()
    expected = layer.trace(x)
    assert trace.tokens == tokens
    for step in (
        "query",
        "key",
        "value",
        "scores",
        "scaled_scores",
        "weights",
        "output",
    ):
        np.testing.assert_allclose(getattr(trace, step), getattr(expected, step))


def test_tokens_of_the_fourth_post_keep_their_queries_keys_and_values():
    trace = live.panel("Three tokens", word=3).compute()
    for ours, given in zip(
        (trace.query, trace.key, trace.value), examples.three_tokens(), strict=True
    ):
        np.testing.assert_array_equal(ours, given)


def test_random_weights_are_the_same_at_every_import():
    layer = SENTENCES["This is book"].layer
    assert layer.w_query.shape == (5, 3)
    np.testing.assert_array_equal(layer.w_query * 10, np.round(layer.w_query * 10))
    again = np.random.default_rng(1).integers(-10, 11, (3, 5, 3)) / 10
    np.testing.assert_array_equal(layer.w_query, again[0])


def test_every_slider_has_its_part_in_the_trace():
    panel = live.panel("Three words, four numbers each", word=2)
    x, layer = examples.three_words()
    for name, value in {
        "d_k": 3,
        "temperature": 0.5,
        "w_query": 1.7,
        "w_key": -1.3,
        "step": 2,
    }.items():
        control(panel, name).value = value
    w_query, w_key = layer.w_query.copy(), layer.w_key.copy()
    w_query[1, 0], w_key[1, 1] = 1.7, -1.3
    query, key = x @ w_query[:, :3], x @ w_key[:, :3]
    weights = softmax(query @ key.T / np.sqrt(3) / 0.5)
    trace = panel.compute()
    np.testing.assert_allclose(trace.weights, weights, rtol=1e-12)
    np.testing.assert_allclose(trace.output, weights @ x @ layer.w_value, rtol=1e-12)


def test_sliders_leave_the_sentence_as_it_is():
    before = SENTENCES[NAMES[0]].layer.w_query.copy()
    panel = live.panel()
    control(panel, "w_query").value = 2.0
    panel.compute()
    np.testing.assert_array_equal(SENTENCES[NAMES[0]].layer.w_query, before)


@pytest.mark.parametrize("name", NAMES)
def test_another_sentence_brings_its_own_weights_and_ends(name):
    panel = live.panel(NAMES[0], word=5)
    control(panel, "w_query").value = -2.0
    control(panel, "sentence").value = name
    tokens, x, layer, _ = SENTENCES[name]
    n_words, n_columns = len(tokens), layer.w_key.shape[1]
    assert (control(panel, "word").max, control(panel, "d_k").max) == (
        n_words,
        n_columns,
    )
    assert panel.values["word"] <= n_words
    assert panel.values["d_k"] == n_columns
    if name != NAMES[0]:
        np.testing.assert_allclose(panel.compute().output, layer(x))


def test_ends_of_the_sliders_are_linked_in_the_page():
    panel = live.panel("This is book", word=3)
    assert (panel.children[-1].n_words, panel.children[-1].n_columns) == (3, 3)


def test_saved_state_is_plain_json():
    state = live.panel().children[-1].get_state()
    text = json.dumps(
        {k: v for k, v in state.items() if k != "layout"}, allow_nan=False
    )
    assert all(name in text for name in ("robots", "book", "word 3", "token 3"))


@pytest.mark.parametrize("name", NAMES)
def test_repr_carries_the_numbers(name):
    panel = live.panel(name, word=2)
    trace = panel.compute()
    for number in (*trace.weights[1], *trace.output[1]):
        assert f"{number + 0.0:.3f}" in repr(panel)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"sentence": "Hello"}, "sentence must be one of .*'Hello'"),
        ({"word": 6}, "word must be a number from 1 to 5, got 6"),
        ({"word": 0}, "word"),
        ({"word": 1.5}, "word must be an integer"),
        ({"temperature": 0.1}, "temperature"),
        ({"step": 8}, "step"),
    ],
)
def test_bad_input_is_refused(wrong, named):
    with pytest.raises(ValueError, match=f"^follow_one_word: {named}"):
        live.panel(**wrong)
