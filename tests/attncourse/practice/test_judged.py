"""Answers that a case once missed, or that a case once refused."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from attnlib import layer_norm, scaled_dot_product_attention
from attnlib import scaled_dot_product_attention as attend
from attnlib.heads import split_heads
from tests.attncourse.practice.answers.longer_texts import one_pass
from tests.attncourse.practice.judging import assert_found, assert_passes, codes


def test_a_mask_that_ignores_the_offset_is_refused():
    def answer(n_queries, n_keys, left, offset):
        place = np.arange(n_queries)[:, None] + n_keys - n_queries
        distance = place - np.arange(n_keys)
        return (distance >= 0) & (distance <= left)

    for found in codes("window_mask", answer):
        assert found


def layer(how):
    def answer(x, weights, w_1, b_1, w_2, b_2):
        middle = how(x + weights @ x)
        hidden = np.maximum(0, middle @ w_1 + b_1)
        return how(middle + hidden @ w_2 + b_2)

    return answer


def norm(eps, outside=0.0):
    def how(x):
        spread = np.sqrt(x.var(axis=-1, keepdims=True) + eps) + outside
        return (x - x.mean(axis=-1, keepdims=True)) / spread

    return how


def test_the_layer_with_the_right_epsilon_passes():
    assert_passes("encoder_layer", layer(norm(1e-5)))
    assert_passes("encoder_layer", layer(lambda x: layer_norm(x, np.ones(x.shape[-1]))))


@pytest.mark.parametrize("eps", [1e-3, 1e-4, 1e-6, 1e-8])
def test_a_layer_with_another_epsilon_is_told_so(eps):
    assert_found("encoder_layer", "other-epsilon", layer(norm(eps)))


def test_a_layer_without_epsilon_is_told_so():
    for how in (norm(0), norm(0, 1e-8)):
        assert_found("encoder_layer", "epsilon-missing", layer(how))


@pytest.mark.parametrize("eps", [1e-5, 1e-6])
def test_a_layer_with_epsilon_outside_the_root_is_told_so(eps):
    assert_found("encoder_layer", "epsilon-outside-root", layer(norm(0, eps)))


@pytest.mark.parametrize("size", [128, 240, 256])
def test_a_block_of_a_fraction_of_the_table_passes(size):
    answer = lambda *three: one_pass(*three, size=size)  # noqa: E731
    assert_passes("one_pass_attention", answer)


@pytest.mark.parametrize(
    ("name", "right"),
    [("attention", scaled_dot_product_attention), ("split_heads", split_heads)],
)
def test_an_axis_of_length_1_has_to_stay(name, right):
    assert_found(name, "wrong-shape", lambda *given: np.squeeze(right(*given)))


def test_one_number_is_not_said_to_be_off_everywhere():
    def answer(logits, targets):
        logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
        return -logs[..., targets].mean()

    for found in codes("next_token_loss", answer):
        assert "off-by-a-term" not in found


@pytest.mark.slow
def test_the_first_row_of_a_causal_mask_is_no_hint():
    def answer(query, key, value, cap):
        capped = [50 * np.tanh(one / 50) for one in (query, key)]
        scores = capped[0] @ capped[1].mT / query.shape[-1] ** 0.5
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True) @ value

    for found in codes("capped_attention", answer):
        assert "first-alone-right" not in found


def split(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)


def two_heads_attend(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    query, key, value = (split(x @ w, 2) for w in (w_query, w_key, w_value))
    shared = None if mask is None else mask[..., None, :, :]
    rows = np.swapaxes(attend(query, key, value, mask=shared), -2, -3)
    return rows.reshape(x.shape) @ w_output


@pytest.mark.parametrize(
    "name", ["split_heads", "multi_head_attention", "masked_multi_head_attention"]
)
def test_the_number_of_heads_varies(name):
    for seed in range(9):
        cases = EXERCISES[name].draw(np.random.default_rng(seed))
        assert len({case.inputs["n_heads"] for case in cases}) > 1


def first_number(name, seed, which=0):
    return EXERCISES[name].draw(np.random.default_rng(seed))[which].inputs["n_heads"]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("which", [0, -1])
def test_a_constant_number_of_heads_is_quoted(seed, which):
    constant = first_number("split_heads", seed, which)
    report = check("split_heads", lambda x, n_heads: split(x, constant), seed=seed)
    messages = {finding.code: finding.message for finding in report.findings}
    assert "sizes-swapped" not in messages
    assert f"wherever n_heads is {constant}" in messages["constant-number"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["multi_head_attention", "masked_multi_head_attention"]
)
def test_attention_by_two_heads_whatever_n_heads_is(name):
    seed = next(s for s in range(9) if first_number(name, s) == 2)
    (finding,) = check(name, two_heads_attend, seed=seed).findings
    assert finding.code == "constant-number"
    assert "`split(x @ w, 2)`" in finding.message
    assert "2 stands there whatever the inputs are" in finding.message


def test_a_missing_scale_is_not_taken_for_a_misread_root():
    def unscaled(x, w_query, w_key, w_value, w_output, n_heads):
        query, key, value = (split(x @ w, n_heads) for w in (w_query, w_key, w_value))
        rows = np.swapaxes(attend(query, key, value, scale=1.0), -2, -3)
        return rows.reshape(x.shape) @ w_output

    # With seed 5 the heads of the first case have two columns: d_k ** 1 / 2 is 1.
    report = check("multi_head_attention", unscaled, seed=5)
    assert [finding.code for finding in report.findings] == ["missing-scale"]


def test_sizes_that_agree_come_before_a_number_that_happens_to():
    def square(n_queries, n_keys, left, offset):
        i = np.arange(n_queries)
        distance = i[:, None] + offset - i
        return (distance >= 0) & (distance <= left)

    found = {finding.code for finding in check("window_mask", square, seed=0).findings}
    assert "sizes-mixed-up" in found
    assert "constant-number" not in found
