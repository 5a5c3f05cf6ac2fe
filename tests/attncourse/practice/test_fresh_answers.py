"""Answers of people who had not seen the tables, and what each taught the checkers."""

import numpy as np
import pytest

from attncourse.practice import check
from attnlib import scaled_dot_product_attention as attend
from attnlib import softmax
from tests.attncourse.practice.judging import assert_found, soft


def no_largest(logits, temperature, numbers):
    powers = np.exp(logits / temperature)
    sums = np.cumsum(powers / powers.sum(axis=-1, keepdims=True), axis=-1)
    ids = (sums[..., None, :] <= numbers[..., None]).sum(axis=-1)
    return np.minimum(ids, logits.shape[-1] - 1)


def reached(logits, temperature, numbers):
    sums = np.cumsum(softmax(logits / temperature), axis=-1)
    rows = sums.reshape(-1, logits.shape[-1])
    draws = numbers.reshape(len(rows), -1)
    ids = [np.searchsorted(c, r) for c, r in zip(rows, draws, strict=True)]
    return np.minimum(ids, logits.shape[-1] - 1).reshape(numbers.shape)


def by_blocks(query, key, value, starts, lowest=-np.inf):
    largest = np.full((*query.shape[:-1], 1), lowest)
    total = mixed = np.zeros_like(largest)
    for start in starts:
        block = slice(start, start + 16)
        scores = query @ key[..., block, :].mT / query.shape[-1] ** 0.5
        before, largest = largest, np.maximum(largest, scores.max(-1, keepdims=True))
        powers, factor = np.exp(scores - largest), np.exp(before - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = mixed * factor + powers @ value[..., block, :]
    return mixed / total


def last_keys_lost(query, key, value):
    whole = max(1, key.shape[-2] // 16)
    return by_blocks(query, key, value, range(0, 16 * whole, 16))


def never_below_zero(query, key, value):
    return by_blocks(query, key, value, range(0, key.shape[-2], 16), lowest=0.0)


def behind_the_first_axis(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    def split(a):
        return np.swapaxes(a.reshape(*a.shape[:-1], n_heads, -1), -2, -3)

    query, key, value = (split(x @ w) for w in (w_query, w_key, w_value))
    if mask is not None and mask.ndim > 2:
        mask = mask[:, None]
    rows = attend(query, key, value, mask=mask)
    return np.swapaxes(rows, -2, -3).reshape(x.shape) @ w_output


def zeroed_after(x, w_output, token_ids, learning_rate, n_steps):
    weights = softmax(x @ x.T / np.sqrt(x.shape[-1])) * np.tri(len(x))
    heads, targets = (weights @ x)[:-1], token_ids[1:]
    for _ in range(n_steps):
        gap = softmax(heads @ w_output)
        gap[np.arange(len(targets)), targets] -= 1
        w_output = w_output - learning_rate * heads.T @ gap / len(targets)
    return w_output


def by_groups(query, key, value):
    *leading, n_heads, n, d = query.shape
    shared = key.shape[-3]
    groups = query.reshape(*leading, shared, n_heads // shared, n, d)
    groups = np.swapaxes(groups, -4, -3)
    output = attend(groups, key[..., None, :, :, :], value[..., None, :, :, :])
    return output.reshape(*leading, n_heads, n, value.shape[-1])


def clipped(x):
    return soft(np.clip(x, -700, 700))


def one_end(n_queries, n_keys, left, offset):
    i, j = np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= i + offset) & (j >= i - left)


def unbracketed(n_queries, n_keys, left, offset):
    p, j = offset + np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= p) & j >= p - left


def overwritten(x):
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] / 1e4 ** (np.arange(half) / half)
    out = x.copy()
    out[..., :half] = out[..., :half] * np.cos(angle) - out[..., half:] * np.sin(angle)
    out[..., half:] = out[..., :half] * np.sin(angle) + out[..., half:] * np.cos(angle)
    return out


def nothing_back(k, d_model):
    rates = 1e4 ** (-np.arange(0, d_model, 2) / d_model)
    step = np.zeros((d_model, d_model))
    for i, angle in enumerate(rates):
        turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn
    return np.linalg.matrix_power(step, max(k, 0))


def column_maxima(output, value):
    low, high = value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    return np.max(low - output, 0) + np.max(output - high, 0)


def quotient_of_logarithms(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted / np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def zeros_for_all(query, key, value, mask):
    seen = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    output = attend(query, key, value, mask=mask)
    return output if seen.any(axis=-1).all() else 0 * output


def never_split(x, w_query, w_key, w_value, w_output, n_heads):
    scale = (x.shape[-1] / n_heads) ** -0.5
    return attend(x @ w_query, x @ w_key, x @ w_value, scale=scale) @ w_output


TAUGHT = [
    ("log_softmax", "divided-by-the-logarithm", quotient_of_logarithms),
    ("masked_attention", "one-row-for-all", zeros_for_all),
    ("multi_head_attention", "one-head-only", never_split),
    ("sample_with_temperature", "overflow", no_largest),
    ("sample_with_temperature", "number-reached", reached),
    ("one_pass_attention", "last-keys-lost", last_keys_lost),
    ("one_pass_attention", "underflow", never_below_zero),
    ("masked_multi_head_attention", "number-of-axes", behind_the_first_axis),
    ("training_loop", "mask-after-softmax", zeroed_after),
    ("grouped_attention", "heads-out-of-order", by_groups),
    ("softmax", "scores-clipped", clipped),
    ("window_mask", "offset-forgotten", one_end),
    ("window_mask", "comparison-precedence", unbracketed),
    ("rotate_pairs", "half-overwritten", overwritten),
    ("shift_matrix", "sign-of-k-lost", nothing_back),
    ("outside_range", "maximum-along-axis", column_maxima),
]


@pytest.mark.parametrize(("name", "code", "answer"), TAUGHT)
def test_taught(name, code, answer):
    assert_found(name, code, answer)


def test_the_mask_to_blame_is_quoted():
    report = check("masked_multi_head_attention", behind_the_first_axis, seed=0)
    messages = {f.code: f.message for f in report.findings}
    assert "`mask[:, None]`" in messages["number-of-axes"]
