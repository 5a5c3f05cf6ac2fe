"""Right and wrong answers for feed_forward, in several styles."""

import numpy as np

import attnlib
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def by_loops(x, w_1, b_1, w_2, b_2):
    if x.ndim > 1:
        return [by_loops(row, w_1, b_1, w_2, b_2) for row in x]
    hidden = [max(0.0, float(x @ w) + b) for w, b in zip(w_1.T, b_1, strict=True)]
    parts = zip(w_2.T, b_2, strict=True)
    return [sum(h * v for h, v in zip(hidden, w, strict=True)) + b for w, b in parts]


@right
def by_where(x, w_1, b_1, w_2, b_2):
    hidden = np.einsum("...d,df->...f", x, w_1) + b_1
    return np.where(hidden > 0, hidden, 0) @ w_2 + b_2


@right
def in_place(x, w_1, b_1, w_2, b_2):
    hidden = x @ w_1
    hidden += b_1
    hidden[hidden < 0] = 0
    return hidden @ w_2 + b_2


def half(x, **how):
    return np.maximum(x, how.get("floor", 0))


right(attnlib.feed_forward)
wrong("relu-missing")(
    lambda x, w, b, v, c: (x @ w + b) @ v + c,
    lambda x, w, b, v, c: x @ (w @ v) + b @ v + c,
)
wrong("relu-at-the-end")(lambda x, w, b, v, c: half((x @ w + b) @ v + c))
wrong("relu-twice")(lambda x, w, b, v, c: half(half(x @ w + b) @ v + c))
wrong("cut-on-the-other-side")(
    lambda x, w, b, v, c: np.clip(x @ w + b, None, 0) @ v + c
)
wrong("absolute-value")(lambda x, w, b, v, c: np.sqrt((x @ w + b) ** 2) @ v + c)
wrong("bias-ignored")(
    lambda x, w, b, v, c: half(x @ w) @ v + c,
    lambda x, w, b, v, c: half(x @ w + b) @ v,
    lambda x, w, b, v, c: half(x @ w) @ v,
)
wrong("bias-after-cut")(lambda x, w, b, v, c: (half(x @ w) + b) @ v + c)
wrong("input-added")(lambda x, *network: x + attnlib.feed_forward(x, *network))
