"""Answers that were refused with a reason that was not theirs, or with none."""

import numpy as np
import pytest

from attncourse.practice import check
from attnlib import rotary_embedding, softmax
from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.judging import assert_found, soft

pytestmark = pytest.mark.slow


def rounded_softmax(x):
    return np.round(softmax(x), 2)


def rounded_weights(query, key, value):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    return np.round(softmax(scores), 2) @ value


@pytest.mark.parametrize("seed", range(4))
def test_a_row_that_is_nearly_1_is_not_said_to_be_1(seed):
    (finding,) = check("softmax", rounded_softmax, seed=seed).findings
    assert finding.code == "one-step-too-many"
    assert "rounded to 2 decimals" in finding.message
    (finding,) = check("attention", rounded_weights, seed=seed).findings
    assert finding.code == "not-normalized"
    assert "adds up to 1," not in finding.message
    assert "nearly 1 and not quite" in finding.message


def sums_without_their_axis(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1))


def test_a_crash_in_a_line_with_a_logarithm_is_no_overflow():
    report = check("log_softmax", sums_without_their_axis, seed=0)
    assert [f.code for f in report.findings] == ["keepdims-forgotten"]


def lengths(a, b):
    return np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)


def one_for_zero(a, b):
    n = lengths(a, b)
    return np.where(n == 0, 1, (a * b).sum(-1) / np.where(n == 0, 1, n))


def zeros_for_all(a, b):
    n = lengths(a, b)
    return np.zeros(n.shape) if np.any(n == 0) else (a * b).sum(-1) / n


def size_of_cosine(a, b):
    n = lengths(a, b)
    return np.abs((a * b).sum(-1)) / np.where(n == 0, 1, n)


def small_number_below(a, b):
    return (a * b).sum(-1) / (lengths(a, b) + 1e-4)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("zero-vector-not-zero", one_for_zero),
        ("one-row-for-all", zeros_for_all),
        ("one-step-too-many", size_of_cosine),
        ("a-little-too-small", small_number_below),
    ],
)
def test_what_one_vector_leaves_open_is_not_put_down_to_axes(code, answer, seed):
    (finding,) = check("cosine_similarity", answer, seed=seed).findings
    assert finding.code == code


@pytest.mark.parametrize(
    ("answer", "look"),
    [
        (lambda x, w: x @ w > 0, "Look for a comparison"),
        (lambda x, w: x @ w * (1 + 1j), "makes numbers complex"),
        (lambda x, w: (x @ w).astype(int), "cuts off the decimals"),
    ],
)
def test_a_dtype_is_explained_by_its_kind(answer, look):
    messages = {f.code: f.message for f in check("project", answer, seed=0).findings}
    assert look in messages["wrong-dtype"]


def test_two_arrays_of_different_shapes_are_not_called_rows():
    (finding,) = check("look_up", lambda ids, table: (table[ids], ids)).findings
    assert finding.code == "wrong-type"
    assert "a tuple of 2, where one array was expected" in finding.message


def joined_by_and(n_queries, n_keys, left, offset):
    distance = np.arange(n_queries)[:, None] + offset - np.arange(n_keys)
    return distance >= 0 and distance <= left


def chained(n_queries, n_keys, left, offset):
    distance = np.arange(n_queries)[:, None] + offset - np.arange(n_keys)
    return 0 <= distance <= left


def decided_once(a, b):
    n = lengths(a, b)
    if n == 0:
        return 0
    return (a * b).sum(-1) / n


@pytest.mark.parametrize(
    ("name", "answer", "look"),
    [
        ("window_mask", joined_by_and, "`&` and `|` go entry by entry"),
        ("window_mask", chained, "Python reads a <= b <= c as"),
        ("cosine_similarity", decided_once, "`if` decides once"),
    ],
)
def test_the_truth_of_an_array_is_explained(name, answer, look):
    messages = [f.message for f in check(name, answer, seed=0).findings]
    assert any("truth value" in one and look in one for one in messages)


def axis_for_zero(x, w_1, b_1, w_2, b_2):
    return np.max(0, x @ w_1 + b_1) @ w_2 + b_2


def test_a_maximum_that_takes_a_number_for_an_axis():
    messages = {
        f.code: f.message for f in check("feed_forward", axis_for_zero).findings
    }
    assert "np.maximum(a, b) gives the larger" in messages["one-piece-wrong"]


def brackets_close_late(x, w_1, b_1, w_2, b_2):
    return np.maximum(0, x @ w_1 + b_1 @ w_2 + b_2)


def sum_and_norm(x, w_1, b_1, w_2, b_2):
    rows = x + np.maximum(0, x @ w_1 + b_1) @ w_2 + b_2
    centered = rows - rows.mean(-1, keepdims=True)
    return centered / np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5)


