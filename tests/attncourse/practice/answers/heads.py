"""Right and wrong answers to the exercises of lesson 6, in several styles."""

import math

import numpy as np

from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import flip, merge, naive, soft, split

right, wrong = answers_of("split_heads")


@right
def split_by_slices(x, n_heads):
    d_head = x.shape[-1] // n_heads
    parts = [x[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)]
    return np.stack(parts, axis=-3)


@wrong("heads-without-transpose")
def cut(x, n_heads):
    """(..., n, n_heads, d_head): only the first half of the work."""
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)


wrong("heads-without-transpose")(
    lambda x, n_heads: x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1),
    # The line that most posts print: right for no array that has a batch.
    lambda x, n_heads: x.reshape(n_heads, -1, x.shape[-1] // n_heads),
    lambda x, n_heads: flip(x).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1),
)
wrong("sizes-swapped")(
    lambda x, n_heads: np.swapaxes(x.reshape(*x.shape[:-1], -1, n_heads), -2, -3)
)


wrong("wrong-axis")(
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -2),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), -1, -3),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), 0, 1),
    lambda x, n_heads: np.swapaxes(cut(x, n_heads), 1, 2),
    lambda x, n_heads: np.stack(np.split(x, n_heads, axis=-1)),
    lambda x, n_heads: np.stack([x[..., h::n_heads] for h in range(n_heads)], -3),
)


wrong("wrong-shape")(lambda x, n_heads: np.squeeze(split_by_slices(x, n_heads)))


right, wrong = answers_of("merge_heads")


@right
def merge_by_loops(x):
    if x.ndim > 3:
        return [merge_by_loops(one) for one in x]
    return [[number for head in x for number in head[i]] for i in range(x.shape[1])]


def unmerge(x):
    *batch, n_heads, n, d_head = x.shape
    return x.reshape(*batch, n, n_heads * d_head)


wrong("heads-without-transpose")(unmerge)
wrong("heads-reversed")(lambda x: merge(x[..., ::-1, :, :]))


wrong("wrong-axis")(
    lambda x: np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], -2),
    lambda x: np.concatenate(list(x), axis=0),
    lambda x: np.concatenate(list(x), axis=-1),
    lambda x: np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1),
    lambda x: np.swapaxes(x, 0, 1).reshape(*x.shape[:-3], x.shape[-2], -1),
    lambda x: np.swapaxes(x, 1, 2).reshape(*x.shape[:-3], x.shape[-2], -1),
)
wrong("heads-added-up")(lambda x: x.sum(axis=-3), lambda x: np.mean(x, axis=-3))
wrong("heads-not-joined")(lambda x: np.moveaxis(x, -3, -2))


@wrong(
    "heads-without-transpose",
    "result-unused",
    says="`np.swapaxes(heads, -2, -3)`, has no effect",
)
def a_line_without_effect(heads):
    *batch, n_heads, n_tokens, d = heads.shape
    np.swapaxes(heads, -2, -3)
    return heads.reshape(*batch, n_tokens, n_heads * d)


right, wrong = answers_of("multi_head_attention")


def by_heads(x, w_query, w_key, w_value, w_output, n_heads):
    """One head after the other."""
    d_head = x.shape[-1] // n_heads
    outputs = []
    for h in range(n_heads):
        own = slice(h * d_head, (h + 1) * d_head)
        q, k, v = (x @ w[:, own] for w in (w_query, w_key, w_value))
        scores = np.einsum("...qd,...kd->...qk", q, k) / math.sqrt(d_head)
        outputs.append(soft(scores) @ v)
    return np.concatenate(outputs, axis=-1) @ w_output


@right
def in_float32(x, *rest):
    *weights, n_heads = rest
    return by_heads(x.astype("f4"), *(w.astype("f4") for w in weights), n_heads)


def built(**parts):
    """A right answer with some of its parts replaced."""
    cut, join = parts.get("split", split), parts.get("merge", merge)
    weigh = parts.get("soft", soft)
    score = parts.get("score", lambda q, k: q @ flip(k) / math.sqrt(q.shape[-1]))
    project, last = parts.get("project", np.matmul), parts.get("last", np.matmul)

    def answer(x, w_query, w_key, w_value, w_output, n_heads):
        projected = (project(x, w) for w in (w_query, w_key, w_value))
        q, k, v = (cut(one, n_heads) for one in projected)
        return last(join(weigh(score(q, k)) @ v), w_output)

    return answer


