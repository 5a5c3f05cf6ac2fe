"""Wrong and right answers for next_token_loss, in several styles."""

import math

import numpy as np
import pytest

from attnlib import cross_entropy
from tests.attncourse.practice.judging import assert_found, assert_passes, soft

NAME = "next_token_loss"


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


def by_logaddexp(logits, token_ids):
    x = logits[..., :-1, :]
    one_hot = token_ids[..., 1:, None] == np.arange(x.shape[-1])
    right = np.where(one_hot, x, 0).sum(axis=-1)
    return (np.logaddexp.reduce(x, axis=-1) - right).mean()


@pytest.mark.parametrize(
    "answer",
    [
        lambda x, ids: cross_entropy(x[..., :-1, :], ids[..., 1:]).mean(),
        by_logaddexp,
        by_loops(careful),
    ],
)
def test_right(answer):
    assert_passes(NAME, answer)


def through(weigh, finish=np.mean):
    """Take the logarithm of the weights that weigh makes of the logits."""

    def answer(logits, token_ids):
        with np.errstate(all="ignore"):
            logs = np.log(weigh(logits[..., :-1, :]))
        return finish(-np.take_along_axis(logs, token_ids[..., 1:, None], -1)[..., 0])

    return answer


def added_up(logits, token_ids):
    return cross_entropy(logits[..., :-1, :], token_ids[..., 1:]).sum()


def wrapped(logits, token_ids):
    return cross_entropy(logits, np.roll(token_ids, -1, axis=-1)).mean()


WRONG = {
    "targets-not-shifted": [
        lambda x, ids: cross_entropy(x, ids).mean(),
        lambda x, ids: cross_entropy(x[..., :-1, :], ids[..., :-1]).mean(),
        lambda x, ids: cross_entropy(x[..., 1:, :], ids[..., 1:]).mean(),
        by_loops(careful, shift=0),
    ],
    "shifted-backwards": [
        lambda x, ids: cross_entropy(x[..., 1:, :], ids[..., :-1]).mean(),
    ],
    "wraps-around": [wrapped],
    "wrong-axis": [
        through(lambda x: soft(x.mT).mT),
        lambda x, ids: (
            -np.take_along_axis(
                x - np.logaddexp.reduce(x, axis=-2, keepdims=True),
                np.roll(ids, -1, -1)[..., None],
                -1,
            )[..., :-1, :].mean()
        ),
    ],
    "not-averaged": [
        added_up,
        through(soft, finish=lambda each: each),
        through(soft, finish=lambda each: each.mean(axis=-1)),
    ],
    "divided-by-all-places": [lambda x, ids: added_up(x, ids) / ids.size],
    "not-normalised": [by_loops(lambda row, i: -row[i])],
    "softmax-without-log": [by_loops(lambda row, i: math.exp(-careful(row, i)))],
    "log-of-the-mean": [
        through(soft, finish=lambda each: -np.log(np.exp(-each).mean())),
    ],
    "sign-flipped": [lambda x, ids: -by_logaddexp(x, ids)],
    "other-base": [by_loops(lambda row, i: careful(row, i) / math.log(2))],
    "overflow": [through(lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))],
}
CASES = [(code, answer) for code, answers in WRONG.items() for answer in answers]


@pytest.mark.parametrize(("code", "answer"), CASES)
def test_wrong(code, answer):
    with np.errstate(all="ignore"):
        assert_found(NAME, code, answer)
