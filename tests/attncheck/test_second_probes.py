"""A second probe that could refute what the first one suggests: masks, empty rows."""

from __future__ import annotations

import numpy as np
import pytest

from attncheck import ask
from attncheck.patterns import Band, Seen, find_band
from attnlib import alibi_bias, softmax

pytestmark = pytest.mark.slow

LOWEST = np.finfo(np.float32).min


def scores(q, k):
    return q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5


def said(report):
    problems = {p.code: " ".join(str(p).split()) for p in report.problems}
    return problems, " ".join(report.sentences)


def not_below_0(q, k, v, mask=None):
    s = scores(q, k)
    return softmax(s if mask is None else np.where(mask >= 0, s, -1e9)) @ v


def of_the_last_query(q, k, v, mask=None):
    s = scores(q, k)
    return softmax(s if mask is None else np.where(mask[..., -1:, :], s, -1e9)) @ v


def lowered(q, k, v, mask=None):
    s = scores(q, k)
    return softmax(s if mask is None else s + np.where(mask, 0, -1e4)) @ v


def clipped(q, k, v):
    return softmax(scores(q, k).clip(-50, 50)) @ v


def over_heads(q, k, v):
    return softmax(scores(q, k), axis=1) @ v


def over_heads_of_all(q, k, v):
    raised = np.exp(scores(q, k))
    return raised / raised.sum((0, 1), keepdims=True) @ v


def by_both(q, k, v):
    s = q @ k.swapaxes(-1, -2) / (q.shape[-1] + v.shape[-1]) ** 0.5
    return softmax(s) @ v


def by_least(q, k, v):
    s = q @ k.swapaxes(-1, -2) / min(q.shape[-1], v.shape[-1]) ** 0.5
    return softmax(s) @ v


def by_half(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / q.shape[-1] / 2) @ v


def strict_alibi(q, k, v):
    """The first query sees no key: it gets a mean, and no slope."""
    place = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    slopes = -np.asarray(alibi_bias(q.shape[1], 2))[:, 1, 0, None, None]
    return softmax(np.where(place < 0, scores(q, k) + slopes * place, LOWEST)) @ v


def test_a_mask_that_hides_at_minus_1_is_not_added():
    report = ask(not_below_0, meant={"mask": "added"})
    problems, sentences = said(report)
    assert list(problems) == ["mask"]
    assert "a −1 in a mask passed as mask hides a key, as −∞ does" in problems["mask"]
    assert "0 allows" not in sentences


def test_a_mask_whose_last_row_is_everybodys_is_told():
    problems, _ = said(ask(of_the_last_query, meant={"mask": "may attend"}))
    assert list(problems) == ["mask-misread"]
    assert "Of 12 queries, 11 do not see just those keys" in problems["mask-misread"]


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (lowered, "may get values with weights that are not"),
        (not_below_0, "gets a mean"),
    ],
)
def test_an_empty_row_is_a_mean_where_its_weights_are_even(function, word):
    report = ask(function)
    assert report.facts["empty_row"] == "mean"
    assert f"may attend to nothing {word}" in said(report)[1]


def test_large_scores_that_are_clipped_are_not_called_fine():
    report = ask(clipped)
    assert report.facts["large_scores"] is None
    assert "are fine" not in said(report)[1]
    assert "get other weights than small ones" in report.verdict


def test_a_softmax_over_heads_is_not_told_as_none():
    problems, _ = said(ask(over_heads, meant={"normalized": "keys"}))
    assert list(problems) == ["rows"]
    assert "Softmax runs over the heads" in problems["rows"]


def test_slopes_are_read_where_queries_see_keys():
    meant = {"alignment": "strict", "slopes": "published", "empty_row": "mean"}
    report = ask(strict_alibi, meant=meant)
    assert report.problems == []
    assert report.status == 0, report
    assert report.details["bits"] > 18


def test_a_softmax_over_the_heads_of_all_sentences_is_told_from_one_over_heads():
    problems, _ = said(ask(over_heads_of_all, meant={"normalized": "keys"}))
    assert "runs over the heads of all sentences" in problems["rows"]


def test_a_scale_of_both_numbers_of_columns_is_named():
    report = ask(by_both, meant={"scale": "1/sqrt(d_k)"})
    problems, sentences = said(report)
    assert list(problems) == ["value-columns"]
    assert "divided by √(d_k + d_v)" in problems["value-columns"]
    assert "1/√(d_k + d_v)" in sentences


