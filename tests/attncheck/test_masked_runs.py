"""What holds without a mask, or at some sizes, is not said of all: it is asked."""

import numpy as np
import pytest

from attncheck import ask
from attnlib import rotary_embedding, softmax

pytestmark = pytest.mark.slow

SLOPES = 2.0 ** -np.arange(1, 9)


def dots(q, k):
    return q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5


def places(q, k, offset=None):
    """Return key − query, the last query at the last key or at an offset."""
    n, m = q.shape[2], k.shape[2]
    offset = m - n if offset is None else offset
    return np.arange(m) - np.arange(n)[:, None] - offset


def hide(scores, seen):
    return softmax(np.where(seen, scores, -1e9))


def mask_of_keys_after(q, k, v, key_padding_mask=None):
    w = softmax(dots(q, k))
    if key_padding_mask is not None:
        w = w * np.asarray(key_padding_mask, bool)[:, None, None]
    return w @ v


def mask_after(q, k, v, mask=None):
    w = softmax(dots(q, k))
    return (w if mask is None else w * np.asarray(mask, bool)) @ v


def scaled_under_a_mask(q, k, v, mask=None):
    """Under a mask, scores are scaled twice: equal scores do not show it."""
    s = dots(q, k)
    return softmax(s if mask is None else np.where(mask, s / 8, -np.inf)) @ v


def scaled_under_a_mask_of_keys(q, k, v, key_mask=None):
    s = dots(q, k)
    if key_mask is not None:
        s = np.where(np.asarray(key_mask, bool)[:, None, None], s / 8, -np.inf)
    return softmax(s) @ v


def first_block_hidden(q, k, v, mask=None):
    """Blocks of 64 keys; where the first is hidden, −∞ less −∞ is NaN."""
    s = dots(q, k) if mask is None else np.where(mask, dots(q, k), -np.inf)
    top = s[..., :64].max(-1, keepdims=True)
    w = np.exp(s - top) if np.isfinite(top).all() else np.full_like(s, np.nan)
    return w / w.sum(-1, keepdims=True) @ v


def numbers_for_one_query(q, k, v, bias=None):
    """One query adds half of the numbers that many add."""
    half = 0.5 if q.shape[2] == 1 else 1.0
    return softmax(dots(q, k) + (0 if bias is None else half * np.asarray(bias))) @ v


def alibi_from_the_start(q, k, v):
    away = np.abs(places(q, k, 0))
    slopes = SLOPES[: q.shape[1], None, None]
    return hide(dots(q, k) - slopes * away, places(q, k) <= 0) @ v


def clamped_offset(q, k, v):
    offset = max(k.shape[2] - q.shape[2], 0)
    return hide(dots(q, k), places(q, k, offset) <= 0) @ v


def one_key_more(q, k, v):
    """Keys of 0 fill blocks of 32; of those that do, one is not hidden."""
    more = int(k.shape[2] % 32 > 0)
    k, v = (np.pad(x, [(0, 0), (0, 0), (0, more), (0, 0)]) for x in (k, v))
    return softmax(dots(q, k)) @ v


def short_last_chunk(q, k, v):
    """Rows of the last, shorter chunk of 64 count its own length."""
    n = q.shape[2]
    full = n - n % 64
    row = np.arange(n)
    row[full:] += full // 64 * (n % 64) - full
    seen = np.arange(k.shape[2]) <= row[:, None] + k.shape[2] - n
    return hide(dots(q, k), seen) @ v


def by_values_for_one_query(q, k, v):
    times = (k.shape[-1] / v.shape[-1]) ** 0.5 if q.shape[2] == 1 else 1.0
    return softmax(dots(q, k) * times) @ v


