"""Right and wrong answers to the exercises of lessons 8 and 9, in several styles."""

import math
from functools import partial

import numpy as np

import attnlib
from attnlib import layer_norm
from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, merge, safe, soft, split

right, wrong = answers_of("two_layers")


def looks(x, head, asks=None, root=True):
    """What a head adds to rows, and with which of its parts left out."""
    w_query, w_key, w_value, w_output = head
    asks = x if asks is None else asks
    scores = np.einsum("...id,...jd->...ij", asks @ w_query, x @ w_key)
    return soft(scores / x.shape[-1] ** (root / 2)) @ x @ w_value @ w_output


@right
def with_attnlib_in_two_layers(x, gather, find):
    for w_query, w_key, w_value, w_output in (gather, find):
        x = x + attend(x @ w_query, x @ w_key, x @ w_value) @ w_output
    return x


right(
    lambda x, a, b: (
        x + looks(x, a) + np.asarray([looks(one, b) for one in [x + looks(x, a)]])[0]
    )
)
wrong("heads-side-by-side")(lambda x, a, b: x + looks(x, a) + looks(x, b))
wrong("residual-missing")(
    lambda x, a, b: looks(looks(x, a), b),
    lambda x, a, b: looks(x + looks(x, a), b),
)
wrong("input-added-again")(lambda x, a, b: x + looks(x + looks(x, a), b))
wrong("order-swapped")(lambda x, a, b: x + looks(x, b) + looks(x + looks(x, b), a))
wrong("one-layer")(lambda x, a, b: x + looks(x, a))


wrong("query-from-input")(
    lambda x, a, b: (rows := x + looks(x, a)) + looks(rows, b, asks=x)
)


@wrong("inputs-changed")
def plus_in_place(x, gather, find):
    x += looks(x, gather)
    x += looks(x, find)
    return x


right, wrong = answers_of("feed_forward")


@right
def by_loops(x, w_1, b_1, w_2, b_2):
    if x.ndim > 1:
        return [by_loops(row, w_1, b_1, w_2, b_2) for row in x]
    hidden = [max(0.0, float(x @ w) + b) for w, b in zip(w_1.T, b_1, strict=True)]
    parts = zip(w_2.T, b_2, strict=True)
    return [sum(h * v for h, v in zip(hidden, w, strict=True)) + b for w, b in parts]


def half(x):
    return np.maximum(x, 0)


wrong("relu-missing")(lambda x, w, b, v, c: x @ (w @ v) + b @ v + c)
wrong("relu-at-the-end")(lambda x, w, b, v, c: half((x @ w + b) @ v + c))
wrong("relu-twice")(lambda x, w, b, v, c: half(half(x @ w + b) @ v + c))
wrong("cut-on-the-other-side")(
    lambda x, w, b, v, c: np.clip(x @ w + b, None, 0) @ v + c
)
wrong("absolute-value")(lambda x, w, b, v, c: np.sqrt((x @ w + b) ** 2) @ v + c)
wrong("bias-ignored")(
    lambda x, w, b, v, c: half(x @ w) @ v + c, lambda x, w, b, v, c: half(x @ w + b) @ v
)
wrong("bias-after-cut")(lambda x, w, b, v, c: (half(x @ w) + b) @ v + c)
wrong("input-added")(lambda x, *network: x + attnlib.feed_forward(x, *network))


@wrong("one-piece-wrong", says="np.maximum(a, b) gives the larger")
def axis_for_zero(x, w_1, b_1, w_2, b_2):
    return np.max(0, x @ w_1 + b_1) @ w_2 + b_2


wrong("brackets-missing")(
    lambda x, w_1, b_1, w_2, b_2: np.maximum(0, x @ w_1 + b_1 @ w_2 + b_2)
)
wrong("input-added")(
    lambda x, *network: layer_norm(
        x + attnlib.feed_forward(x, *network), np.ones(x.shape[-1])
    )
)


right, wrong = answers_of("masked_multi_head_attention")


def hide(scores, mask):
    return np.where(mask[..., None, :, :], scores, -np.inf)