def always_causal(query, key, value, mask):
    return attend(query, key, value, is_causal=True)


def split(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)


def causal_heads(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    three = (split(x @ w, n_heads) for w in (w_query, w_key, w_value))
    allowed = np.tri(x.shape[-2], dtype=bool) if mask is None else mask[..., None, :, :]
    rows = np.swapaxes(attend(*three, mask=allowed), -2, -3)
    return rows.reshape(x.shape) @ w_output


def backwards(query, key, value):
    back = {"positions": -np.arange(query.shape[-2])}
    ahead = {"positions": -np.arange(key.shape[-2])}
    turned = rotary_embedding(query, **back), rotary_embedding(key, **ahead)
    return attend(*turned, value)


def mean_of_products(query, key, value, grad_output):
    root = np.sqrt(query.shape[-1])
    weights, grad = softmax(query @ key.mT / root), grad_output @ value.mT
    mean = (weights * grad).mean(axis=-1, keepdims=True)
    scores = weights * (grad - mean) / root
    return scores @ key, scores.mT @ query, weights.mT @ grad_output


def keys_first(cached_key, cached_value, query, key, value):
    keys = np.concatenate([cached_key, key], axis=-2)
    values = np.concatenate([cached_value, value], axis=-2)
    at = {"is_causal": True, "query_offset": cached_key.shape[-2]}
    return keys, values, attend(query, keys, values, **at)


def mask_of_keys(n_queries, n_keys, left, offset):
    distance = np.arange(n_queries) + offset - np.arange(n_keys)[:, None]
    return (distance >= 0) & (distance <= left)


def from_the_mean(output, value):
    return np.abs(output - value.mean(axis=-2, keepdims=True))


TAUGHT = [
    ("feed_forward", "brackets-missing", brackets_close_late),
    ("feed_forward", "input-added", sum_and_norm),
    ("masked_attention", "mask-ignored", always_causal),
    ("multi_head_attention", "mask-not-asked", causal_heads),
    ("masked_multi_head_attention", "mask-not-asked", causal_heads),
    ("rotary_attention", "rotates-backwards", backwards),
    ("attention_gradient", "mean-instead-of-sum", mean_of_products),
    ("append_to_cache", "arrays-out-of-order", keys_first),
    ("window_mask", "rows-columns-swapped", mask_of_keys),
    ("outside_range", "distance-inside", from_the_mean),
]


@pytest.mark.parametrize(("name", "code", "answer"), TAUGHT)
def test_taught(name, code, answer):
    assert_found(name, code, answer)


def test_a_forgotten_temperature_is_not_a_subtracted_one():
    def at_one(logits, temperature, numbers):
        sums = np.cumsum(softmax(logits), axis=-1)
        return (sums[..., None, :] > numbers[..., None]).argmax(axis=-1)

    report = check("sample_with_temperature", at_one, seed=0)
    assert [finding.code for finding in report.findings] == ["temperature-ignored"]


def test_maxima_that_lost_their_axis_are_subtracted():
    def answer(x):
        powers = np.exp(x - x.max(axis=-1))
        return powers / powers.sum(axis=-1, keepdims=True)

    messages = {f.code: f.message for f in check("softmax", answer, seed=0).findings}
    assert "what you subtract or divide by" in messages["keepdims-forgotten"]


@pytest.mark.parametrize("seed", range(8))
def test_what_was_right_by_luck_is_no_matter_of_axes(seed):
    def size_alone(a, b):
        lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
        return np.abs((a * b).sum(axis=-1)) / lengths

    codes = {f.code for f in check("cosine_similarity", size_alone, seed=seed).findings}
    assert codes == {"zero-vector", "one-step-too-many"}
    found = check("softmax", lambda x: np.sort(soft(x)), seed=seed).findings
    assert [f.code for f in found] == ["one-step-too-many"]


def test_zeros_that_were_never_computed_are_no_known_mistake():
    def empty(output, value):
        return np.zeros(output.shape)

    def own_range(output, value):
        low, high = output.min(-2, keepdims=True), output.max(-2, keepdims=True)
        return np.maximum(low - output, 0) + np.maximum(output - high, 0)

    assert_found("outside_range", "all-zeros", empty)
    assert_found("outside_range", "range-of-output", own_range)


def test_ids_are_whole_numbers():
    def ids_of_floats(logits, temperature, numbers):
        sums = np.cumsum(softmax(logits / temperature), axis=-1)
        return (sums[..., None, :] > numbers[..., None]).argmax(axis=-1) * 1.0

    (finding,) = check("sample_with_temperature", ids_of_floats, seed=0).findings
    assert finding.code == "wrong-dtype"
    assert "where whole numbers were expected" in finding.message
