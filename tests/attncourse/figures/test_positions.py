"""Lesson 7's live figure: what it saves, says and computes."""

import json
import math

import numpy as np
import pytest

from attncourse.figures.positions import live
from attncourse.figures.positions.live import ORDERS, WORDS, random_words


@pytest.fixture(scope="module")
def panel():
    return live.panel(position=5, base=100, order="AI love I", add=True)


def encoding_by_hand(position, base):
    angles = [position / base ** (2 * i / 8) for i in range(4)]
    return np.array([f(angle) for angle in angles for f in (math.sin, math.cos)])


def test_values_follow_the_controls():
    panel = live.panel()
    first = {"position": 0, "base": 10_000, "order": "I love AI", "add": False}
    assert panel.values == first
    panel.children[0].value = 11
    panel.children[1].value = 10**8
    panel.children[2].value = "love AI I"
    panel.children[3].value = True
    changed = {"position": 11, "base": 10**8, "order": "love AI I", "add": True}
    assert panel.values == changed


def test_compute_is_attnlib_on_the_words_where_they_stand(panel):
    trace = panel.compute()
    x, layer = random_words()
    places = [encoding_by_hand(p, 100) for p in (5, 6, 7)]
    assert trace.tokens == ("AI", "love", "I")
    np.testing.assert_allclose(trace.x, x[[2, 1, 0]] + places, rtol=1e-12)
    np.testing.assert_allclose(trace.output, layer(trace.x), rtol=1e-12)


def test_order_moves_rows_only_until_encodings_are_added():
    x, layer = random_words()
    for order in ORDERS:
        words = " ".join(WORDS[i] for i in order)
        apart = live.panel(order=words).compute().output - layer(x)[list(order)]
        np.testing.assert_allclose(apart, 0, atol=1e-12)
    first = live.panel(add=True).compute().output
    other = live.panel(order="AI love I", add=True).compute().output
    assert (abs(other[::-1] - first).max(axis=1) > 0.1).all()


def test_the_page_gets_the_words_and_the_layer(panel):
    x, layer = random_words()
    view = panel.children[-1]
    np.testing.assert_allclose(view.x, x, atol=1e-6)
    for name in ("w_query", "w_key", "w_value"):
        np.testing.assert_allclose(getattr(view, name), getattr(layer, name), atol=1e-6)
    names = [" ".join(WORDS[i] for i in order) for order in view.orders]
    assert tuple(names) == panel.children[2].options
    assert tuple(view.bases) == tuple(base for _, base in panel.children[1].options)


def test_text_carries_the_numbers(panel):
    says = repr(panel)
    for number in encoding_by_hand(5, 100):
        assert f"{number:.3f}" in says
    for offset in range(4):
        dot = encoding_by_hand(5, 100) @ encoding_by_hand(5 + offset, 100)
        assert f"{dot:.3f}" in says
    first = live.panel(position=5, base=100, add=True).compute().output[::-1]
    for change in np.linalg.norm(panel.compute().output - first, axis=1):
        assert f"{change:.3f}" in says


def test_state_is_json(panel):
    state = json.dumps(panel.children[-1].get_state(), allow_nan=False)
    assert "NaN" not in state


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"position": 41}, "position must be"),
        ({"position": 0.5}, "position must be"),
        ({"base": 7}, "base must be one of 10, 100, .*got base 7"),
        ({"order": "AI love you"}, "order must be one of I love AI, "),
        ({"add": "yes"}, "add must be True or False"),
    ],
)
def test_bad_value_is_refused(bad, says):
    with pytest.raises(ValueError, match=rf"positions: .*{says}"):
        live.panel(**bad)
