"""What else holds for outside_range, beside its answers."""

import numpy as np

from attncourse.practice import EXERCISES

NAME = "outside_range"


def test_a_mixture_is_never_outside():
    rng = np.random.default_rng(0)
    for case in EXERCISES[NAME].draw(rng):
        value = case.inputs["value"]
        weights = rng.dirichlet(np.ones(value.shape[-2]), (*value.shape[:-2], 5))
        assert not EXERCISES[NAME].reference(weights @ value, value).any()


def test_the_printed_answers_of_post_4_have_to_be_refuted_otherwise():
    """The range is a necessary test only: [5.3, 4.2] lies within both columns."""
    value = np.array([[10.0, 0], [0, 10], [5, 5]])
    excess = EXERCISES[NAME].reference(np.array([[5.3, 4.2], [11, -1]]), value)
    np.testing.assert_allclose(excess, [[0, 0], [1, 1]])
