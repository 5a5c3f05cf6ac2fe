"""What else holds for shift_matrix, beside its answers."""

import numpy as np

from attncourse.practice import EXERCISES
from attnlib import sinusoidal_positional_encoding

NAME = "shift_matrix"


def test_reference_leads_from_every_position_to_the_one_k_further():
    exercise = EXERCISES[NAME]
    for seed in range(9):
        for case in exercise.draw(np.random.default_rng(seed)):
            k, d_model = case.inputs.values()
            encoding = sinusoidal_positional_encoding(120, d_model)
            p = np.arange(40, 80)
            (matrix,) = exercise.wanted(case)
            np.testing.assert_allclose(encoding[p] @ matrix, encoding[p + k], atol=1e-9)


def test_steps_ahead_back_and_none():
    for seed in range(9):
        ks = [c.inputs["k"] for c in EXERCISES[NAME].draw(np.random.default_rng(seed))]
        assert min(ks) < 0 < max(ks)
        assert 0 in ks
