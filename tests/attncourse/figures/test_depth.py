"""The pictures of rows in many layers say what they are given."""

import numpy as np

from attncourse.figures.depth import passed, still
from attnlib import Encoder, layer_norm


def test_own_share_says_its_beginning_and_its_end():
    share = {"without": [1, 0.2, 0.1, 0.1, 0.13], "with": [1, 1, 1, 1, 0.9]}
    says = repr(still.own_share_by_depth(share))
    assert "without, 1.00, 0.20, 0.10, 0.10 and 0.13 at the end" in says
    assert "with, 1.00, 1.00, 1.00, 1.00 and 0.90 at the end" in says
    assert "0, 1, … 4 attention steps" in says


def test_share_says_the_first_the_middle_and_the_last():
    share = {"post-norm": [0.7, 0.2, 0.06, 0.0123], "pre-norm": [0.9, 0.8, 0.7, 0.6]}
    says = repr(still.direct_share(share))
    assert "post-norm 0.70 after 1 layer, 0.20 after 2, 0.012 after 4" in says
    assert "pre-norm 0.90 after 1 layer, 0.80 after 2, 0.600 after 4" in says


def test_mixing_makes_rows_alike_and_the_sum_slows_it_down():
    lost, kept = passed.own_share(False), passed.own_share(True)
    assert lost.shape == kept.shape == (13,)
    assert lost[0] == kept[0]
    assert lost[2] < 0.01
    assert 0.4 < kept[4] < 0.6
    assert (np.diff(kept) < 0).all()


def test_random_matrices_alone_leave_a_row_its_own():
    """What the picture shows is mixing: with nobody to mix with, nothing is lost."""
    np.testing.assert_allclose(passed.own_share(False, together=False), 0.9, atol=0.02)


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
