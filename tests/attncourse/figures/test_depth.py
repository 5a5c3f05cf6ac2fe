"""The pictures of rows in many layers say what they are given."""

import numpy as np
import pytest

from attncourse.figures.depth import passed, still
from attnlib import Encoder, layer_norm


def test_recognized_says_its_beginning_and_its_end():
    share = {"without": [1, 0.2, 0.1, 0.1, 0.13], "with": [1, 1, 1, 1, 0.9]}
    says = repr(still.recognized_by_depth(share))
    assert "without, 1.0, 0.2, 0.1, 0.1 and 0.1 at the end" in says
    assert "with, 1.0, 1.0, 1.0, 1.0 and 0.9 at the end" in says
    assert "0, 1, … 4 attention steps" in says


def test_share_says_the_first_the_middle_and_the_last():
    share = {"post-norm": [0.7, 0.2, 0.06, 0.0123], "pre-norm": [0.9, 0.8, 0.7, 0.6]}
    says = repr(still.direct_share(share))
    assert "post-norm 0.70 after 1 layer, 0.20 after 2, 0.012 after 4" in says
    assert "pre-norm 0.90 after 1 layer, 0.80 after 2, 0.600 after 4" in says


@pytest.mark.slow
def test_without_the_sum_words_are_guessed_and_with_it_they_are_known():
    lost, kept = passed.recognized(False), passed.recognized(True)
    assert lost.shape == kept.shape == (13,)
    assert lost[0] == 1
    assert lost[1:].max() < 0.2
    assert kept[:8].min() == 1
    assert 0.8 < kept[12] < 1


def test_one_factor_for_each_layer_and_pre_norm_passes_on_more():
    shares = passed.direct_shares(n_layers=3)
    assert [len(each) for each in shares.values()] == [3, 3]
    assert shares["post-norm"] == sorted(shares["post-norm"], reverse=True)
    assert shares["post-norm"][-1] < shares["pre-norm"][-1] < 1


def test_the_steps_between_norms_and_sums_are_the_layer():
    rng = np.random.default_rng(1)
    layer = Encoder.random(1, passed.D_MODEL, 4, 8, rng=rng).layers
    attention, network = passed.steps(layer[0])
    rows = np.random.default_rng(2).standard_normal((3, passed.D_MODEL))
    ones = np.ones(passed.D_MODEL)
    middle = layer_norm(rows + attention(rows), ones)
    both = layer_norm(middle + network(middle), ones)
    np.testing.assert_allclose(both, layer[0](rows))
