"""Right and wrong answers of lesson 14, as one would write them."""

import numpy as np
import pytest

from tests.attncourse.practice.judging import assert_found, assert_passes, soft


def turn(x):
    half = x.shape[-1] // 2
    rates = 10_000 ** (-np.arange(half) / half)
    angle = np.arange(x.shape[-2])[:, None] * rates
    pairs = x[..., :half] + 1j * x[..., half:]
    turned = pairs * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


def turn_neighbours(x):
    """What many programs do: pairs of neighbours, as complex numbers."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] * 10_000 ** (-np.arange(half) / half)
    turned = np.ascontiguousarray(x).view(complex) * np.exp(1j * angle)
    return turned.view(float)


def attend(query, key, value):
    return soft(query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5) @ value


def capped(query, key, value, cap, after=False):
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    future = np.triu(np.ones(scores.shape[-2:], bool), k=1)
    if not after:
        scores = cap * np.tanh(scores / cap)
    scores = np.where(future, -np.inf, scores)
    return soft(cap * np.tanh(scores / cap) if after else scores) @ value


def window(n_queries, n_keys, left, offset):
    rows = [[0] * n_keys for _ in range(n_queries)]
    for i in range(n_queries):
        for j in range(n_keys):
            rows[i][j] = i + offset - left <= j <= i + offset
    return rows


RIGHT = {
    "rotate_pairs": turn,
    "rotary_attention": lambda q, k, v: attend(turn(q), turn(k), v),
    "capped_attention": capped,
    "window_mask": window,
    "grouped_attention": lambda q, k, v: attend(
        q, *(np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    ),
}


@pytest.mark.parametrize(("name", "answer"), RIGHT.items())
def test_right(name, answer):
    assert_passes(name, answer)


def tiled(query, key, value):
    times = (*[1] * (key.ndim - 3), query.shape[-3] // key.shape[-3], 1, 1)
    return attend(query, np.tile(key, times), np.tile(value, times))


WRONG = {
    ("rotate_pairs", "pairs-interleaved"): turn_neighbours,
    ("rotary_attention", "pairs-interleaved"): lambda q, k, v: attend(
        turn_neighbours(q), turn_neighbours(k), v
    ),
    ("rotary_attention", "values-rotated"): lambda q, k, v: attend(
        *map(turn, (q, k, v))
    ),
    ("rotary_attention", "not-rotated"): lambda q, k, v: attend(turn(q), k, v),
    ("grouped_attention", "tiled-instead-of-repeated"): tiled,
    ("window_mask", "window-off-by-one"): lambda n, m, left, offset: window(
        n, m, max(left - 1, 0), offset
    ),
    ("window_mask", "offset-forgotten"): lambda n, m, left, _: window(n, m, left, 0),
    ("capped_attention", "cap-after-mask"): lambda *four: capped(*four, after=True),
}


@pytest.mark.parametrize(
    ("name", "code", "answer"), [(*k, v) for k, v in WRONG.items()]
)
def test_wrong(name, code, answer):
    assert_found(name, code, answer)
