"""Blocks of keys that are merged wrongly, a key at a time or in parts, are named."""

import numpy as np
import pytest
from attentions import make

from attncheck import ask

pytestmark = pytest.mark.slow


def scores_of(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def running(q, k, v, *, block, keeps, whole=False):
    """Read the keys block by block; what `keeps` names is not rescaled."""
    s, m = scores_of(q, k), k.shape[-2]
    end = m - m % block if whole and m > block else m
    top, output, total = np.full((*s.shape[:-1], 1), -np.inf), 0.0, 0.0
    for start in range(0, end, block):
        part = slice(start, min(start + block, end))
        new = np.maximum(top, s[..., part].max(-1, keepdims=True))
        before, e = np.exp(top - new), np.exp(s[..., part] - new)
        output = output * (1 if "output" in keeps else before) + e @ v[..., part, :]
        total = total * (1 if "sum" in keeps else before) + e.sum(-1, keepdims=True)
        top = new
    return output / total


def in_parts(q, k, v, *, weigh):
    """Attend to four parts of the keys apart, and merge them."""
    size = -(-k.shape[-2] // 4)
    outputs, counts = [], []
    for start in range(0, k.shape[-2], size):
        s = scores_of(q, k[..., start : start + size, :])
        top = s.max(-1, keepdims=True)
        e = np.exp(s - top)
        total = e.sum(-1, keepdims=True)
        outputs.append(e @ v[..., start : start + size, :] / total)
        counts.append(weigh(top, total))
    count = np.stack(counts)
    return (count / count.sum(0) * np.stack(outputs)).sum(0)


def twice(q, k, v, *, places):
    """Count some keys twice."""
    m = k.shape[-2]
    more = places(m)
    k, v = (np.concatenate([x, x[..., more, :]], axis=-2) for x in (k, v))
    return make()(q, k, v)


def moved_back(m):
    return np.arange(m - 16, m - m % 16) if m > 16 and m % 16 else np.arange(0)


CASES = {
    "a key at a time": (
        lambda q, k, v: running(q, k, v, block=1, keeps="output"),
        "The running output is not rescaled when the maximum rises (one key at a time)",
    ),
    "blocks of 64": (
        lambda q, k, v: running(q, k, v, block=64, keeps="sum"),
        "The running sum is not rescaled when the maximum rises (blocks of 64 keys)",
    ),
    "blocks of 128": (
        lambda q, k, v: running(q, k, v, block=128, keeps="output, sum"),
        "and the running sum are not rescaled when the maximum rises (blocks of 128",
    ),
    "parts by maximum": (
        lambda q, k, v: in_parts(q, k, v, weigh=lambda top, total: np.exp(top)),
        "Each of 4 parts of the keys has a softmax of its own, and the outputs are "
        "weighed by the largest scores, not the sums",
    ),
    "parts alike": (
        lambda q, k, v: in_parts(q, k, v, weigh=lambda top, total: 0 * total + 1),
        "Each of 4 parts of the keys has a softmax of its own, and the outputs are "
        "averaged",
    ),
    "overlap": (
        lambda q, k, v: twice(q, k, v, places=moved_back),
        "Some keys before the last block of 16 are counted twice",
    ),
    "ends": (
        lambda q, k, v: twice(q, k, v, places=lambda m: np.arange(8, m, 8)),
        "The first key of each block of 8 but the first is counted twice",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_named(name):
    function, words = CASES[name]
    said = {problem.code: problem.sentence for problem in ask(function).problems}
    assert words in said.get("blocks", ""), said


def test_parts_that_are_merged_by_their_sums_are_right():
    def merged(q, k, v):
        return in_parts(q, k, v, weigh=lambda top, total: np.exp(top) * total)

    report = ask(merged)
    assert (report.problems, report.unexplained) == ([], "")


def test_a_tail_that_is_dropped_is_named_beside_it():
    def both(q, k, v):
        return running(q, k, v, block=32, keeps="output", whole=True)

    first, second = ask(both).problems
    assert (first.code, second.code) == ("tail-dropped", "blocks")
    assert first.sentence == "The keys after the last full block of 32 are dropped."
    assert "not rescaled" in second.sentence
