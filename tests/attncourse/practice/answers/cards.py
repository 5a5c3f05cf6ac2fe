"""Right and wrong answers to the exercises of the cards, in several styles."""

import numpy as np

from attnlib import rotary_embedding, scaled_dot_product_attention
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, soft

right, wrong = answers_of("cache_per_token")


@right
def built(c, n_bytes, rows=2, shared=None, width=None, layers=None):
    heads = c["num_attention_heads"]
    shared = shared or c.get("num_key_value_heads") or heads
    width = width or c.get("head_dim") or c["hidden_size"] // heads
    return (layers or c["num_hidden_layers"]) * rows * shared * width * n_bytes


wrong("grouping-ignored")(lambda c, n: built(c, n, shared=c["num_attention_heads"]))
wrong("head-dim-ignored")(
    lambda c, n: built(c, n, width=c["hidden_size"] // c["num_attention_heads"]),
    lambda c, n: 2 * c["num_hidden_layers"] * c["hidden_size"] * n,
)
wrong("other-default")(
    lambda c, n: built(c, n, shared=c.get("num_key_value_heads") or 1)
)
wrong("crashed")(lambda c, n: built(c, n, width=c["head_dim"] + 0))
wrong("one-of-two")(lambda c, n: built(c, n, rows=1))
wrong("layers-forgotten")(lambda c, n: built(c, n, layers=1))
wrong("numbers-instead-of-bytes")(lambda c, n: built(c, 1))
wrong("bytes-written-down")(lambda c, n: built(c, 2))
wrong("bits-instead-of-bytes")(lambda c, n: 8 * built(c, n))
wrong("other-unit")(lambda c, n: built(c, n) / 1024)
wrong("wrong-dtype")(lambda c, n: built(c, n) / 1)
wrong("whole-text-instead")(lambda c, n: built(c, n) * c["max_position_embeddings"])
wrong("inputs-changed")(lambda c, n: built({**c}, n) * (c.pop("hidden_size") > 0))


right, wrong = answers_of("grouped_attention")


@right
def with_repeated_keys(query, key, value):
    times = query.shape[-3] // key.shape[-3]
    return attend(query, *(np.repeat(x, times, axis=-3) for x in (key, value)))


def grouped(query, key):
    """(..., n_groups, heads of a group, n_queries, d_k)"""
    return query.reshape(*key.shape[:-2], -1, *query.shape[-2:])


wrong("tiled-instead-of-repeated")(
    changed(
        with_repeated_keys,
        "np.repeat(x, times, axis=-3) → np.concatenate([x] * times, axis=-3)",
    )
)
wrong("constant-number")(
    changed(with_repeated_keys, "query.shape[-3] // key.shape[-3] → 2")
)
wrong("heads-averaged")(
    lambda q, k, v: grouped(with_repeated_keys(q, k, v), k).mean(axis=-3)
)
wrong("query-heads-dropped")(lambda q, k, v: attend(grouped(q, k).mean(axis=-3), k, v))
wrong("groups-not-merged")(
    lambda q, k, v: attend(grouped(q, k), k[..., :, None, :, :], v[..., :, None, :, :])
)
wrong("heads-out-of-order")(
    lambda q, k, v: attend(
        np.swapaxes(grouped(q, k), -4, -3),
        *(x[..., None, :, :, :] for x in (k, v)),
    ).reshape(*q.shape[:-1], -1)
)


@wrong(
    "one-piece-wrong", says="a transpose more, or one less. Look at `query.mT @ key`"
)
def other_side(query, key, value):
    times = query.shape[-3] // key.shape[-3]
    key, value = np.repeat(key, times, axis=-3), np.repeat(value, times, axis=-3)
    return soft(query.mT @ key / np.sqrt(query.shape[-1])) @ value


right, wrong = answers_of("window_mask")


@right
def window(n_queries, n_keys, left, offset):
    rows = [[0] * n_keys for _ in range(n_queries)]
    for i in range(n_queries):
        for j in range(n_keys):
            rows[i][j] = i + offset - left <= j <= i + offset
    return rows


wrong("window-off-by-one")(
    lambda n, m, left, offset: window(n, m, max(left - 1, 0), offset)
)
wrong("offset-forgotten")(lambda n, m, left, _: window(n, m, left, 0))


@wrong("rows-columns-swapped")
def a_window_with_its_rows_and_columns_exchanged(n_queries, n_keys, left, offset):
    row, column = np.arange(n_keys)[:, None] + offset, np.arange(n_queries)
    return ((column <= row) & (column >= row - left)).T


@wrong("offset-forgotten")
def one_end(n_queries, n_keys, left, offset):
    i, j = np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= i + offset) & (j >= i - left)


@wrong("comparison-precedence")
def unbracketed(n_queries, n_keys, left, offset):
    p, j = offset + np.arange(n_queries)[:, None], np.arange(n_keys)
    return (j <= p) & j >= p - left


@wrong("one-piece-wrong", says="& binds tighter than a comparison")
def chained(n_queries, n_keys, left, offset):
    i, j = offset + np.arange(n_queries)[:, None], np.arange(n_keys)
    return i - left <= j & j <= i


