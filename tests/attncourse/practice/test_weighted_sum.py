"""What else holds for weighted_sum, beside its answers."""

import numpy as np

from attncourse.practice import EXERCISES

NAME = "weighted_sum"


def test_each_row_of_weights_sums_to_one():
    for case in EXERCISES[NAME].draw(np.random.default_rng(0)):
        weights = case.inputs["weights"]
        assert (weights > 0).all()
        np.testing.assert_allclose(weights.sum(axis=-1), 1.0, atol=1e-12)
