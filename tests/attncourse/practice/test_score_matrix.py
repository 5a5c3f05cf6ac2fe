"""What else holds for score_matrix, beside its answers."""

import numpy as np

from attncourse.practice import EXERCISES

NAME = "score_matrix"


def test_reference_gives_the_scores_of_any_words():
    exercise, rng = EXERCISES[NAME], np.random.default_rng(0)
    for case in exercise.draw(rng):
        w_query, w_key = case.inputs.values()
        x = rng.standard_normal((13, len(w_query)))
        scores = (x @ w_query) @ (x @ w_key).T
        (matrix,) = exercise.wanted(case)
        np.testing.assert_allclose(x @ matrix @ x.T, scores, rtol=1e-9, atol=1e-9)