@wrong("negative-start")
def begins_below_zero(n_queries, n_keys, left, offset):
    mask = np.zeros((n_queries, n_keys), dtype=bool)
    for i in range(n_queries):
        mask[i, i + offset - left : i + offset + 1] = True
    return mask


def distances(n_queries, n_keys, offset):
    return np.arange(n_queries)[:, None] + offset - np.arange(n_keys)


@wrong("crashed", says="`&` and `|` go entry by entry")
def joined_by_and(n_queries, n_keys, left, offset):
    distance = distances(n_queries, n_keys, offset)
    return distance >= 0 and distance <= left


@wrong("crashed", says="Python reads a <= b <= c as")
def chained_comparison(n_queries, n_keys, left, offset):
    return 0 <= distances(n_queries, n_keys, offset) <= left


@wrong("rows-columns-swapped")
def mask_of_keys(n_queries, n_keys, left, offset):
    distance = np.arange(n_queries) + offset - np.arange(n_keys)[:, None]
    return (distance >= 0) & (distance <= left)


# Sizes that agree come before a number that happens to.
wrong("sizes-mixed-up", seeds=(0,))(
    lambda n, m, left, offset: window(n, n, left, offset)
)
wrong("offset-ignored")(lambda n, m, left, offset: window(n, m, left, m - n))


right, wrong = answers_of("rotate_pairs")


@right
def turn(x):
    half = x.shape[-1] // 2
    rates = 10_000 ** (-np.arange(half) / half)
    angle = np.arange(x.shape[-2])[:, None] * rates
    pairs = x[..., :half] + 1j * x[..., half:]
    turned = pairs * np.exp(1j * angle)
    return np.concatenate([turned.real, turned.imag], axis=-1)


@wrong("pairs-interleaved")
def turn_neighbors(x):
    """What many programs do: pairs of neighbors, as complex numbers."""
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] * 10_000 ** (-np.arange(half) / half)
    turned = np.ascontiguousarray(x).view(complex) * np.exp(1j * angle)
    return turned.view(float)


@wrong("half-overwritten")
def overwritten(x):
    half = x.shape[-1] // 2
    angle = np.arange(x.shape[-2])[:, None] / 1e4 ** (np.arange(half) / half)
    out = x.copy()
    out[..., :half] = out[..., :half] * np.cos(angle) - out[..., half:] * np.sin(angle)
    out[..., half:] = out[..., :half] * np.sin(angle) + out[..., half:] * np.cos(angle)
    return out


@right
def turned(x):
    n, d = x.shape[-2:]
    angle = np.arange(n)[:, None] / 10000 ** (2 * np.arange(d // 2) / d)
    a, b, cos, sin = x[..., : d // 2], x[..., d // 2 :], np.cos(angle), np.sin(angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


wrong("one-piece-wrong", says="10000 ** 2 * np.arange(d // 2) / d` in line")(
    changed(turned, "(2 * np.arange(d // 2) / d) → 2 * np.arange(d // 2) / d")
)
wrong("one-piece-wrong", says="`x.shape[0]`")(
    changed(turned, "x.shape[-2:] → x.shape[0], x.shape[-1]")
)


@wrong("one-piece-wrong", says="`np.repeat(angle, 2, axis=-1)`")
def repeated(x):
    n, d = x.shape[-2:]
    angle = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d))
    angle = np.repeat(angle, 2, axis=-1)
    turned = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    return x * np.cos(angle) + turned * np.sin(angle)


right, wrong = answers_of("rotary_attention")


def attend(query, key, value):
    return soft(query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5) @ value


right(lambda q, k, v: attend(turn(q), turn(k), v))
wrong("pairs-interleaved")(
    lambda q, k, v: attend(turn_neighbors(q), turn_neighbors(k), v)
)
wrong("values-rotated")(lambda q, k, v: attend(*map(turn, (q, k, v))))
wrong("not-rotated")(lambda q, k, v: attend(turn(q), k, v))


@wrong("rotates-against-each-other")
def no_conjugate(query, key, value):
    def complex_rows(x):
        first, second = np.split(turn(x), 2, axis=-1)
        return first + 1j * second

    scores = (complex_rows(query) @ complex_rows(key).mT).real
    return soft(scores / query.shape[-1] ** 0.5) @ value


def turn_back(x):
    return rotary_embedding(x, positions=-np.arange(x.shape[-2]))


wrong("rotates-backwards")(lambda q, k, v: attend(turn_back(q), turn_back(k), v))


right, wrong = answers_of("capped_attention")


@right
def capped(query, key, value, cap, after=False):
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    future = np.triu(np.ones(scores.shape[-2:], bool), k=1)
    if not after:
        scores = cap * np.tanh(scores / cap)
    scores = np.where(future, -np.inf, scores)
    return soft(cap * np.tanh(scores / cap) if after else scores) @ value


wrong("cap-after-mask")(lambda *four: capped(*four, after=True))


wrong("cap-on-output")(
    lambda q, k, v, cap: (
        cap * np.tanh(scaled_dot_product_attention(q, k, v, is_causal=True) / cap)
    )
)


@wrong("input-ignored")
def both_capped(query, key, value, cap):
    how = {"is_causal": True}
    query, key = (50 * np.tanh(one / 50) for one in (query, key))
    return scaled_dot_product_attention(query, key, value, **how)
