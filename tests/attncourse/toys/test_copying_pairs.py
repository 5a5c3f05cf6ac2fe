"""Heads cut in pairs where a layer has four, and the stored results of it."""

import numpy as np
import pytest
from scipy import stats

from attncourse.toys.copying import Copier, write_texts
from attncourse.toys.copying.measures import cut
from attncourse.toys.copying.pairs import (
    found_pair,
    lost_without,
    measure_pairs,
    stored_pairs,
    without_heads,
)

pytestmark = pytest.mark.slow


def test_a_pair_is_cut_and_the_model_left_as_it_was(rng):
    model, texts = Copier(2, 12, n_heads=3, seed=3), write_texts(4, rng)[0]
    whole = model(texts)
    without = without_heads(model, (1, 2))
    np.testing.assert_array_equal(model(texts), whole)
    for layer, head in enumerate((1, 2)):
        kept, left = (m.params[f"w_output_{layer}"] for m in (model, without))
        rows = np.arange(12) // 4 == head
        assert not left[rows].any()
        np.testing.assert_array_equal(left[~rows], kept[~rows])
    assert not np.allclose(without(texts), whole)


def test_the_only_head_cut_is_the_layer_cut(rng):
    model, texts = Copier(2, 8, seed=3), write_texts(4, rng)[0]
    np.testing.assert_array_equal(
        without_heads(model, (0,))(texts), model(texts, change=cut(0))
    )


class ByPlace:
    """Two layers of three heads: each looks a fixed number of places back."""

    n_heads = 3

    def weights(self, texts):
        n = texts.shape[1]
        at = [np.maximum(np.arange(n) - back, 0) for back in (6, 1, 3, 1, 5, 6)]
        return [np.broadcast_to(np.eye(n)[one], (len(texts), n, n)) for one in at]


def test_the_pair_is_found_by_where_it_looks():
    text = np.tile(np.arange(7), 4)[None, :24]
    assert found_pair(ByPlace(), text, np.array([7])) == (1, 2)


def test_what_is_stored_comes_out_again():
    """Within 2 in 100: float32 rounds otherwise on other machines."""
    stored = stored_pairs()
    for name, share in measure_pairs(0).items():
        assert abs(share - stored[name][0]) < 0.02, name


def test_the_pair_costs_more_than_others_as_lesson_11_says():
    whole, found, others = stored_pairs().values()
    assert len(whole) == 12
    assert found.max() < whole.min() < 0.9
    assert (found < others).sum() == 12
    for name, right in {"found": found, "others": others}.items():
        lost = 100 * (whole - right)
        low, high = stats.t.interval(0.95, 11, lost.mean(), stats.sem(lost))
        mean, half = lost_without(name)
        assert (mean - half, mean + half) == pytest.approx((low, high), abs=0.002)