def capped_fill_of_16(q, k, v, mask=None):
    """Scaled by the columns that fill blocks of 16, and capped after the mask."""
    s = q @ k.swapaxes(-1, -2) / (-(-q.shape[-1] // 16) * 16) ** 0.5
    s = np.where(places(q, k) <= 0, s, -1e9)
    s = s if mask is None else np.where(mask, s, -1e9)
    return softmax(10 * np.tanh(s / 10)) @ v


def window_in_blocks(q, k, v):
    """A window of 24 keys before the own one, read in blocks of 16: one too few."""
    row = np.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
    column = np.arange(k.shape[2])
    read = column >= 16 * (row // 16 - 1)
    return hide(dots(q, k), (column <= row) & (column >= row - 24) & read) @ v


def narrower_later(q, k, v):
    """A window of 16 keys to each side; from query 128 on, 15 before."""
    away = places(q, k, 0)
    before = np.where(np.arange(q.shape[2]) < 128, 16, 15)[:, None]
    return hide(dots(q, k), (away >= -before) & (away <= 16)) @ v


def sink_beside_few(q, k, v):
    """A sink of 0 takes part beside fewer than 64 keys."""
    s = dots(q, k)
    sink = np.full_like(s[..., :1], 0.0 if k.shape[2] < 64 else -np.inf)
    return softmax(np.concatenate([s, sink], -1))[..., :-1] @ v


def short_log2_e(q, k, v):
    return softmax(dots(q, k) * 1.44 * np.log(2)) @ v


def zeroed_keys(q, k, v, key_padding_mask=None):
    """Keys and values of padding are 0, and take part."""
    if key_padding_mask is not None:
        seen = np.asarray(key_padding_mask, bool)[:, None, :, None]
        k, v = k * seen, v * seen
    return softmax(dots(q, k)) @ v


def other_when_long(q, k, v, key_mask=None):
    """Rotary from a table of 128 places, the last of which is used for all after it."""
    q, k = (
        rotary_embedding(x, positions=np.minimum(np.arange(x.shape[2]), 127))
        for x in (q, k)
    )
    s = dots(q, k)
    if key_mask is not None:
        s = np.where(np.asarray(key_mask, bool)[:, None, None], s, -1e9)
    return softmax(s) @ v


MEANT = {
    "window_in_blocks": ({"window": (24, 0)}, "query 32 does not see keys 8–15"),
    "narrower_later": ({"window": (16, 16)}, "With 300 tokens its outputs do not"),
    "sink_beside_few": ({}, "With 300 keys the sink takes no part"),
    "short_log2_e": ({"scale": "1/√d_k"}, "0.9981/√d_k"),
    "mask_of_keys_after": ({"mask": "may attend"}, "multiplied after"),
    "mask_after": ({"mask": "may attend"}, "multiplied after"),
    "scaled_under_a_mask": ({}, "Under a mask, its outputs for 24 queries"),
    "scaled_under_a_mask_of_keys": ({}, "Under a mask of keys, its outputs for 24"),
    "first_block_hidden": ({}, "Under a mask that hides the first keys, its outputs"),
    "numbers_for_one_query": ({}, "Under a mask of numbers, its outputs for 1 query"),
    "alibi_from_the_start": ({}, "ALiBi counts distances as if the first query stood"),
    "one_key_more": ({"normalized": "keys"}, "unless the number of keys is a multiple"),
    "short_last_chunk": ({"alignment": "end"}, "all of them in queries 256–299"),
    "by_values_for_one_query": ({}, "With a single query, 64 columns of queries and"),
    "capped_fill_of_16": ({"scale": "1/√d_k"}, "0.1118 at d_k = 77"),
}


@pytest.mark.parametrize("name", MEANT)
def test_what_is_wrong_is_found_and_said_of_its_sizes_alone(name):
    meant, words = MEANT[name]
    report = ask(globals()[name], meant=meant)
    assert any(words in str(problem) for problem in report.problems), report


@pytest.mark.parametrize("function", [mask_of_keys_after, mask_after])
def test_a_mask_after_the_softmax_is_said_where_none_was_meant(function):
    report = ask(function)
    assert "the weights that are left add up to less than 1" in report.verdict
    assert report.facts["mask"] == "multiplied after"
    assert ask(function, meant={"mask": "multiplied after"}).verdict.endswith("found.")


def test_a_corner_of_its_own_for_more_queries_is_said_once():
    report = ask(clamped_offset, meant={"alignment": "end", "empty_row": "zeros"})
    assert not report.problems
    assert report.verdict.count("at the first query") == 1
    assert "may attend to nothing" not in str(report)  # no query is left without keys
    assert not any("at the first query" in line for line in report.notes)


def test_a_cap_after_the_mask_is_no_mask_in_place_of_the_own_one():
    assert "takes the place" not in str(ask(capped_fill_of_16))


def test_a_key_of_zeros_is_no_sink():
    report = ask(one_key_more)
    assert report.facts["normalized"] == "no"
    assert "A sink" not in str(report)
    assert "multiple of 32" in report.problems[0].sentence
    assert len(report.problems) == 1


def test_keys_that_are_set_to_zero_are_not_multiplied_after():
    report = ask(zeroed_keys)
    assert report.facts["mask"] != "multiplied after", report
    assert "multiplied" not in str(report)


def test_what_is_wrong_without_a_mask_is_not_said_of_a_mask():
    report = ask(other_when_long)
    assert "with 130 tokens its outputs do not follow" in report.verdict
    assert not report.problems


def test_fewer_bits_are_noted_once():
    def coarse(query, key, value):
        scores = dots(query, key).astype(np.float16).astype(np.float32)
        return softmax(scores) @ value

    report = ask(coarse, meant={"grouping": "tile", "scale": "1/d_k"})
    assert report.problems
    assert str(report).count("are right to about") == 1, report


def test_places_may_be_counted_among_the_keys_that_stay():
    """Padding of a batch is often on the left; positions begin after it."""

    def counted(query, key, value, key_padding_mask=None):
        place = np.arange(key.shape[2])
        if key_padding_mask is not None:
            place = (np.cumsum(key_padding_mask, -1) - 1)[:, None]
        if query.shape[2] != key.shape[2]:
            raise ValueError("as many queries as keys are wanted")
        query, key = (rotary_embedding(x, positions=place) for x in (query, key))
        scores = dots(query, key)
        if key_padding_mask is not None:
            seen = np.asarray(key_padding_mask, bool)[:, None, None]
            scores = np.where(seen, scores, -1e9)
        return softmax(scores) @ value

    report = ask(counted)
    assert report.facts["mask"] == "may attend", report
    assert not report.problems, report
