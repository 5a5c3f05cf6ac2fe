"""Lesson 17's live figure: what was meant, what shipped, and what shows it."""

import numpy as np
import pytest

from attncourse.figures.shipped import live


def differs(piece, n_queries=5, n_keys=5, size=1):
    return live.panel(piece, n_queries, n_keys, size).compute().case == "found"


@pytest.mark.parametrize("size", live.SIZES)
def test_a_square_never_shows_the_corner(size):
    assert not any(differs("causal mask", n, n, size) for n in range(1, 9))
    assert differs("causal mask", 2, 5, size)


def test_with_fewer_queries_the_last_one_sees_every_key():
    now = live.panel("causal mask", 2, 5, 0).compute()
    np.testing.assert_allclose(now.meant, [[0.25] * 4 + [0], [0.2] * 5])
    np.testing.assert_allclose(now.shipped, [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0]])


def test_with_more_queries_than_keys_the_first_see_none():
    now = live.panel("causal mask", 3, 2, 0).compute()
    np.testing.assert_allclose(now.meant, [[0, 0], [1, 0], [0.5, 0.5]])


@pytest.mark.parametrize("n", range(1, 9))
def test_the_window_shows_beyond_its_length(n):
    assert differs("window of 3", n, n, 0) == (n > live.WINDOW)


@pytest.mark.parametrize("size", live.SIZES)
def test_the_cap_leaks_only_where_scores_are_large(size):
    assert differs("cap of 50", 5, 5, size) == (size >= 100)


@pytest.mark.parametrize("size", live.SIZES)
def test_scores_of_0_and_large_ones_hide_a_scale(size):
    assert differs("scale", 5, 5, size) == (0 < size < 100)


def test_a_square_of_zeros_hides_the_axis():
    assert not differs("softmax", 5, 5, 0)
    assert differs("softmax", 5, 4, 0)
    assert differs("softmax", 5, 5, 1)


@pytest.mark.parametrize(
    "bad", [{"piece": "mask"}, {"n_queries": 0}, {"n_keys": 9}, {"size": 2}]
)
def test_what_the_controls_lack_is_refused(bad):
    with pytest.raises(ValueError, match=rf"shipped: {next(iter(bad))} must be"):
        live.panel(**bad)
