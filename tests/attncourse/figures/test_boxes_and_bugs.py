"""Figures of lessons 16 and 17, and of the puzzles."""

import numpy as np
import pytest

from attncourse.figures.black_box import live
from attncourse.figures.puzzles import still
from attncourse.figures.shipped import live as shipped
from attnlib import attention_weights, causal_mask
from attnlib.heads import split_heads


def output(box, values="identity", size=1.0, n_keys=5):
    return live.panel(box, values, size, n_keys).compute().output


def test_with_the_identity_a_box_shows_its_weights():
    query, key = live.QUERIES, live.KEY[:5]
    expected = attention_weights(query, key, mask=causal_mask(5))
    np.testing.assert_allclose(output("box 3"), expected)
    expected = attention_weights(query, key, scale=1)
    np.testing.assert_allclose(output("box 2"), expected)
    expected = attention_weights(key, query).T
    np.testing.assert_allclose(output("box 5"), expected)


def test_with_queries_of_0_a_box_shows_its_mask():
    seen = output("box 1", size=0) > 0
    np.testing.assert_array_equal(seen, np.tri(5, k=1) > 0)
    np.testing.assert_array_equal(output("box 2", size=0), np.full((5, 5), 0.2))


def test_with_values_of_1_a_sink_and_an_axis_show():
    sums = [output(box, "all 1")[:, 0] for box in live.NAMES]
    for i in range(3):
        np.testing.assert_allclose(sums[i], 1)
    assert (sums[3] < 1).all()
    assert sums[4].max() > 1 > sums[4].min()
    np.testing.assert_allclose(output("box 4", "all 1", size=0), 5 / 6)


def differs(piece, n_queries=5, n_keys=5, size=1):
    return shipped.panel(piece, n_queries, n_keys, size).compute().case == "found"


@pytest.mark.parametrize("size", shipped.SIZES)
def test_a_square_never_shows_the_corner(size):
    assert not any(differs("causal mask", n, n, size) for n in range(1, 9))
    assert differs("causal mask", 2, 5, size)


@pytest.mark.parametrize("n", range(1, 9))
def test_the_window_shows_beyond_its_length(n):
    assert differs("window of 3", n, n, 0) == (n > shipped.WINDOW)


@pytest.mark.parametrize("size", shipped.SIZES)
def test_the_cap_leaks_only_where_scores_are_large(size):
    assert differs("cap of 50", 5, 5, size) == (size >= 100)


@pytest.mark.parametrize("size", shipped.SIZES)
def test_scores_of_0_and_large_ones_hide_a_scale(size):
    assert differs("scale", 5, 5, size) == (0 < size < 100)


def test_a_square_of_zeros_hides_the_axis():
    assert not differs("softmax", 5, 5, 0)
    assert differs("softmax", 5, 4, 0)
    assert differs("softmax", 5, 5, 1)


def test_cut_rightly_is_what_attnlib_cuts():
    words = ["a", "b", "c"]
    owner = np.repeat(np.arange(3.0), 6).reshape(3, 6)
    alt = still.two_ways_to_cut(words, n_heads=2, width=6).alt
    for h, head in enumerate(split_heads(owner, 2), 1):
        rows = ", ".join(words[int(i)] for i in head[:, 0])
        assert f"head {h}, moved: {rows}" in alt
    assert "head 1, reshaped: a, a, b" in alt
    assert "head 2, reshaped: b, c, c." in alt
