"""References of exercises: what they give by hand, and what is drawn for them."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES
from attncourse.practice.exercises.head_effect import head_effect


def drawn(name, seeds=1):
    """The inputs of each case that is drawn, and the right answer."""
    exercise = EXERCISES[name]
    draws = (exercise.draw(np.random.default_rng(seed)) for seed in range(seeds))
    return [(case.inputs, exercise.wanted(case)) for draw in draws for case in draw]


def test_the_effect_of_a_head_by_hand():
    """Head 0 moves 0.5 of its weight from a to b; head 1 does not care."""
    first, second = np.full((2, 3, 3), 0.25), np.full((2, 3, 3), 0.25)
    first[0, 0], second[0, 0] = [0, 0.75, 0.25], [0, 0.25, 0.75]
    weights = np.stack([first, second])
    np.testing.assert_allclose(head_effect(weights, 0, 1, 2), [1, 0])


def test_every_sentence_to_look_up_repeats_a_token_and_has_the_first_id():
    for inputs, _ in drawn("look_up", 9):
        ids, table = inputs.values()
        assert 0 <= ids.min() == 0 <= ids.max() < len(table)
        assert len(np.unique(ids)) < ids.size


def test_the_printed_answers_of_post_4_have_to_be_refuted_otherwise():
    """The range is a necessary test only: [5.3, 4.2] lies within both columns."""
    value, outputs = (
        np.array([[10.0, 0], [0, 10], [5, 5]]),
        np.array([[5.3, 4.2], [11, -1]]),
    )
    excess = EXERCISES["outside_range"].reference(outputs, value)
    np.testing.assert_allclose(excess, [[0, 0], [1, 1]])


@pytest.mark.parametrize("seed", range(9))
def test_shifts_are_ahead_back_and_none(seed):
    cases = EXERCISES["shift_matrix"].draw(np.random.default_rng(seed))
    ks = [case.inputs["k"] for case in cases]
    assert min(ks) < 0 < max(ks)
    assert 0 in ks


def test_each_row_of_given_weights_sums_to_one():
    for inputs, _ in drawn("weighted_sum"):
        assert (inputs["weights"] > 0).all()
        np.testing.assert_allclose(inputs["weights"].sum(axis=-1), 1.0, atol=1e-12)


def test_rows_of_large_scores_lie_so_far_apart_that_one_maximum_does_not_do():
    for seed in range(20):
        cases = EXERCISES["attention"].draw(np.random.default_rng(seed))
        large = next(case for case in cases if case.is_large)
        query, key, _ = large.inputs.values()
        rows = (query @ key.mT / query.shape[-1] ** 0.5).max(axis=-1)
        with np.errstate(under="ignore"):
            assert np.exp(rows.min() - rows.max()) == 0