def unsplit(x, n_heads):
    *batch, n, d_model = x.shape
    return x.reshape(*batch, n_heads, n, d_model // n_heads)


wrong("scaled-by-d_model")(
    lambda x, *rest: built(score=lambda q, k: q @ flip(k) / np.sqrt(x.shape[-1]))(
        x, *rest
    )
)
wrong("missing-output-projection")(
    lambda x, q, k, v, o, h: by_heads(x, q, k, v, np.eye(x.shape[-1]), h)
)
wrong("heads-without-transpose")(built(merge=unmerge))
wrong("weights-transposed")(
    built(project=lambda x, w: x @ w.T),
    lambda x, q, k, v, o, h: by_heads(x, q, k, v, o.T, h),
)
wrong("wrong-axis")(built(soft=lambda s: naive(s, axis=-3)))
wrong("value-key-swapped")(lambda x, q, k, v, o, h: by_heads(x, q, v, k, o, h))
wrong("overflow")(built(soft=naive))
wrong("normalized-over-everything", "overflow")(
    built(soft=lambda s: np.exp(s) / np.exp(s).sum())
)
wrong("one-head-only")(lambda x, q, k, v, o, h: by_heads(x, q, k, v, o, 1))
wrong("missing-scale", "missing-output-projection")(
    built(score=lambda q, k: q @ flip(k), last=lambda joined, w: joined)
)
wrong("missing-scale", "wrong-axis")(
    built(score=lambda q, k: q @ flip(k), soft=lambda s: flip(soft(flip(s))))
)
wrong("heads-without-transpose", "overflow")(built(split=unsplit, soft=naive))
wrong("scaled-by-d_k", "heads-without-transpose")(
    built(score=lambda q, k: q @ flip(k) / k.shape[-1], merge=unmerge)
)


wrong("one-head-only")(
    lambda x, q, k, v, o, h: (
        attend(x @ q, x @ k, x @ v, scale=(x.shape[-1] / h) ** -0.5) @ o
    )
)
wrong("normalized-over-everything")(
    built(
        soft=lambda s: (
            (p := np.exp(s - s.max(axis=(-3, -1), keepdims=True)))
            / p.sum(axis=(-3, -1), keepdims=True)
        )
    )
)
wrong("mask-not-asked")(
    built(soft=lambda s: soft(np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf)))
)


@wrong("heads-added-up")
def all_values_in_each_head(x, w_query, w_key, w_value, w_output, n_heads):
    output = 0
    for part in np.split(np.arange(x.shape[-1]), n_heads):
        query, key = x @ w_query[:, part], x @ w_key[:, part]
        output = output + attend(query, key, x @ w_value) @ w_output
    return output


@wrong("input-overwritten")
def queries_as_input(x, w_query, w_key, w_value, w_output, n_heads):
    def split(rows):
        return np.moveaxis(rows.reshape(*rows.shape[:-1], n_heads, -1), -2, -3)

    x = x @ w_query
    rows = attend(split(x), split(x @ w_key), split(x @ w_value))
    return np.moveaxis(rows, -3, -2).reshape(x.shape) @ w_output


@wrong("one-piece-wrong", says="h:h + d)` in line")
def overlapping(x, w_query, w_key, w_value, w_output, n_heads):
    d = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        query, key = x @ w_query[:, h : h + d], x @ w_key[:, h : h + d]
        heads.append(attend(query, key, x @ w_value[:, h : h + d]))
    return np.concatenate(heads, axis=-1) @ w_output


@wrong("last-round-only", says="`z = attend")
def last_head(x, w_query, w_key, w_value, w_output, n_heads):
    d = x.shape[-1] // n_heads
    for h in range(n_heads):
        c = slice(h * d, h * d + d)
        z = attend(x @ w_query[:, c], x @ w_key[:, c], x @ w_value[:, c])
    return z @ w_output[c]


# With seed 5 the heads of the first case have two columns: d_k ** 1 / 2 is 1.
wrong("missing-scale", seeds=(5,))(built(score=lambda q, k: q @ flip(k)))