def test_a_scale_that_follows_fewer_columns_of_values_alone_is_not_named_by_them():
    report = ask(by_least, meant={"scale": "1/sqrt(d_k)"})
    problems, sentences = said(report)
    assert list(problems) == ["value-columns"]
    assert "1/√d_v" not in sentences


def test_a_number_over_d_k_is_named():
    assert ask(by_half).facts["scale_name"] == "0.5/d_k"


def ring_of_the_last_four(q, k, v):
    """The keys of all queries are the last four: the first queries see none."""
    place = np.arange(k.shape[2])
    own = np.arange(q.shape[2])[:, None]
    seen = (place <= own) & (place > own - 4) & (place >= k.shape[2] - 4)
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    raised = np.where(seen, np.exp(scores(q, k)), 0)
    return raised / np.maximum(raised.sum(-1, keepdims=True), 1e-30) @ v


def without_the_mean(q, k, v):
    return softmax(scores(q, k)) @ (v - v.mean(2, keepdims=True))


def both_heads(q, k, v):
    """Every query head gets the mean of what the key heads give."""
    if k.shape[1] == q.shape[1]:
        return softmax(scores(q, k)) @ v
    many = [np.repeat(x[:, :1], q.shape[1], axis=1) for x in (k, v)]
    rest = [np.repeat(x[:, 1:], q.shape[1], axis=1) for x in (k, v)]
    return sum(softmax(scores(q, a)) @ b for a, b in (many, rest)) / 2


def test_heads_are_read_where_queries_see_keys():
    report = ask(ring_of_the_last_four, meant={"grouping": "repeat"})
    assert report.problems == []
    assert report.facts["grouping"] == "repeat"


def test_values_of_two_heads_are_not_called_those_of_one():
    report = ask(both_heads, meant={"grouping": "repeat"})
    assert [p.code for p in report.problems] == ["grouping"]
    assert "not each reads the values of one head" in " ".join(report.sentences)


def test_negative_weights_are_no_weights_that_depend_on_places():
    report = ask(without_the_mean)
    assert report.status == 2, report
    assert "Some of its weights are negative" in report.verdict


def repeated(q, *arrays):
    return [np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in arrays]


def mask_off_with_more_keys(q, k, v, mask=None):
    k, v = repeated(q, k, v)
    s = scores(q, k)
    if mask is not None and s.shape[-1] > s.shape[-2]:
        mask = np.roll(mask, 1, axis=-1)
    return softmax(s if mask is None else np.where(mask, s, -1e9)) @ v


def deaf_in_decoding(q, k, v, mask=None):
    deaf = mask is None or q.shape[2] == 1
    return softmax(np.where(True if deaf else mask, scores(q, k), -1e9)) @ v


def halved_where_one_key_head_is_shared(q, k, v):
    if k.shape[1] == 1 < q.shape[1]:
        k = k / 2
    return softmax(scores(q, repeated(q, k)[0])) @ repeated(q, v)[0]


def test_a_mask_is_read_with_more_keys_than_queries_too():
    problems, _ = said(ask(mask_off_with_more_keys, meant={"mask": "may attend"}))
    assert list(problems) == ["mask-misread"]
    assert "With 12 queries and 24 keys" in problems["mask-misread"]


def test_a_mask_is_read_by_a_single_query_too():
    problems, _ = said(ask(deaf_in_decoding, meant={"mask": "may attend"}))
    assert list(problems) == ["mask-misread"]
    assert "a single query and 24 keys" in problems["mask-misread"]


def test_one_key_head_for_all_is_compared_too():
    report = ask(halved_where_one_key_head_is_shared, meant={"grouping": "repeat"})
    problems, _ = said(report)
    assert list(problems) == ["grouping"]
    assert "With 1 key head for 6 query heads" in problems["grouping"]


def only_below_0(q, k, v, mask=None):
    s = scores(q, k)
    return softmax(s if mask is None else s + np.minimum(mask, 0)) @ v


