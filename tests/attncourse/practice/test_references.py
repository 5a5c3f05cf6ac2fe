"""References of exercises: what they give by hand, and what is drawn for them."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import attnlib
from attncourse.practice import EXERCISES, check
from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.answers import ANSWERS
from tests.attncourse.practice.answers.learning import by_vjp
from tests.attncourse.practice.answers.longer_texts import root
from tests.attncourse.practice.answers.masks import one_pass, scaled
from tests.attncourse.practice.judging import assert_found, assert_passes, codes


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


NAME = "masked_attention"


def test_in_one_pass():
    assert_passes(NAME, one_pass)
    for found in codes(NAME, lambda *four: one_pass(*four, safe=False)):
        assert found == {"first-keys-hidden"}


def no_largest(query, key, value, mask):
    """Right on ordinary numbers; on large ones, rows are lost or come out as zeros."""
    powers = np.exp(np.where(mask, scaled(query, key), -np.inf))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ value


def test_the_largest_forgotten_is_all_that_is_said():
    assert codes(NAME, no_largest) == [{"overflow"}, {"overflow"}]


ONE_PASS_NAME = "one_pass_attention"


def two_passes(query, key, value):
    """Blocks of scores, all kept until the maximum is known."""
    starts = range(0, key.shape[-2], 8)
    parts = [query @ key[..., i : i + 8, :].mT / root(query) for i in starts]
    largest = np.max([part.max(-1) for part in parts], axis=0)[..., None]
    powers = [np.exp(part - largest) for part in parts]
    total = sum(part.sum(-1, keepdims=True) for part in powers)
    blocks = zip(starts, powers, strict=True)
    return sum(part @ value[..., i : i + 8, :] for i, part in blocks) / total


def in_place(query, key, value):
    """One table of scores, and no other array of its size."""
    scores = query @ key.mT
    scores /= root(query)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ value / scores.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("answer", [two_passes, in_place])
def test_all_scores_at_once_are_noticed(answer):
    for seed in (0, 1):
        (finding,) = check(ONE_PASS_NAME, answer, seed=seed).findings
        assert finding.code == "all-scores-held"
        assert "a table of all 32 × 2048 scores takes 524 kB" in finding.message


def test_the_same_numbers_pass_where_nothing_is_measured():
    assert check("attention", in_place, seed=0).passed


def test_rows_of_large_scores_lie_so_far_apart_that_one_maximum_does_not_do():
    for seed in range(20):
        cases = EXERCISES["attention"].draw(np.random.default_rng(seed))
        large = next(case for case in cases if case.is_large)
        query, key, _ = large.inputs.values()
        rows = (query @ key.mT / root(query)).max(axis=-1)
        with np.errstate(under="ignore"):
            assert np.exp(rows.min() - rows.max()) == 0


WALK_THROUGH_NAME = "row_lengths"
TEXT = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_an_exercise_from_start_to_end(tmp_path, monkeypatch):
    section = TEXT.partition("\n## Add an exercise\n")[2].partition("\n## ")[0]
    module, answers = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)
    (tmp_path / f"{WALK_THROUGH_NAME}.py").write_text(module, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(
        WALK_THROUGH_NAME, tmp_path / f"{WALK_THROUGH_NAME}.py"
    )
    spec.loader.exec_module(made := importlib.util.module_from_spec(spec))
    (exercise,) = made.EXERCISES
    monkeypatch.setitem(EXERCISES, WALK_THROUGH_NAME, exercise)
    monkeypatch.setitem(ANSWERS, WALK_THROUGH_NAME, [])
    exec(answers, {"__name__": WALK_THROUGH_NAME})
    for named, answer in ANSWERS[WALK_THROUGH_NAME]:
        if named:
            assert_found(WALK_THROUGH_NAME, named, answer)
        else:
            assert_passes(WALK_THROUGH_NAME, answer)
    named = {code for codes, _ in ANSWERS[WALK_THROUGH_NAME] for code in codes}
    assert named == {one.code for one in exercise.mistakes}
    for case in exercise.draw(np.random.default_rng(0)):
        for one in exercise.mistakes:
            assert exercise.mistaken(case, one.steps)
    lines = sum(text.count("\n") for text in (module, answers))
    assert lines <= 200