def built(hide=hide, soft=safe, split=split, last=np.matmul, default=lambda s: s):
    """A right answer, with some of its parts replaced."""

    def answer(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
        q, k, v = (split(x @ w, n_heads) for w in (w_query, w_key, w_value))
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
        scores = default(scores) if mask is None else hide(scores, mask)
        return last(merge(soft(scores) @ v), w_output)

    return answer


def put(mask, scores, other):
    return np.where(mask[..., None, :, :], scores, other)


right(built())
wrong("mask-without-head-axis")(built(hide=lambda s, m: np.where(m, s, -np.inf)))
wrong("mask-transposed")(built(hide=lambda s, m: hide(s, np.swapaxes(m, -1, -2))))
wrong("nan-for-masked-row")(built(soft=soft))
wrong("output-for-masked-row")(built(hide=lambda s, m: put(m, s, -1e9)))
wrong("heads-without-transpose")(
    built(split=lambda x, h: x.reshape(*x.shape[:-2], h, x.shape[-2], -1))
)
wrong("mask-inverted", "missing-output-projection")(
    built(hide=lambda s, m: hide(s, ~m), last=lambda merged, _: merged)
)


@wrong("number-of-axes", says="`mask[:, None]`")
def behind_the_first_axis(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    def split(a):
        return np.swapaxes(a.reshape(*a.shape[:-1], n_heads, -1), -2, -3)

    query, key, value = (split(x @ w) for w in (w_query, w_key, w_value))
    if mask is not None and mask.ndim > 2:
        mask = mask[:, None]
    rows = attend(query, key, value, mask=mask)
    return np.swapaxes(rows, -2, -3).reshape(x.shape) @ w_output


@wrong("mask-in-some-heads")
def first_head_masked(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    rows = []
    for part in np.split(np.arange(x.shape[-1]), n_heads):
        query, key, value = (x @ w[:, part] for w in (w_query, w_key, w_value))
        rows.append(attend(query, key, value, mask=mask))
        mask = None
    return np.concatenate(rows, axis=-1) @ w_output


@wrong("crashed", "input-ignored", says="Look at `if mask`: it asks")
def truth_of_an_array(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    if mask:
        return x @ w_query
    return x


@wrong("one-piece-wrong", says="Look at `hide(s, mask)`")
def a_mask_that_must_be_there(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    return built(default=lambda s: hide(s, mask))(
        x, w_query, w_key, w_value, w_output, n_heads, mask
    )


wrong("mask-not-asked")(
    built(default=lambda s: np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf))
)


right, wrong = answers_of("layer_norm")


EPS = 1e-5


@right
def by_loops_of_layer_norm(x, gain, bias):
    if x.ndim > 1:
        return [by_loops_of_layer_norm(row, gain, bias) for row in x]
    mean = sum(x) / len(x)
    variance = sum((number - mean) ** 2 for number in x) / len(x)
    parts = zip(x, gain, bias, strict=True)
    return [g * (a - mean) / math.sqrt(variance + EPS) + b for a, g, b in parts]


def normal(axis=-1, ddof=0):
    def answer(x, gain, bias):
        mean, var = x.mean(axis, keepdims=True), x.var(axis, ddof=ddof, keepdims=True)
        return gain * (x - mean) / np.sqrt(var + EPS) + bias

    return answer


wrong("epsilon-outside-root")(
    lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + EPS) + b
    )
)
wrong("wrong-axis")(
    lambda x, g, b: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var() + EPS) * g + b
)
wrong("unbiased-variance")(normal(ddof=1))
wrong("epsilon-missing")(
    lambda x, g, b: g * (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True) + b
)
wrong("other-epsilon")(
    lambda x, g, b: layer_norm(x, g, b, eps=1e-6),
    lambda x, g, b: layer_norm(x, g, b, eps=1e-12),
)
wrong("variance-not-rooted")(
    lambda x, g, b: (
        g * (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + EPS) + b
    )
)
wrong("mean-not-subtracted")(
    lambda x, g, b: g * x / np.sqrt(x.var(-1, keepdims=True) + EPS) + b
)
wrong("gain-ignored")(lambda x, g, b: layer_norm(x, np.ones_like(g), b))
wrong("bias-ignored")(lambda x, g, b: layer_norm(x, g))
wrong("gain-bias-swapped")(lambda x, g, b: layer_norm(x, b, g))
wrong("bias-before-gain")(lambda x, g, b: g * (layer_norm(x, np.ones_like(g)) + b))


wrong("unbiased-variance", "epsilon-outside-root")(
    lambda x, g, b: (
        g * (x - x.mean(-1)[..., None]) / (x.std(-1, ddof=1)[..., None] + EPS) + b
    )
)


wrong("unbiased-variance", "wrong-axis")(normal(axis=None, ddof=1), normal(0, ddof=1))


right, wrong = answers_of("encoder_layer")


def norm(x, axis=-1, eps=1e-5, outside=0.0):
    root = np.sqrt(x.var(axis, keepdims=True) + eps) + outside
    return (x - x.mean(axis, keepdims=True)) / root


def network(x, w_1, b_1, w_2, b_2):
    return np.maximum(0, x @ w_1 + b_1) @ w_2 + b_2


@right
def straight(x, weights, *parts, norm=norm, network=network):
    middle = norm(x + weights @ x)
    return norm(middle + network(middle, *parts))


def with_norm(**how):
    return partial(straight, norm=partial(norm, **how))


right(partial(straight, norm=lambda x: layer_norm(x, np.ones(x.shape[-1]))))
wrong("other-epsilon")(*(with_norm(eps=eps) for eps in (1e-3, 1e-4, 1e-6, 1e-8)))
wrong("epsilon-missing")(with_norm(eps=0), with_norm(eps=0, outside=1e-8))
wrong("epsilon-outside-root")(
    with_norm(eps=0, outside=1e-5), with_norm(eps=0, outside=1e-6)
)


for code, *pieces in (
    ("input-added-again", "(middle + → (x +"),
    ("sum-before-norm-added", "(middle + → (x + weights @ x +"),
    ("network-of-input", "network(middle → network(x"),
    ("network-of-attention", "network(middle → network(weights @ x"),
    ("network-of-sum", "network(middle → network(x + weights @ x"),
    ("residual-missing", "x + weights @ x → weights @ x"),
    ("residual-missing", "middle + → "),
    ("norm-missing", "norm(x + weights @ x) → x + weights @ x"),
    ("norm-missing", "norm(middle + → (middle +"),
    ("weights-transposed", "weights @ → np.swapaxes(weights, -1, -2) @"),
    (
        "wrong-axis",
        "weights @ x → weights @ x, axis=-2",
        "*parts)) → *parts), axis=-2)",
    ),
    (
        "normalized-before",
        "norm(x + weights @ x) → x + weights @ norm(x)",
        "norm(middle + network(middle → (middle + network(norm(middle)",
    ),
    (
        "sum-after-norm",
        "norm(x + weights @ x) → x + norm(weights @ x)",
        "norm(middle + network → (middle + norm(network",
        "*parts)) → *parts)))",
    ),
):
    wrong(code)(changed(straight, *pieces))
wrong("relu-missing")(
    partial(straight, network=lambda x, w, b, v, c: (x @ w + b) @ v + c)
)
