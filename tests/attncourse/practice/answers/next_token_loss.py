"""Right and wrong answers for next_token_loss, in several styles."""

import math

import numpy as np

from attnlib import cross_entropy
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


def by_loops(answer_at, shift=1):
    """Add up answer_at(row of logits, id) over texts and places, and divide."""

    def answer(logits, token_ids):
        places, symbols = logits.shape[-2:]
        texts = zip(
            logits.reshape(-1, places, symbols).tolist(),
            token_ids.reshape(-1, places).tolist(),
            strict=True,
        )
        found = [
            answer_at(rows[i], ids[i + shift])
            for rows, ids in texts
            for i in range(places - 1)
        ]
        return sum(found) / len(found)

    return answer


def careful(row, i):
    return max(row) - row[i] + math.log(sum(math.exp(x - max(row)) for x in row))


@right
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


@wrong("wraps-around")
def wrapped(logits, token_ids):
    return cross_entropy(logits, np.roll(token_ids, -1, axis=-1)).mean()


right(
    lambda x, ids: cross_entropy(x[..., :-1, :], ids[..., 1:]).mean(), by_loops(careful)
)
wrong("targets-not-shifted")(
    lambda x, ids: cross_entropy(x, ids).mean(),
    lambda x, ids: cross_entropy(x[..., :-1, :], ids[..., :-1]).mean(),
    lambda x, ids: cross_entropy(x[..., 1:, :], ids[..., 1:]).mean(),
    by_loops(careful, shift=0),
)
wrong("shifted-backwards")(
    lambda x, ids: cross_entropy(x[..., 1:, :], ids[..., :-1]).mean()
)
wrong("wrong-axis")(
    through(lambda x: soft(x.mT).mT),
    lambda x, ids: (
        -np.take_along_axis(
            x - np.logaddexp.reduce(x, axis=-2, keepdims=True),
            np.roll(ids, -1, -1)[..., None],
            -1,
        )[..., :-1, :].mean()
    ),
)
wrong("not-averaged")(
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


@wrong("texts-shifted")
def shifted_along_the_first_axis(logits, token_ids):
    return cross_entropy(logits[:-1], token_ids[1:]).mean()
