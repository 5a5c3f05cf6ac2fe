"""Verdicts that take more than an answer and its codes; the rest is in `answers`."""

import warnings

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from attnlib import scaled_dot_product_attention as attend
from named_mistakes.answer import Answer
from named_mistakes.axes import suspect
from tests.attncourse.practice.answers.generating import searched
from tests.attncourse.practice.answers.layers import built
from tests.attncourse.practice.answers.sums_of_values import by_loops
from tests.attncourse.practice.judging import SEEDS, split

pytestmark = [pytest.mark.slow, pytest.mark.long]


def found(name, answer, seed=0):
    """The messages of what is found, by code."""
    report = check(name, answer, seed=seed)
    return {finding.code: finding.message for finding in report.findings}


def test_the_masks_that_were_tried_are_listed():
    tried = check("masked_multi_head_attention", built(), seed=0).tried
    for label in ("a causal mask", "padding in a batch", "a query that sees nothing"):
        assert label in tried


def test_dice_of_ones_own_do_not_pass():
    dice = np.random.default_rng(3)

    def answer(logits, temperature, numbers):
        return searched(logits, temperature, dice.random(numbers.shape))

    name = "sample_with_temperature"
    assert not any(check(name, answer, seed=seed).passed for seed in SEEDS)


def test_a_copy_of_an_answer_warns_of_nothing():
    def answer(query, key, value):  # one copy takes `[query, query][..., 0, :, :]`
        query = np.stack([query, query], -3)[..., 0, :, :]
        return attend(query**3 - 0.3, key, value)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert not check("attention", answer, seed=0).passed
    assert [one.category for one in warned] == []


def test_the_line_that_stopped_is_suspected_and_none_after_it():
    def answer(x, w):
        n, d = x.shape
        return np.array([[np.dot(x[i], w[:, j]) for j in range(d)] for i in range(n)])

    line = answer.__code__.co_firstlineno + 1
    assert "`n, d = x.shape`" in suspect(Answer(answer), line=line)
    assert "np.dot" in suspect(Answer(answer))


MULTI_HEAD = ["multi_head_attention", "masked_multi_head_attention"]


@pytest.mark.parametrize("name", ["split_heads", *MULTI_HEAD])
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
    told = found("split_heads", lambda x, n_heads: split(x, constant), seed)
    assert "sizes-swapped" not in told
    assert f"wherever n_heads is {constant}" in told["constant-number"]


def two_heads_attend(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    query, key, value = (split(x @ w, 2) for w in (w_query, w_key, w_value))
    shared = None if mask is None else mask[..., None, :, :]
    rows = np.swapaxes(attend(query, key, value, mask=shared), -2, -3)
    return rows.reshape(x.shape) @ w_output


@pytest.mark.parametrize("name", MULTI_HEAD)
def test_attention_by_two_heads_whatever_n_heads_is(name):
    seed = next(s for s in range(9) if first_number(name, s) == 2)
    told = found(name, two_heads_attend, seed)
    assert {*told} == {"constant-number"}
    assert "`split(x @ w, 2)`" in told["constant-number"]
    assert "2 stands there whatever the inputs are" in told["constant-number"]


def by_differences(*inputs, step=1e-6):
    """Central differences, one number at a time, in plain Python."""
    *three, grad_output = inputs
    gradients = [np.zeros_like(x) for x in three]
    for x, gradient in zip(three, gradients, strict=True):
        for at in np.ndindex(x.shape):
            for sign in (1, -1):
                kept, x[at] = x[at], x[at] + sign * step
                loss = np.sum(by_loops(*three) * grad_output)
                gradient[at] += sign * loss / (2 * step)
                x[at] = kept
    return tuple(gradients)


@pytest.mark.release
def test_a_slow_right_answer_is_not_called_endless():
    assert "never-ended" not in found("attention_gradient", by_differences)
