"""Numbers written into an answer: the cases differ in them, so none fits by chance."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from attnlib import scaled_dot_product_attention as attend


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
