"""Lesson 17's live figure: what was meant and what shipped, here and in the page."""

import itertools

import numpy as np
import pytest

from attncourse.figures.shipped import live
from tests.attncourse.figures.test_javascript import run

SAME = 0.005


def differs(piece, n_queries=5, n_keys=5, size=1):
    return live.panel(piece, n_queries, n_keys, size).compute().most > SAME


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


ASKED = list(itertools.product(range(5), (1, 2, 5, 8), (1, 3, 5, 8), (0, 1, 30, 300)))


def test_the_page_computes_the_same():
    table, constants = live.TABLE.tolist(), live.panel().view.constants
    calls = [
        ["shipped/live", "bothWays", piece, table, shape, constants]
        for piece, *shape in ASKED
    ]
    for got, (piece, *shape) in zip(run(calls), ASKED, strict=True):
        now = live.panel(live.PIECES[piece], *shape).compute()
        np.testing.assert_allclose(got, [now.meant, now.shipped], rtol=0, atol=1e-12)
        if now.most > 0:
            (most,) = run([["shipped/live", "largestDifference", *got]])
            assert most == pytest.approx(now.most)
            break


def test_values_follow_the_controls():
    panel = live.panel()
    assert panel.values == {
        "piece": "causal mask",
        "n_queries": 5,
        "n_keys": 5,
        "size": 1,
    }
    panel.controls["piece"].value = "softmax"
    panel.controls["n_keys"].value = 4
    assert panel.compute().meant.shape == (5, 4)


def test_repr_says_both_tables():
    said = repr(live.panel("causal mask", 1, 2, 0))
    assert "1 queries by 2 keys" in said
    assert "As meant: 0.50, 0.50. As shipped: 1.00, 0.00." in said
    assert "differ by at most 0.50" in said


@pytest.mark.parametrize(
    "bad", [{"piece": "mask"}, {"n_queries": 0}, {"n_keys": 9}, {"size": 2}]
)
def test_what_the_controls_lack_is_refused(bad):
    with pytest.raises(ValueError, match=rf"shipped: {next(iter(bad))} must be"):
        live.panel(**bad)
