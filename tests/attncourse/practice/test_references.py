"""References of exercises: what they give by hand, and what is drawn for them."""

import numpy as np
import pytest

import attnlib
from attncourse.practice import EXERCISES
from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.answers.learning import by_vjp


def drawn(name, seeds=1):
    """The inputs of each case that is drawn, and the right answer."""
    exercise = EXERCISES[name]
    draws = (exercise.draw(np.random.default_rng(seed)) for seed in range(seeds))
    return [(case.inputs, exercise.wanted(case)) for draw in draws for case in draw]


def test_an_encoder_layer_whose_values_are_the_rows():
    """With the uniform weights of a zero query, attnlib's own layer gives the same."""
    d, rng = 5, np.random.default_rng(0)
    zero, eye, ones = np.zeros((d, d)), np.eye(d), np.ones(d)
    attention = attnlib.MultiHeadAttention(zero, zero, eye, eye, n_heads=1)
    parts = [rng.standard_normal(s) for s in ((d, 7), 7, (7, d), d)]
    layer = attnlib.EncoderLayer(attention, *parts, ones, 0 * ones, ones, 0 * ones)
    x = rng.standard_normal((3, d))
    got = EXERCISES["encoder_layer"].reference(x, np.full((3, 3), 1 / 3), *parts)
    np.testing.assert_allclose(got, layer(x), atol=1e-12)


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


def test_a_mixture_is_never_outside_the_range():
    rng = np.random.default_rng(0)
    for inputs, _ in drawn("outside_range"):
        value = inputs["value"]
        weights = rng.dirichlet(np.ones(value.shape[-2]), (*value.shape[:-2], 5))
        assert not EXERCISES["outside_range"].reference(weights @ value, value).any()


def test_the_printed_answers_of_post_4_have_to_be_refuted_otherwise():
    """The range is a necessary test only: [5.3, 4.2] lies within both columns."""
    value, outputs = (
        np.array([[10.0, 0], [0, 10], [5, 5]]),
        np.array([[5.3, 4.2], [11, -1]]),
    )
    excess = EXERCISES["outside_range"].reference(outputs, value)
    np.testing.assert_allclose(excess, [[0, 0], [1, 1]])


def test_a_score_matrix_gives_the_scores_of_any_words(rng):
    for inputs, (matrix,) in drawn("score_matrix"):
        w_query, w_key = inputs.values()
        x = rng.standard_normal((13, len(w_query)))
        scores = (x @ w_query) @ (x @ w_key).T
        np.testing.assert_allclose(x @ matrix @ x.T, scores, rtol=1e-9, atol=1e-9)


def test_a_shift_matrix_leads_from_every_position_to_the_one_k_further():
    for inputs, (matrix,) in drawn("shift_matrix", 9):
        k, d_model = inputs.values()
        encoding = attnlib.sinusoidal_positional_encoding(120, d_model)
        p = np.arange(40, 80)
        np.testing.assert_allclose(encoding[p] @ matrix, encoding[p + k], atol=1e-9)


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


def trained_by_differences(x, w, ids, rate, steps):
    """Find the slopes by moving each weight; too rough for the tolerance, but near."""
    asked = attnlib.scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]

    def loss(w):
        return attnlib.cross_entropy(asked @ w, ids[1:]).mean()

    for _ in range(steps):
        grad = np.zeros_like(w)
        for at in np.ndindex(w.shape):
            move = np.zeros_like(w)
            move[at] = 1e-5
            grad[at] = (loss(w + move) - loss(w - move)) / 2e-5
        w = w - rate * grad
    return w


def test_the_gradient_of_a_training_loop_is_that_of_the_loss(rng):
    shapes = rng.normal(size=(5, 3)), rng.normal(size=(3, 4)), rng.integers(4, size=5)
    wanted = trained_by_differences(*shapes, 0.5, 3)
    np.testing.assert_allclose(by_vjp(*shapes, 0.5, 3), wanted, atol=1e-7)
