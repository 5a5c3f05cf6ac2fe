"""Faults that show at one end alone: a last sentence, last columns, a first key."""

import numpy as np
import pytest
from attentions import make

from attncheck import ask

pytestmark = pytest.mark.slow

PLAIN = make()


def last_sentence_for_all(q, k, v):
    output = PLAIN(q, k, v)
    return np.repeat(output[-1:], len(output), axis=0)


def keys_of_the_last(q, k, v):
    return PLAIN(q, np.broadcast_to(k[-1:], k.shape), v)


def full_fours(q, k, v):
    d = q.shape[-1]
    q = q * ((d - d % 4) / d) ** 0.5  # so that the scale is that of d columns
    return PLAIN(q[..., : d - d % 4], k[..., : d - d % 4], v)


def as_many_columns(q, k, v):
    output = PLAIN(q, k, v)
    output[..., q.shape[-1] :] = 0
    return output


def one_later(x):
    return np.concatenate([np.zeros_like(x[..., :1, :]), x[..., :-1, :]], axis=-2)


CASES = {
    "sentences": (last_sentence_for_all, "mixed-axes", "of other sentences"),
    "keys of the last": (keys_of_the_last, "mixed-axes", "of the keys reaches"),
    "columns": (
        full_fours,
        "columns",
        "With 77 columns, the last is not multiplied for the scores",
    ),
    "more columns": (as_many_columns, "value-columns", "and 128 of values, outputs"),
    "keys": (
        lambda q, k, v: PLAIN(q, one_later(k), v),
        "keys",
        "Keys stand one place too late: the first is 0",
    ),
    "values": (
        lambda q, k, v: PLAIN(q, k, one_later(v)),
        "values",
        "Values stand one place too late: the first is 0",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_named(name):
    function, code, words = CASES[name]
    report = ask(function)
    said = {problem.code: problem.sentence for problem in report.problems}
    assert words in said.get(code, ""), str(report)


def test_a_first_key_of_0_is_not_called_hidden():
    report = ask(CASES["keys"][0])
    assert {"tail-dropped", "mask-leaks"}.isdisjoint(p.code for p in report.problems)
