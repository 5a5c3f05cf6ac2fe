"""Right and wrong answers for attention_gradient, in several styles."""

import math

import numpy as np

from attnlib import attention_vjp
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


def flip(x):
    return np.swapaxes(x, -1, -2)


def jacobian_product(weights, grad):
    """Row by row with the whole Jacobian."""
    out = np.empty_like(weights)
    for index in np.ndindex(weights.shape[:-1]):
        w = weights[index]
        out[index] = (np.diag(w) - np.outer(w, w)) @ grad[index]
    return out


def built(back=jacobian_product, forward=None, after=None, soft=soft):
    """A right answer with some of its parts replaced."""

    def answer(query, key, value, grad_output):
        root = math.sqrt(query.shape[-1])
        weights = soft(query @ flip(key) / (forward or root))
        grad_scores = back(weights, grad_output @ flip(value)) / (after or root)
        grad_value = flip(weights) @ grad_output
        return grad_scores @ key, flip(grad_scores) @ query, grad_value

    return answer


@right
def by_einsum(query, key, value, grad_output):
    scale = query.shape[-1] ** -0.5
    w = soft(np.einsum("...qd,...kd->...qk", query, key) * scale)
    g = np.einsum("...qv,...kv->...qk", grad_output, value)
    s = scale * (w * g - w * np.einsum("...qk,...qk->...q", w, g)[..., None])
    return [
        np.einsum("...qk,...kd->...qd", s, key),
        np.einsum("...qk,...qd->...kd", s, query),
        np.einsum("...qk,...qv->...kv", w, grad_output),
    ]


@right
def by_output(query, key, value, grad_output):
    """Σ w g is also the product of output and its gradient, as FlashAttention uses."""
    root = query.shape[-1] ** 0.5
    w = soft(query @ flip(key) / root)
    mean = np.sum((w @ value) * grad_output, axis=-1, keepdims=True)
    s = w * (grad_output @ flip(value) - mean) / root
    return (s @ key, flip(s) @ query, flip(w) @ grad_output)


@right
def in_float32(*inputs):
    return by_einsum(*(x.astype("f4") for x in inputs))


@right
def by_lists(*inputs):
    return [gradient.tolist() for gradient in by_einsum(*inputs)]


@wrong("scale-missing-in-gradient")
def only_query_scaled(q, k, v, g):
    (grad_query, _, _), (_, grad_key, grad_value) = (
        built()(q, k, v, g),
        built(after=1)(q, k, v, g),
    )
    return grad_query, grad_key, grad_value


@wrong("softmax-jacobian-missing")
def jacobian_skipped_by_einsum(q, k, v, g):
    scale = q.shape[-1] ** -0.5
    w = soft(np.einsum("...qd,...kd->...qk", q, k) * scale)
    s = np.einsum("...qv,...kv->...qk", g, v) * scale
    return s @ k, flip(s) @ q, flip(w) @ g


right(attention_vjp, built())
wrong("softmax-jacobian-missing")(
    built(back=lambda w, g: g),
    built(back=lambda w, g: w * g),
    built(back=lambda w, g: w * (1 - w) * g),
)
wrong("scale-missing-in-gradient")(
    built(after=1),
    lambda q, k, v, g: (
        built(after=1)(q, k, v, g)[0],
        *built()(q, k, v, g)[1:],
    ),
    lambda *i: [
        a * b
        for a, b in zip(by_einsum(*i), [i[0].shape[-1] ** 0.5] * 2 + [1], strict=True)
    ],
)
wrong("missing-scale")(built(forward=1))
wrong("wrong-axis")(
    built(back=lambda w, g: w * (g - (w * g).sum(-2, keepdims=True))),
    built(soft=lambda s: flip(soft(flip(s)))),
)
wrong("overflow")(built(soft=lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True)))
wrong("gradients-out-of-order")(
    lambda *inputs: built()(*inputs)[::-1],
    lambda *inputs: (
        np.take([*range(3)], [1, 0, 2]) is None
        or [built()(*inputs)[i] for i in (1, 0, 2)]
    ),
)
wrong("sign-flipped")(lambda *inputs: [-g for g in built()(*inputs)])
wrong("missing-scale", "scale-missing-in-gradient")(built(forward=1, after=1))
wrong("softmax-jacobian-missing", "scale-missing-in-gradient")(
    built(back=lambda w, g: g, after=1)
)
wrong("wrong-type")(
    lambda *inputs: by_einsum(*inputs)[0],
    lambda *inputs: by_einsum(*inputs)[:2],
    lambda *inputs: dict(zip("qkv", by_einsum(*inputs), strict=True)),
)