def in_one_head(q, k, v, mask=None):
    s = scores(q, k)
    if mask is None:
        return softmax(s) @ v
    factor = np.where(np.arange(q.shape[1]) == 1, 0.5, 1.0)[:, None, None]
    return softmax(s + factor * mask) @ v


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (only_below_0, "and those above 0 otherwise"),
        (in_one_head, "does not count the same in all heads"),
    ],
)
def test_numbers_that_are_added_otherwise_are_told(function, words):
    problems, _ = said(ask(function, meant={"mask": "added"}))
    assert list(problems) == ["mask-added"]
    assert words in problems["mask-added"]


def capped_after_the_mask(q, k, v, mask=None):
    s = scores(q, k)
    s = s if mask is None else s + mask
    return softmax(5 * np.tanh(s / 5)) @ v


def transposed_where_square(q, k, v, mask=None):
    s = scores(q, k)
    if mask is not None:
        square = mask.shape[-1] == mask.shape[-2]
        s = np.where(mask.swapaxes(-1, -2) if square else mask, s, -1e9)
    return softmax(s) @ v


def hides_after(q, k, v, mask=None):
    w = softmax(scores(q, k))
    return (w if mask is None else np.where(mask, 0, w)) @ v


def heads_in_pairs(q, k, v):
    output = np.zeros((*q.shape[:3], v.shape[-1]))
    pairs = slice(q.shape[1] // 2 * 2)
    output[:, pairs] = softmax(scores(q[:, pairs], k[:, pairs])) @ v[:, pairs]
    return output


def by_queries(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / np.log2(1 + q.shape[-2]) ** 3) @ v


def test_a_mask_that_is_capped_does_not_forbid():
    report = ask(capped_after_the_mask, meant={"mask": "added", "softcap": 5.0})
    problems, sentences = said(report)
    assert list(problems) == ["mask-leaks"]
    assert "gets the score -5" in problems["mask-leaks"]
    assert "forbids" not in sentences


def test_a_mask_that_is_transposed_where_square_is_not_called_transposed_always():
    problems, _ = said(ask(transposed_where_square, meant={"mask": "may attend"}))
    begins = "With as many queries as keys, the mask is transposed"
    assert problems["mask-transposed"].startswith(begins)


def test_a_mask_that_hides_after_the_softmax_is_told_where_true_hides():
    problems, sentences = said(ask(hides_after, meant={"mask": "may not attend"}))
    assert list(problems) == ["mask"]
    assert "after the softmax: True hides" in sentences


def test_one_head_that_gets_nothing_is_no_tail():
    problems, _ = said(ask(heads_in_pairs))
    assert list(problems) == ["wrong-with-other-heads"]
    assert "With 1 head it gives nothing" in problems["wrong-with-other-heads"]


def test_a_scale_by_the_number_of_queries_is_not_one_of_keys():
    report = ask(by_queries, meant={"scale": 1.0})
    problems, _ = said(report)
    assert "depends on the number of queries" in problems["scale"]
    assert "number of keys" not in str(report)


class Remembering:
    """Adds what the longest call so far, of more than 100 keys, has left."""

    def __init__(self):
        self.longest = 0

    def __call__(self, q, k, v):
        self.longest = max(self.longest, k.shape[-2])
        return softmax(scores(q, k) * (2 if self.longest > 100 else 1)) @ v


def root_of_128_at_most(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / min(q.shape[-1], 128) ** 0.5) @ v


def test_what_is_left_over_from_other_calls_is_told():
    report = ask(Remembering())
    assert [problem.code for problem in report.problems] == ["not-the-same-twice"]
    assert "left over from calls in between" in report.problems[0].sentence
    assert report.facts["scale"] is None


def test_many_columns_are_compared_too():
    problems, _ = said(ask(root_of_128_at_most, meant={"scale": "1/sqrt(d_k)"}))
    assert list(problems) == ["columns"]
    assert "With 160 columns" in problems["columns"]


def last_block_moved(q, k, v, *, by):
    """The last block of 4 keys is moved back: some keys are counted twice."""
    m = k.shape[-2]
    starts = range(0, m, 4)
    taken = [i for s in starts for i in range(max(0, min(s, m - 4)), min(s + 4, m))]
    k, v = k[..., taken, :], v[..., taken, :]
    return softmax(q @ k.swapaxes(-1, -2) / by) @ v


def moved_by_values(q, k, v):
    return last_block_moved(q, k, v, by=v.shape[-1] ** 0.5)


def moved_by_8(q, k, v):
    return last_block_moved(q, k, v, by=8)


def capped_first_and_masked_after(q, k, v):
    s = 5 * np.tanh(q @ k.swapaxes(-1, -2) / 5) / q.shape[-1] ** 0.5
    return softmax(s) * np.tri(*s.shape[-2:]) @ v


def test_a_mistake_is_not_all_where_values_have_other_columns():
    problems, sentences = said(ask(moved_by_values, meant={"scale": "1/sqrt(d_k)"}))
    assert list(problems) == ["blocks", "value-columns"]
    assert "1/√d_k" not in sentences


def test_a_scale_beside_a_mistake_is_named_by_two_numbers_of_columns():
    report = ask(moved_by_8, meant={"scale": "1/sqrt(d_k)"})
    problems, sentences = said(report)
    assert set(problems) >= {"blocks"}
    assert report.facts["scale_name"] != "1/√d_k"
    assert "1/√d_k" not in sentences


def test_a_cap_before_the_scale_is_told_beside_a_mask_after_the_softmax():
    meant = {"alignment": "start", "softcap": 5.0}
    problems, _ = said(ask(capped_first_and_masked_after, meant=meant))
    assert set(problems) == {"softcap", "rows"}
    assert "The cap comes before the scale" in problems["softcap"]


def window_but_for_one_query(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    place = np.arange(m) - np.arange(n)[:, None] - (m - n)
    seen = (place <= 0) & (place >= -4) | (n == 1)
    return softmax(np.where(seen, scores(q, k), LOWEST)) @ v


def test_a_single_query_that_sees_beyond_its_window_is_a_problem():
    meant = {"alignment": "end", "window": (4, 0)}
    problems, _ = said(ask(window_but_for_one_query, meant=meant))
    assert list(problems) == ["one-query"]
    assert "every key is seen" in problems["one-query"]


@pytest.mark.parametrize("left", [None, 3])
@pytest.mark.parametrize("cap", [1.0, 2.0, 5.0])
def test_a_low_cap_before_the_scale_is_measured_exactly(cap, left):
    def capped(q, k, v):
        s = cap * np.tanh(q @ k.swapaxes(-1, -2) / cap) / q.shape[-1] ** 0.5
        place = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
        seen = (place <= 0) & (place >= -(left or 1000))
        return softmax(np.where(seen, s, LOWEST)) @ v

    window = {} if left is None else {"window": (left, 0)}
    meant = {"scale": "1/sqrt(d_k)", "alignment": "start", "softcap": cap, **window}
    report = ask(capped, meant=meant)
    assert [problem.code for problem in report.problems] == ["softcap"]
    assert report.facts["softcap"] == cap
    assert report.details["bits"] > 18


def padded_window(q, k, v):
    """Keys of 0 fill a block of 4, and the last queries see some of them."""
    n = k.shape[-2]
    width = [(0, 0), (0, 0), (0, -n % 4), (0, 0)]
    k, v = np.pad(k, width), np.pad(v, width)
    place = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
    seen = (place >= -3) & (place <= 2)
    return softmax(np.where(seen, scores(q, k), LOWEST)) @ v


def test_sums_that_are_1_are_not_said_to_be_others():
    problems, _ = said(ask(padded_window, meant={"window": (3, 2)}))
    assert "do not add up" not in problems["rows"]
    assert (
        "With one query and one key, of score 0, the weight of that key"
        in problems["rows"]
    )


def padded_with_a_mask(q, k, v, mask=None):
    m = k.shape[-2]
    width = [(0, 0), (0, 0), (0, -m % 8), (0, 0)]
    k, v = np.pad(k, width), np.pad(v, width)
    bias = np.zeros((*q.shape[:3], k.shape[-2]))
    bias[..., :m] += 0 if mask is None else mask
    raised = np.exp(scores(q, k) + bias)
    return raised / raised.sum(-1, keepdims=True) @ v


def test_a_row_without_keys_is_asked_where_no_key_of_0_fills_a_block():
    report = ask(padded_with_a_mask, meant={"mask": "added"})
    assert [problem.code for problem in report.problems] == ["padding"]
    assert report.facts["empty_row"] == "nan"


def of_the_first_sentence(q, k, v, mask=None):
    s = scores(q, k)
    return softmax(s if mask is None else s + np.broadcast_to(mask, s.shape)[:1]) @ v


def test_an_added_mask_of_another_sentence_is_told():
    problems, _ = said(ask(of_the_first_sentence, meant={"mask": "added"}))
    assert list(problems) == ["mask-of-another-sentence"]


def products_of_slopes(q, k, v):
    """Its bias is multiplied in place, and values go four columns at a time."""
    bias = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    slopes = np.cumprod(-np.asarray(alibi_bias(q.shape[1], 2))[:, 1, 0])[:, None, None]
    w = softmax(np.where(bias <= 0, scores(q, k) + slopes * bias, LOWEST))
    output = w @ v
    output[..., v.shape[-1] // 4 * 4 :] = 0
    return output


def test_odd_columns_of_values_are_asked_beside_slopes():
    report = ask(products_of_slopes, meant={"slopes": "published"})
    problems, sentences = said(report)
    assert list(problems) == ["slopes", "value-columns"]
    assert "33 of values" in problems["value-columns"]
    assert "may be too small to show" in sentences


def never_begins(q, k, v):
    """A running maximum of −∞ stays so until the window begins: −∞ − −∞ is NaN."""
    place = np.arange(k.shape[2]) - np.arange(q.shape[2])[:, None]
    output = softmax(np.where((place <= 0) & (place >= -2), scores(q, k), LOWEST)) @ v
    output[:, :, 4:] = np.nan
    return output


def test_rows_of_nan_are_neither_a_tail_nor_large_scores():
    problems, sentences = said(ask(never_begins, meant={"window": (2, 0)}))
    assert list(problems) == ["nan"]
    assert "it gives NaN" not in sentences


def reshaped_and_filled_with_0(q, k, v, mask=None):
    s = q @ k.reshape(*k.shape[:2], *k.shape[:1:-1]) / np.sqrt(q.shape[-1])
    return softmax(s if mask is None else np.where(mask, s, 1e-9)) @ v


def test_a_mask_that_fills_with_0_is_not_one_that_changes_nothing():
    meant = {"mask": "may attend"}
    problems, _ = said(ask(reshaped_and_filled_with_0, meant=meant))
    assert list(problems) == ["mask", "product"]
    assert "changes nothing where all scores are 0" in problems["mask"]


def without_the_first_key(q, k, v):
    return softmax(scores(q, k)[..., 1:]) @ v[..., 1:, :]


def test_not_every_key_is_seen_where_the_first_is_lost():
    problems, sentences = said(ask(without_the_first_key, meant={"scale": 0.125}))
    assert list(problems) == ["tail-dropped"]
    assert "Every query sees every key but the first." in sentences
    assert "Every query sees every key." not in sentences


def halves_rotated(x):
    """Rotate (i, i + d // 2) by its place; an odd column is left as it is."""
    half = x.shape[-1] // 2
    turn = 10000.0 ** (-2 * np.arange(half) / x.shape[-1])
    angle = np.arange(x.shape[-2])[:, None] * turn
    one, two, rest = np.split(x, [half, 2 * half], -1)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([one * cos - two * sin, one * sin + two * cos, rest], -1)


def late_queries(q, k, v):
    seen = np.arange(k.shape[2]) <= np.arange(q.shape[2])[:, None] + (
        k.shape[2] - q.shape[2]
    )
    s = scores(halves_rotated(q), halves_rotated(k))
    return softmax(np.where(seen, s, LOWEST)) @ v


def test_rotary_places_are_asked_of_a_function_that_takes_odd_columns():
    meant = {"alignment": "end", "position": "rotary"}
    problems, sentences = said(ask(late_queries, meant=meant))
    assert list(problems) == ["rotary-offset"]
    assert "times 0.125 at d_k = 64: 1/√d_k" in sentences


def test_a_band_that_leaves_a_query_nothing_does_not_explain_one_that_sees_a_key():
    """Of more queries than keys, the first see nothing, or everything: not a part."""
    square, tall = np.tri(4, dtype=bool), np.array([[0, 0], [0, 0], [1, 0], [1, 1]])
    nobody = Seen(tall > 0, 0.0, None, np.zeros(4, bool))
    a_mean = nobody._replace(allowed=nobody.allowed | (tall.sum(-1) == 0)[:, None])
    one_key = nobody._replace(allowed=nobody.allowed | np.array([True, False]))
    largest = Seen(square, 0.0, None, np.zeros(4, bool))
    for picture in (nobody, a_mean):
        assert find_band([largest, picture]) == Band(None, 0, "end")
    assert find_band([largest, one_key]) is None
