"""Faults that few keys, as many key heads, or masks of four axes do not show."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attncheck import ask
from attnlib import alibi_bias, rotary_embedding, softmax

pytestmark = pytest.mark.slow


def scores(q, k):
    return q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5


def shared(q, k, how="repeat"):
    """Give each query head its key (or value) head."""
    groups = q.shape[1] // k.shape[1]
    tiled = np.tile(k, (1, groups, 1, 1))
    return tiled if how == "tile" else np.repeat(k, groups, 1)


def said(report):
    return " ".join(" ".join(str(problem) for problem in report.problems).split())


def in_words(report):
    return " ".join(str(report).split())


def causal(s):
    n, m = s.shape[-2:]
    return np.where(np.arange(m) <= np.arange(n)[:, None] + m - n, s, -np.inf)


def forgets_a_block(q, k, v):
    """The keys of a block of 32 queries end where they end without the offset."""
    s = causal(scores(q, shared(q, k)))
    n, m = s.shape[-2:]
    end = (np.arange(n) // 32 + 1)[:, None] * 32
    s = np.where((np.arange(m) >= end) & (m > n), -np.inf, s)
    return softmax(s) @ shared(q, v)


def one_key_too_many(q, k, v):
    """A window of 32 keys, and of 33 for a single query."""
    s = causal(scores(q, k))
    n, m = s.shape[-2:]
    left = 32 if n == 1 else 31
    near = np.arange(m) >= np.arange(n)[:, None] + m - n - left
    return softmax(np.where(near, s, -np.inf)) @ v


def other_values_for_one(q, k, v):
    how = "tile" if q.shape[2] == 1 else "repeat"
    return softmax(scores(q, shared(q, k))) @ shared(q, v, how)


def rows_of_48(q, k, v):
    """ALiBi whose rows are counted anew after 48 queries."""
    n, m = q.shape[2], k.shape[2]
    away = np.abs(np.arange(n)[:, None] % 48 - np.arange(m))
    slopes = -np.asarray(alibi_bias(q.shape[1], 2))[:, 1, :1]
    return softmax(scores(q, k) - slopes[:, None] * away) @ v


def sinks(per=None):
    def attention(q, k, v):
        s = scores(q, k)
        times = math.ceil(k.shape[2] / per) if per else 1
        weights = np.exp(s)
        return weights / (weights.sum(-1, keepdims=True) + times) @ v

    return attention


def narrow_when_long(q, k, v):
    weights = softmax(scores(q, k))
    if k.shape[2] > 128:
        weights = weights.astype(np.float16)
    return (weights @ v).astype(np.float32)


def chunks_without_offset(q, k, v):
    """Causal at the last key; at the first, where queries fill blocks of 32."""
    s = scores(q, k)
    n, m = s.shape[-2:]
    offset = 0 if n % 32 == 0 else m - n
    allowed = np.arange(m) <= np.arange(n)[:, None] + offset
    return softmax(np.where(allowed, s, -np.inf)) @ v


MANY = {
    "a block": (forgets_a_block, "With a single query and 40 keys, its outputs do not"),
    "a window": (one_key_too_many, "With a single query and 40 keys, its outputs do"),
    "values of one": (
        other_values_for_one,
        "With a single query and two key heads for six query heads, its outputs do not",
    ),
    "rows": (rows_of_48, "With 70 tokens its outputs do not follow from the facts"),
    "sinks of 64": (sinks(64), "A sink takes part once in each block of 64 keys."),
    "sinks of 32": (sinks(32), "A sink takes part once in each block of 32 keys."),
    "chunks": (chunks_without_offset, "With 128 queries and 300 keys its outputs do"),
}


@pytest.mark.parametrize("name", MANY)
def test_many_keys_are_asked(name):
    function, words = MANY[name]
    report = ask(function)
    assert words in said(report)
    codes = [problem.code for problem in report.problems]
    assert set(codes[1:]) <= {"wrong-when-long"}  # (it shows there, too)
    assert not report.unexplained


def test_one_sink_for_all_blocks_is_right():
    report = ask(sinks(), meant={"normalized": "sink"})
    assert report.status == 0
    assert "A sink takes part once" not in in_words(report)
    assert "bits only" not in in_words(report)


def test_bits_of_many_keys_are_told():
    report = ask(narrow_when_long)
    assert report.status == 0
    assert "but with 300 keys its numbers are right to about" in in_words(report)
    assert report.details["bits"] > 18


@pytest.mark.parametrize("longest", [64, 100])
def test_angles_that_change_with_the_length_are_no_problem(longest):
    def dynamic(q, k, v):
        base = 1e4 * max(1.0, k.shape[2] / longest)
        q, k = (rotary_embedding(x, base=base) for x in (q, k))
        return softmax(scores(q, k)) @ v

    report = ask(dynamic, meant={"position": "rotary"})
    assert report.status == 0
    assert "tokens its outputs do not follow from" in in_words(report)


def sink_of_head(order):
    """Sinks of 6 heads on two key heads; `order` says whose each head gets."""

    def attention(q, k, v):
        heads, groups = q.shape[1], q.shape[1] // k.shape[1]
        whose = np.arange(heads)
        if order == "turned" and 1 < groups < heads:
            whose = whose.reshape(-1, groups).T.reshape(-1)
        sink = (whose * 0.7 - 1)[:, None, None]
        weights = np.exp(scores(q, shared(q, k)))
        total = weights.sum(-1, keepdims=True) + np.exp(sink)
        return weights / total @ shared(q, v)

    return attention


def test_sinks_of_shared_heads():
    meant = {"normalized": "sink", "grouping": "repeat"}
    assert ask(sink_of_head(""), meant=meant).problems == []
    report = ask(sink_of_head("turned"), meant=meant)
    assert "as when sinks are those of the key heads, or of others" in said(report)


def turned_by_place(single):
    """Queries are rotated from place 0, though the last stands at the last key."""

    def attention(q, k, v):
        n, m = q.shape[2], k.shape[2]
        first = m - 1 if n == 1 and single else 0
        q = rotary_embedding(q, positions=np.arange(n) + first)
        return softmax(causal(scores(q, rotary_embedding(k)))) @ v

    return attention


def test_a_single_query_that_is_rotated_rightly_is_not_blamed():
    report = ask(turned_by_place(single=True))
    assert [problem.code for problem in report.problems] == ["rotary-offset"]
    assert "A single query is rotated by its place." in in_words(report)
    report = ask(turned_by_place(single=False))
    assert [problem.code for problem in report.problems] == ["rotary-offset"]
    assert "A single query is rotated" not in in_words(report)


def masked(how):
    """Masks, True = may attend, with a fault where `how` says."""

    def attention(q, k, v, mask=None):
        s = scores(q, shared(q, k))
        if mask is not None:
            if how == f"{mask.ndim} axes inverted":
                mask = ~mask
            if how == f"{mask.ndim} axes ignored":
                mask = np.ones_like(mask)
            groups = q.shape[1] // k.shape[1]
            if how == "other heads" and mask.shape[-3:-2] == (q.shape[1],):
                turned = np.arange(q.shape[1]).reshape(-1, groups).T.reshape(-1)
                mask = mask[..., turned, :, :]
            if how == "groups" and groups > 1:
                mask = mask | (np.arange(q.shape[1]) % groups == 1)[:, None, None]
            s = np.where(mask, s, np.float32(-1e30))
            if how == "added, 3 axes" and mask.ndim == 3:
                s = scores(q, shared(q, k)) + mask
        return softmax(s) @ shared(q, v)

    return attention


MASKS = {
    "2 axes inverted": "the same mask as (n_queries, n_keys) means the opposite",
    "3 axes inverted": "same mask as (1, n_queries, n_keys) means the opposite",
    "3 axes ignored": "the same mask as (1, n_queries, n_keys) changes nothing",
    "added, 3 axes": "the same mask as (1, n_queries, n_keys) hides nothing",
    "other heads": "each query head was given a mask of its own, and not every one was",
    "groups": "for six query heads, a mask for all of them is not obeyed in each",
}


@pytest.mark.parametrize("how", MASKS)
def test_masks_of_fewer_axes_and_of_shared_heads(how):
    report = ask(masked(how), meant={"mask": "may attend"})
    assert MASKS[how] in said(report)
    assert len(report.problems) == 1


def of_keys_if_two_axes(q, k, v, mask=None):
    """A mask of two axes is one of the keys of each sentence."""
    s = scores(q, shared(q, k))
    if mask is not None and mask.ndim == 2:
        mask = np.stack([mask[b] for b in range(q.shape[0])])[:, None, None]
    if mask is not None:
        s = np.where(mask, s, np.float32(-1e30))
    return softmax(s) @ shared(q, v)


@pytest.mark.parametrize("function", [masked("right"), of_keys_if_two_axes])
def test_right_masks_get_no_alarm(function):
    report = ask(function, meant={"mask": "may attend", "grouping": "repeat"})
    assert report.problems == []
    assert report.status == 0


def causal_and_masked(own):
    """A query without keys gets zeros under a mask; else what `own` says."""

    def attention(q, k, v, mask=None):
        s = causal(scores(q, k))
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        top = np.maximum(s.max(-1, keepdims=True), -1e30)
        weights = np.exp(s - top)
        total = weights.sum(-1, keepdims=True)
        output = weights / np.where(total > 0, total, 1) @ v
        if own == "mean" and mask is None:
            output = np.where(total > 0, output, v.mean(-2, keepdims=True))
        return output

    return attention


def test_a_row_that_its_own_rule_empties_is_told_apart():
    meant = {"empty_row": "zeros", "alignment": "end"}
    assert ask(causal_and_masked("zeros"), meant=meant).status == 0
    report = ask(causal_and_masked("mean"), meant=meant)
    assert "where its own rule leaves a query no key, it is 'mean'" in said(report)
    words = in_words(ask(causal_and_masked("mean")))
    assert "leaves no key gets a mean of values, not zeros as under a mask" in words
    assert "one to which its own rule leaves none, a mean of values." in words


def two_masks(q, k, v, bias=None, key_padding_mask=None):
    s = scores(q, k)
    s = s if bias is None else s + bias
    if key_padding_mask is not None:
        s = np.where(key_padding_mask[:, None, None, :] != 0, s, -1e30)
    return softmax(s) @ v


def test_what_is_meant_may_be_the_mask_of_keys():
    for meaning in ("added", "may attend"):
        assert ask(two_masks, meant={"mask": meaning}).problems == []
    report = ask(two_masks, meant={"mask": "may not attend"})
    assert "mask was meant to be 'may not attend'; it is 'added'" in said(report)


def rounded_offset(q, k, v):
    """Causal at the last key, if queries are fewer by a multiple of 8."""
    s = scores(q, k)
    n, m = s.shape[-2:]
    allowed = np.arange(m) <= np.arange(n)[:, None] + (m - n) // 8 * 8
    return softmax(np.where(allowed, s, -np.inf)) @ v


def test_an_offset_of_some_lengths_alone_gets_no_corner():
    report = ask(rounded_offset, meant={"alignment": "end"})
    assert report.status == 1
    assert "it is 'start'" not in said(report)
    assert report.facts["alignment"] is None
