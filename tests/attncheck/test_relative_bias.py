"""A bias that depends on key − query is measured; what only resembles one is not."""

from __future__ import annotations

import numpy as np
import pytest

from attncheck import ask
from attnlib import alibi_bias, softmax

pytestmark = pytest.mark.slow

TABLE = np.random.default_rng(3).normal(size=(8, 32))  # for each head and bucket
PLACE = np.arange(600)


def bucket(away: np.ndarray) -> np.ndarray:
    """Return T5's bucket of key − query, for attention to both sides."""
    near = np.abs(away)
    far = 8 + (np.log(np.maximum(near, 1) / 8) / np.log(16) * 8).astype(int)
    return np.where(away > 0, 16, 0) + np.where(near < 8, near, np.minimum(far, 15))


def make(*, bias, corner="start", causal=False, scale=1.0):
    """Return attention with bias(away, keys), added to heads of queries and keys."""

    def attention(q, k, v):
        n, m = q.shape[-2], k.shape[-2]
        k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
        start = m - n if corner == "end" else 0
        away = PLACE[:m] - PLACE[:n, None] - start
        added = bias(away, PLACE[:m])
        scores = scale * (q @ k.swapaxes(-1, -2)) + added[: q.shape[1]]
        if causal:
            scores = np.where(away > 0, -np.inf, scores)
        return (softmax(scores) @ v).astype(q.dtype)

    return attention


def t5(away, keys):
    return TABLE[:, bucket(away)]


def one_key_twice(away, keys):
    return np.broadcast_to(np.log(2) * (keys == 3), (8, *away.shape))


def every_eighth_key_twice(away, keys):
    return np.broadcast_to(np.log(2) * (keys % 8 == 0), (8, *away.shape))


def waves(away, keys):
    return np.broadcast_to(np.sin(keys), (8, *away.shape))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("corner", ["start", "end"])
def test_the_bias_of_t5_is_measured_and_the_rest_asked_beside_it(corner, causal):
    function = make(bias=t5, corner=corner, causal=causal)
    alignment = corner if causal else "none"
    report = ask(function, meant={"scale": 1.0, "alignment": alignment})
    assert report.status == 0, report
    assert "a bias that depends on key − query" in report.verdict
    measured = np.array(report.details["relative_bias"][0])
    away = np.arange(measured.size) - measured.size // 2
    wanted = t5(away, None)[0] - t5(np.zeros(1, int), None)[0]
    known = away <= 0 if causal else away == away
    assert np.allclose(measured[known], wanted[known], atol=1e-3)
    assert report.details["bits"] > 18
    said = "the last query stands at the last key" in " ".join(report.sentences)
    assert said == (corner == "end" and not causal)


@pytest.mark.parametrize("bias", [one_key_twice, every_eighth_key_twice, waves])
def test_what_depends_on_the_key_itself_is_no_such_bias(bias):
    report = ask(make(bias=bias))
    assert report.status == 2, report
    assert "key − query" not in str(report)


def test_it_is_another_thing_than_the_positions_that_were_meant():
    report = ask(make(bias=t5), meant={"position": "alibi"})
    assert [problem.code for problem in report.problems] == ["position"]
    assert "a bias that depends on key − query" in report.problems[0].sentence


def test_it_is_no_remark_where_it_was_meant():
    report = ask(make(bias=t5), meant={"scale": 1.0, "position": "other"})
    assert report.verdict == "attention: nothing wrong was found."


def test_a_wrong_scale_beside_it_is_told():
    report = ask(make(bias=t5, scale=0.5), meant={"scale": 1.0, "position": "other"})
    assert [problem.code for problem in report.problems] == ["scale"]


def published_slopes(query, key, value):
    heads, n, m = query.shape[1], query.shape[-2], key.shape[-2]
    place = np.arange(m) - np.arange(n)[:, None] - (m - n)
    slopes = -np.asarray(alibi_bias(heads, 2))[:, 1, 0]
    scores = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    scores = np.where(place <= 1, scores + slopes[:, None, None] * place, -np.inf)
    return softmax(scores) @ value


def test_slopes_that_go_on_rising_for_a_later_key_are_those_of_alibi():
    meant = {"alignment": "end", "slopes": "published"}
    report = ask(published_slopes, meant=meant)
    assert [problem.code for problem in report.problems] == ["alignment"]
    assert report.facts["position"] == "alibi"
    assert "rise from each key to the next" in " ".join(report.sentences)
    assert report.details["bits"] > 18
