"""Wrong and right answers for split_heads and merge_heads."""

import numpy as np
import pytest

from attnlib.heads import merge_heads, split_heads
from tests.attncourse.practice.judging import assert_found, assert_passes


def split_by_slices(x, n_heads):
    d_head = x.shape[-1] // n_heads
    parts = [x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)]
    return np.stack(parts, axis=-3)


def split_by_lists(x, n_heads):
    if x.ndim > 2:
        return [split_by_lists(one, n_heads) for one in x]
    return np.split(x, n_heads, axis=1)


def split_by_einsum(x, n_heads):
    *batch, n, d_model = x.shape
    cut = x.reshape(*batch, n, n_heads, d_model // n_heads)
    return np.einsum("...nhd->...hnd", cut)


def split_in_float32(x, n_heads):
    return split_by_einsum(x.astype("f4"), n_heads)


@pytest.mark.parametrize(
    "answer",
    [split_heads, split_by_slices, split_by_lists, split_by_einsum, split_in_float32],
)
def test_split_right(answer):
    assert_passes("split_heads", answer)


def cut(x, n_heads):
    """(..., n, n_heads, d_head): only the first half of the work."""
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)


def straight_reshape(x, n_heads):
    *batch, n, d_model = x.shape
    return np.reshape(x, (*batch, n_heads, n, d_model // n_heads))


def straight_by_counting(x, n_heads):
    *batch, n, d_model = x.shape
    out = np.empty((*batch, n_heads, n, d_model // n_heads))
    for index in np.ndindex(*batch):
        out[index].flat = x[index].flat
    return out


@pytest.mark.parametrize("answer", [straight_reshape, straight_by_counting, cut])
def test_split_without_transpose(answer):
    assert_found("split_heads", "heads-without-transpose", answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -2),
        lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -3),
        lambda x, n_heads: np.swapaxes(cut(x, n_heads), 0, 1),
        lambda x, n_heads: np.swapaxes(cut(x, n_heads), 1, 2),
        lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-1)),
        lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-2), axis=-3),
        lambda x, n_heads: np.stack([x[..., h::n_heads] for h in range(n_heads)], -3),
        lambda x, n_heads: np.moveaxis(
            x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads), -1, -3
        ),
    ],
)
def test_split_wrong_axis(answer):
    assert_found("split_heads", "wrong-axis", answer)


def merge_by_concatenating(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def merge_by_loops(x):
    if x.ndim > 3:
        return [merge_by_loops(one) for one in x]
    return [[number for head in x for number in head[i]] for i in range(x.shape[1])]


def merge_by_einsum(x):
    *batch, n_heads, n, d_head = x.shape
    return np.einsum("...hnd->...nhd", x).reshape(*batch, n, n_heads * d_head)


@pytest.mark.parametrize(
    "answer", [merge_heads, merge_by_concatenating, merge_by_loops, merge_by_einsum]
)
def test_merge_right(answer):
    assert_passes("merge_heads", answer)


def merge_straight(x):
    *batch, n_heads, n, d_head = x.shape
    return x.reshape(*batch, n, n_heads * d_head)


def merge_straight_by_counting(x):
    if x.ndim > 3:
        return np.array([merge_straight_by_counting(one) for one in x])
    numbers = [float(number) for number in x.ravel()]
    width = x.shape[0] * x.shape[2]
    return [numbers[i * width : (i + 1) * width] for i in range(x.shape[1])]


@pytest.mark.parametrize("answer", [merge_straight, merge_straight_by_counting])
def test_merge_without_transpose(answer):
    assert_found("merge_heads", "heads-without-transpose", answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], -2),
        lambda x: np.concatenate(list(x), axis=0),
        lambda x: np.concatenate(list(x), axis=-1),
        lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.swapaxes(x, 0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
        lambda x: np.swapaxes(x, 1, 2).reshape(*x.shape[:-3], x.shape[-2], -1),
    ],
)
def test_merge_wrong_axis(answer):
    assert_found("merge_heads", "wrong-axis", answer)


@pytest.mark.parametrize(
    "answer", [lambda x: x.sum(axis=-3), lambda x: np.mean(x, axis=-3)]
)
def test_heads_added_up(answer):
    assert_found("merge_heads", "heads-added-up", answer)


def test_axis_not_joined():
    assert_found("merge_heads", "heads-not-joined", lambda x: np.moveaxis(x, -3, -2))


def classic(x, n_heads):
    """The line that most posts print: right for no array that has a batch."""
    return x.reshape(n_heads, -1, x.shape[-1] // n_heads)


def too_many_heads(x, n_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], -1, n_heads), -2, -3)


def not_joined(heads):
    return np.swapaxes(heads, -2, -3)


def in_reverse(heads):
    last_first = [heads[..., i, :, :] for i in reversed(range(heads.shape[-3]))]
    return np.concatenate(last_first, axis=-1)


@pytest.mark.parametrize(
    ("name", "code", "answer"),
    [
        ("split_heads", "heads-without-transpose", classic),
        ("split_heads", "sizes-swapped", too_many_heads),
        ("merge_heads", "heads-not-joined", not_joined),
        ("merge_heads", "heads-reversed", in_reverse),
    ],
)
def test_each_has_a_name(name, code, answer):
    assert_found(name, code, answer)
