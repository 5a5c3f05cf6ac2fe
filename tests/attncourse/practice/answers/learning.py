"""Right and wrong answers to the exercises of lesson 10, in several styles."""

import math
from functools import partial

import numpy as np

from attncourse.toys.gradients import cross_entropy_vjp
from attnlib import cross_entropy, scaled_dot_product_attention
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, flip, soft

right, wrong = answers_of("attention_gradient")


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
def in_float32(*inputs):
    return by_einsum(*(x.astype("f4") for x in inputs))


wrong("scale-missing-in-gradient")(
    lambda *four: [(built(after=1) if i == 1 else built())(*four)[i] for i in range(3)],
    lambda *four: [(built() if i else built(after=1))(*four)[i] for i in range(3)],
)


wrong("softmax-jacobian-missing")(
    built(back=lambda w, g: w * g), built(back=lambda w, g: w * (1 - w) * g)
)
wrong("wrong-axis")(
    built(back=lambda w, g: w * (g - (w * g).sum(-2, keepdims=True))),
    built(soft=lambda s: flip(soft(flip(s)))),
)
wrong("overflow")(built(soft=lambda s: np.exp(s) / np.exp(s).sum(-1, keepdims=True)))
wrong("gradients-out-of-order")(lambda *inputs: built()(*inputs)[::-1])
wrong("sign-flipped")(lambda *inputs: [-g for g in built()(*inputs)])
wrong("gradients-out-of-order", "sign-flipped")(
    lambda *inputs: [-g for g in built()(*inputs)[::-1]]
)
wrong("missing-scale", "scale-missing-in-gradient")(built(forward=1, after=1))
wrong("softmax-jacobian-missing", "scale-missing-in-gradient")(
    built(back=lambda w, g: g, after=1)
)
wrong("wrong-type")(lambda *inputs: dict(zip("qkv", by_einsum(*inputs), strict=True)))


wrong("returned-none", says="None for grad_query and grad_key")(
    lambda q, k, v, g: (None, None, v)
)
wrong("mean-instead-of-sum")(
    built(back=lambda w, g: w * (g - (w * g).mean(-1, keepdims=True)))
)


right, wrong = answers_of("next_token_loss")


def by_loops(answer_at):
    """Add up answer_at(row of logits, id) over texts and places, and divide."""

    def answer(logits, token_ids):
        places, symbols = logits.shape[-2:]
        texts = zip(
            logits.reshape(-1, places, symbols).tolist(),
            token_ids.reshape(-1, places).tolist(),
            strict=True,
        )
        found = [
            answer_at(rows[i], ids[i + 1])
            for rows, ids in texts
            for i in range(places - 1)
        ]
        return sum(found) / len(found)

    return answer


def careful(row, i):
    return max(row) - row[i] + math.log(sum(math.exp(x - max(row)) for x in row))


def by_logaddexp(logits, token_ids):
    x = logits[..., :-1, :]
    one_hot = token_ids[..., 1:, None] == np.arange(x.shape[-1])
    right = np.where(one_hot, x, 0).sum(axis=-1)
    return (np.logaddexp.reduce(x, axis=-1) - right).mean()


def through(weigh, finish=np.mean):
    """Take the logarithm of the weights that weigh makes of the logits."""

    def answer(logits, token_ids):
        with np.errstate(all="ignore"):
            logs = np.log(weigh(logits[..., :-1, :]))
        return finish(-np.take_along_axis(logs, token_ids[..., 1:, None], -1)[..., 0])

    return answer


@wrong("not-averaged")
def added_up(logits, token_ids):
    return cross_entropy(logits[..., :-1, :], token_ids[..., 1:]).sum()


wrong("wraps-around")(lambda x, ids: cross_entropy(x, np.roll(ids, -1, -1)).mean())
wrong("texts-shifted")(lambda x, ids: cross_entropy(x[:-1], ids[1:]).mean())


right(lambda x, ids: cross_entropy(x[..., :-1, :], ids[..., 1:]).mean())
wrong("targets-not-shifted")(lambda x, ids: cross_entropy(x, ids).mean())
wrong("shifted-backwards")(
    lambda x, ids: cross_entropy(x[..., 1:, :], ids[..., :-1]).mean()
)
wrong("wrong-axis", "overflow")(through(lambda x: soft(x.mT).mT))
wrong("wrong-axis")(
    lambda x, ids: (
        -np.take_along_axis(
            x - np.logaddexp.reduce(x, axis=-2, keepdims=True),
            np.roll(ids, -1, -1)[..., None],
            -1,
        )[..., :-1, :].mean()
    ),
)
wrong("not-averaged", "overflow")(
    through(soft, finish=lambda each: each),
    through(soft, finish=lambda each: each.mean(axis=-1)),
)
wrong("divided-by-all-places")(lambda x, ids: added_up(x, ids) / ids.size)
wrong("not-normalized")(by_loops(lambda row, i: -row[i]))
wrong("softmax-without-log")(by_loops(lambda row, i: math.exp(-careful(row, i))))
wrong("log-of-the-mean")(
    through(soft, finish=lambda each: -np.log(np.exp(-each).mean()))
)
wrong("sign-flipped")(lambda x, ids: -by_logaddexp(x, ids))
wrong("other-base")(by_loops(lambda row, i: careful(row, i) / math.log(2)))
wrong("maximum-not-added")(by_loops(lambda row, i: careful(row, i) - max(row)))
wrong("overflow")(through(lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)))


@wrong("every-place-with-every-token", "targets-not-shifted", "overflow")
def each_place_with_all(logits, targets):
    logs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return -logs[..., targets].mean()


right, wrong = answers_of("training_loop")


@right
def loop(
    x, w, ids, rate, steps, *, causal=True, shift=1, mean=True, sign=-1, softmax=soft
):
    heads = scaled_dot_product_attention(x, x, x, is_causal=causal)
    asked, targets = heads[: len(ids) - shift], ids[shift:]
    for _ in range(steps):
        grad = softmax(asked @ w)
        grad[np.arange(len(targets)), targets] -= 1
        w = w + sign * rate * asked.T @ grad / (len(targets) if mean else 1)
    return w


@right
def by_vjp(x, w, ids, rate, steps):
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]
    each = np.full(len(asked), 1 / len(asked))
    for _ in range(steps):
        w = w - rate * asked.T @ cross_entropy_vjp(asked @ w, ids[1:], each)
    return w


wrong("gradient-computed-once")(
    lambda x, w, ids, rate, steps: w + steps * (loop(x, w, ids, rate, 1) - w)
)
wrong("wraps-around")(
    lambda x, w, ids, *how: loop(x, w, np.roll(ids, -1), *how, shift=0)
)
wrong("mask-after-softmax")(
    changed(
        loop,
        "scaled_dot_product_attention(x, x, x, is_causal=causal) → "
        "np.tri(len(x)) * soft(x @ x.T / x.shape[-1] ** 0.5) @ x",
    )
)


wrong("mask-forgotten")(partial(loop, causal=False))
wrong("targets-not-shifted")(partial(loop, shift=0))
wrong("gradient-not-averaged")(partial(loop, mean=False))
wrong("uphill")(partial(loop, sign=1))
wrong("wrong-axis")(partial(loop, softmax=lambda z: soft(z.T).T))
wrong("wrong-number-of-steps")(lambda x, w, ids, rate, steps: loop(x, w, ids, rate, 1))
wrong("mask-forgotten", "gradient-not-averaged")(
    partial(loop, causal=False, mean=False)
)
