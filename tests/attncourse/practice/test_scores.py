"""Wrong and right answers for dot_product_scores and scale_scores."""

import math

import numpy as np
import pytest

from attnlib import dot_product_scores, scale_scores
from tests.attncourse.practice.judging import assert_found, assert_passes, soft

NAME = "dot_product_scores"


def by_loops(query, key):
    if query.ndim > 2:
        return [by_loops(q, k) for q, k in zip(query, key, strict=True)]
    return [[sum(a * b for a, b in zip(q, k, strict=True)) for k in key] for q in query]


def by_einsum(query, key):
    return np.einsum("...qd,...kd->...qk", query, key)


def by_broadcasting(query, key):
    return (query[..., :, None, :] * key[..., None, :, :]).sum(-1)


def in_half_precision(query, key):
    return query.astype(np.float16) @ key.astype(np.float16).swapaxes(-1, -2)


@pytest.mark.parametrize(
    "answer",
    [dot_product_scores, by_loops, by_einsum, by_broadcasting, in_half_precision],
)
def test_right(answer):
    assert_passes(NAME, answer)


def plain_product(query, key):
    return query @ key


def plain_einsum(query, key):
    return np.einsum("...ij,...jk->...ik", query, key)


def plain_loops(query, key):
    if query.ndim > 2:
        return np.array([plain_loops(q, k) for q, k in zip(query, key, strict=True)])
    out = np.zeros((len(query), key.shape[1]))
    for i, j, k in np.ndindex(len(query), key.shape[1], query.shape[1]):
        out[i, j] += query[i, k] * key[k, j]
    return out


@pytest.mark.parametrize("answer", [plain_product, plain_einsum, plain_loops])
def test_key_not_transposed(answer):
    assert_found(NAME, "key-not-transposed", answer)


def swapped(query, key):
    return key @ query.swapaxes(-1, -2)


def swapped_einsum(query, key):
    return np.einsum("...qd,...kd->...kq", query, key)


def swapped_loops(query, key):
    if query.ndim > 2:
        return [swapped_loops(q, k) for q, k in zip(query, key, strict=True)]
    return [[float(np.dot(q, k)) for q in query] for k in key]


@pytest.mark.parametrize("answer", [swapped, swapped_einsum, swapped_loops])
def test_query_key_swapped(answer):
    assert_found(NAME, "query-key-swapped", answer)


@pytest.mark.parametrize(
    "answer", [lambda query, key: query @ key.T, lambda q, k: np.dot(q, k.transpose())]
)
def test_all_axes_transposed(answer):
    assert_found(NAME, "all-axes-transposed", answer)


def test_number_by_number():
    assert_found(NAME, "multiplied-elementwise", lambda query, key: query * key)


def test_scaled_too_soon():
    def answer(query, key):
        return by_einsum(query, key) / np.sqrt(query.shape[-1])

    assert_found(NAME, "scaled-too-soon", answer)


def test_cosines_instead():
    def answer(query, key):
        length = np.linalg.norm(query, axis=-1)[..., None]
        return (
            by_einsum(query, key) / length / np.linalg.norm(key, axis=-1)[..., None, :]
        )

    assert_found(NAME, "cosines-instead", answer)


def test_only_matrices():
    """Right for two axes, and wrong for three in a way that no table foresees."""

    def answer(query, key):
        rows, columns = query.shape[0], key.shape[0]
        out = np.zeros((rows, columns))
        for i in range(rows):
            for j in range(columns):
                out[i, j] = np.sum(query[i] * key[j])
        return out

    assert_found(NAME, "no-batch", answer)


# scale_scores


def scale_by_loops(scores, d_k):
    if isinstance(scores, np.ndarray) and scores.ndim:
        return [scale_by_loops(row, d_k) for row in scores]
    return scores / math.sqrt(d_k)


def scale_in_place(scores, d_k):
    scores = np.array(scores)
    scores *= d_k**-0.5
    return scores


@pytest.mark.parametrize(
    "answer",
    [
        scale_scores,
        scale_by_loops,
        scale_in_place,
        lambda scores, d_k: scores.astype("f4") / np.float32(math.sqrt(d_k)),
    ],
)
def test_scale_right(answer):
    assert_passes("scale_scores", answer)


SCALE_WRONG = {
    "missing-scale": [lambda s, d_k: s, lambda s, d_k: [list(r) for r in 1.0 * s]],
    "scaled-by-d_k": [lambda s, d: s / d, lambda s, d: np.multiply(s, d**-1.0)],
    "scaled-by-n": [
        lambda s, d: s / math.sqrt(s.shape[-1]),
        lambda s, d: s / s.shape[-1],
        lambda s, d: s * s.shape[-2] ** -0.5,
        lambda s, d: s / np.sqrt(len(s)),
        lambda s, d: (
            [row / len(row) ** 0.5 for row in s]
            if s.ndim == 2
            else s / s.shape[-1] ** 0.5
        ),
    ],
    "multiplied-by-root": [
        lambda s, d_k: s * math.sqrt(d_k),
        lambda s, d_k: np.exp(np.log(d_k) / 2) * s,
        lambda s, d_k: s / d_k**-0.5,
    ],
    "multiplied-by-d_k": [lambda s, d_k: d_k * s],
    "scaled-by-square": [lambda s, d_k: s / d_k**2],
    "root-precedence": [
        lambda s, d_k: s / d_k**1 / 2,
        lambda s, d_k: s / (d_k**1 / 2),
        lambda s, d_k: s * d_k**-1 / 2,
        lambda s, d_k: s * d_k**1 / 2,
    ],
    "root-of-scores": [lambda s, d_k: np.sqrt(s / d_k), lambda s, d_k: s**0.5 / d_k],
}
SCALE_CASES = [(code, f) for code, answers in SCALE_WRONG.items() for f in answers]


@pytest.mark.parametrize(("code", "answer"), SCALE_CASES)
def test_scale_wrong(code, answer):
    assert_found("scale_scores", code, answer)


# An answer, and the code that it earns: each wrong in a way of its own.
ON_TOP = {
    "project": lambda x, w: soft(x @ w),
    "dot_product_scores": lambda q, k: soft(q @ k.swapaxes(-1, -2)),
    "scale_scores": lambda scores, d_k: soft(scores / math.sqrt(d_k)),
}


@pytest.mark.parametrize("name", ON_TOP)
def test_a_softmax_too_soon(name):
    assert_found(name, "softmax-too-soon", ON_TOP[name])


def test_distances():
    def answer(query, key):
        return -((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(-1)

    assert_found(NAME, "distances-instead", answer)


def test_root_cut_off():
    answer = lambda scores, d_k: scores / int(math.sqrt(d_k))  # noqa: E731
    assert_found("scale_scores", "root-cut-off", answer)


def test_precedence_of_the_root_in_attention():
    def answer(query, key, value):
        return soft(query @ key.swapaxes(-1, -2) / key.shape[-1] ** 1 / 2) @ value

    assert_found("attention", "root-precedence", answer)


def test_weights_that_go_through_softmax_twice():
    assert_found("weighted_sum", "softmax-twice", lambda w, v: soft(w) @ v)


def test_one_matrix_on_both_sides():
    assert_found(
        "score_matrix", "key-ignored", lambda w_query, w_key: w_query @ w_query.T
    )
    assert_found("score_matrix", "key-ignored", lambda w_query, w_key: w_key @ w_key.T)
