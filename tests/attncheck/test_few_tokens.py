"""What only some sizes show is told: one query, small blocks, values of few columns."""

from __future__ import annotations

import numpy as np
import pytest

from attncheck import ask
from attnlib import alibi_bias, scaled_dot_product_attention, softmax

pytestmark = pytest.mark.slow

PLACE = np.arange(600)


def scores(q, k, by=None):
    return q @ k.swapaxes(-1, -2) / (by or q.shape[-1]) ** 0.5


def causal(q, k, corner="start", more=0):
    start = k.shape[-2] - q.shape[-2] if corner == "end" else 0
    return PLACE[: k.shape[-2]] <= PLACE[: q.shape[-2], None] + start + more


def hide(s, seen, low=-np.inf):
    return np.where(seen, s, low)


def said(report):
    return {problem.code: " ".join(str(problem).split()) for problem in report.problems}


def unscaled_decoding(q, k, v):
    by = 1 if q.shape[-2] == 1 else None
    return softmax(hide(scores(q, k, by), causal(q, k, "end"))) @ v


def odd_decoding(q, k, v):
    if q.shape[-2] == 1:
        k = k[..., ::-1, :]
    return softmax(hide(scores(q, k), causal(q, k, "end"))) @ v


def sees_all_in_decoding(q, k, v):
    seen = causal(q, k) | (q.shape[-2] == 1)
    return softmax(hide(scores(q, k), seen)) @ v


def test_another_scale_with_a_single_query_is_told():
    report = ask(unscaled_decoding, meant={"alignment": "end"})
    assert list(said(report)) == ["one-query"]
    assert "scores are query · key times 1 (none)" in said(report)["one-query"]


def test_another_output_with_a_single_query_is_told_without_a_cause():
    report = ask(odd_decoding, meant={"alignment": "end"})
    assert list(said(report)) == ["one-query"]
    assert "do not follow from the facts below" in said(report)["one-query"]


def test_a_single_query_that_sees_all_is_told_in_the_first_line():
    report = ask(sees_all_in_decoding, meant={"scale": "1/sqrt(d_k)"})
    assert report.status == 0
    assert "with one query it sees every key" in report.verdict


def in_blocks(size, least):
    def attention(q, k, v):
        m = k.shape[-2]
        used = m - m % size if m >= least else m
        return softmax(scores(q, k)[..., :used]) @ v[..., :used, :]

    return attention


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 12])
def test_the_tail_of_a_small_block_is_told_with_its_size(size):
    report = ask(in_blocks(size, size), meant={"scale": "1/sqrt(d_k)"})
    words = said(report)["tail-dropped"]
    named = f"last full block of {size} reach no output" in words
    assert named or f"a block of {size} that is not full is dropped" in words, report


def test_a_path_of_its_own_for_few_tokens_is_told():
    def wrong_below_six(q, k, v):
        return softmax(scores(q, k, 1 if k.shape[-2] < 6 else None)) @ v

    report = ask(wrong_below_six, meant={"scale": "1/sqrt(d_k)"})
    assert "With 2, 3, 4, 5 tokens" in said(report)["wrong-at-some-sizes"]


def test_nan_with_few_tokens_is_told():
    def normalized(q, k, v):
        with np.errstate(all="ignore"):
            k = k / (k.shape[-2] > 1)
        return softmax(scores(q, k)) @ v

    assert "With 1 token its outputs" in said(ask(normalized))["wrong-at-some-sizes"]


def test_another_number_of_heads_that_goes_wrong_is_told():
    def one_head_unscaled(q, k, v):
        return softmax(scores(q, k, 1 if q.shape[1] == 1 else None)) @ v

    report = ask(one_head_unscaled)
    assert "With 1 head" in said(report)["wrong-with-other-heads"]


@pytest.mark.parametrize("axis", [-1, -2])
def test_a_scale_of_the_values_columns_is_told_beside_another_problem(axis):
    def attention(q, k, v):
        return softmax(scores(q, k, v.shape[-1]), axis=axis) @ v

    report = ask(attention, meant={"scale": "1/sqrt(d_k)"})
    assert "divided by √d_v" in said(report)["value-columns"]
    assert "scale" not in said(report)
    assert report.facts["scale_name"] == "1/√d_v"
    assert "1/√d_k" not in " ".join(report.sentences)


def test_heads_of_powers_of_two_are_asked_in_fours():
    def alibi(q, k, v):
        h = q.shape[1]
        if h & (h - 1):
            raise ValueError("heads must be a power of two")
        k, v = (np.repeat(x, h // x.shape[1], axis=1) for x in (k, v))
        bias = np.asarray(alibi_bias(h, q.shape[-2], k.shape[-2]))
        return softmax(hide(scores(q, k) + bias, causal(q, k))) @ v

    report = ask(alibi, meant={"grouping": "repeat", "slopes": "published"})
    assert report.status == 0, report
    assert "Four query heads on two key heads: 0 0 1 1" in str(report)


def test_sharing_that_was_not_asked_is_not_called_refused():
    def two_heads(q, k, v):
        if q.shape[1] > 2:
            raise ValueError("two heads")
        return softmax(scores(q, k)) @ v

    report = ask(two_heads, meant={"grouping": "repeat"})
    assert report.facts["grouping"] is None
    assert report.status == 2
    assert "neither six heads nor four" in report.notes[0]


def test_values_of_one_number_that_are_lost_are_no_lost_block():
    def from_the_lowest(q, k, v):
        return softmax(scores(q, k)) @ (v - v.min(-1, keepdims=True))

    report = ask(from_the_lowest)
    assert report.status
    assert "block" not in str(report)


def test_weights_that_add_up_to_the_number_of_keys_are_told_so():
    def mean_for_sum(q, k, v):
        e = np.exp(scores(q, k))
        return e / e.mean(-1, keepdims=True) @ v

    report = ask(mean_for_sum)
    assert "add up to the number of keys" in said(report)["rows"]
    assert not report.unexplained


@pytest.mark.parametrize(
    ("more", "rule"), [(1, "− n_queries + 1"), (-1, "− n_queries,")]
)
def test_the_corner_is_said_where_a_mask_is_one_off(more, rule):
    def attention(q, k, v):
        return softmax(hide(scores(q, k), causal(q, k, "end", more), -1e9)) @ v

    words = " ".join(str(ask(attention)).split())
    assert f"n_keys {rule}" in words
    assert "j ≤ i + 1." not in words
    assert "j < i." not in words


@pytest.mark.parametrize(
    ("window", "meant"),
    [
        ((4, 0), {"alignment": "start", "window": (4, None)}),
        ((4, 0), {"alignment": "none", "window": (4, 0)}),
        ((0, None), {"alignment": "none", "window": (0, None)}),
    ],
)
def test_a_band_may_be_meant_in_either_way(window, meant):
    def attention(q, k, v):
        return scaled_dot_product_attention(q, k, v, window=window)

    assert ask(attention, meant=meant).verdict == "attention: nothing wrong was found."


def test_a_strict_mask_whose_first_row_is_a_mean_is_as_meant():
    def strict(q, k, v):
        return softmax(hide(scores(q, k), causal(q, k, more=-1), -1e9)) @ v

    meant = {"alignment": "strict", "empty_row": "mean", "scale": "1/sqrt(d_k)"}
    assert ask(strict, meant=meant).verdict == "strict: nothing wrong was found."


def test_numbers_that_overflow_in_both_directions_are_no_lost_maximum():
    def in_halves(q, k, v):
        q, k = (x.astype(np.float16) for x in (q / q.shape[-1] ** 0.5, k))
        with np.errstate(all="ignore"):
            return softmax((q @ k.swapaxes(-1, -2)).astype(np.float32)) @ v

    report = ask(in_halves)
    assert report.status == 0, report
    assert "its numbers overflow at scores of 1.311e+05" in report.verdict


def test_a_mask_that_fits_no_probe_is_left_out():
    def masked(q, k, v, mask=None):
        seen = True if mask is None else mask
        return softmax(hide(scores(q, k), seen, -1e9)) @ v

    report = ask(masked, mask=np.ones((2, 1, 7, 7), bool), meant={"mask": "may attend"})
    assert report.verdict.endswith("but mask was left out: it fits no probe.")
    assert report.facts["mask"] == "may attend"


def test_only_one_key_head_for_all_is_no_problem_where_heads_are_shared():
    def all_or_one(q, k, v):
        if k.shape[1] not in (1, q.shape[1]):
            raise ValueError("one key head, or one each")
        return softmax(scores(q, k)) @ v

    report = ask(all_or_one, meant={"grouping": "repeat"})
    assert report.status == 0
    assert "refuses two key heads for six query heads" in report.verdict


@pytest.mark.parametrize("fixed", [False, True])
def test_angles_for_a_fixed_number_of_columns_are_told(fixed):
    def rotate(x):
        n, d = x.shape[-2:]
        rate = 1e4 ** (-np.arange(d // 2) / (32 if fixed else d // 2))
        cos, sin = (f(PLACE[:n, None] * rate) for f in (np.cos, np.sin))
        a, b = x[..., : d // 2], x[..., d // 2 :]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], -1)

    def rotary(q, k, v):
        return softmax(scores(rotate(q), rotate(k))) @ v

    report = ask(rotary, meant={"rotary": {"base": 1e4}})
    assert list(said(report)) == (["columns"] if fixed else [])


def test_slopes_of_key_heads_are_told():
    def alibi(q, k, v):
        h, g = q.shape[1], k.shape[1]
        bias = np.asarray(alibi_bias(g, q.shape[-2], k.shape[-2]))
        bias, k, v = (np.repeat(x, h // g, axis=-3) for x in (bias, k, v))
        return softmax(hide(scores(q, k) + bias, causal(q, k))) @ v

    report = ask(alibi, meant={"grouping": "repeat", "slopes": "published"})
    assert list(said(report)) == ["shared-bias"]


def test_columns_that_are_not_written_are_told_beside_a_leak():
    def leaks(q, k, v):
        out = softmax(scores(q, k) - 3.0 * ~causal(q, k)) @ v
        out[..., v.shape[-1] - v.shape[-1] % 4 :] = 0
        return out

    told = said(ask(leaks, meant={"alignment": "start"}))
    assert list(told) == ["mask-leaks", "columns"]
    assert "those from 76 on do not follow from the facts" in told["columns"]


def test_a_row_without_keys_that_is_not_reached_is_no_difference():
    def full(q, k, v):
        return softmax(scores(q, k)) @ v

    assert ask(full, meant={"empty_row": "mean"}).status == 0


def test_a_mask_may_be_of_truths_or_of_numbers():
    def either(q, k, v, mask=None):
        s = scores(q, k)
        if mask is not None:
            s = hide(s, mask) if mask.dtype == bool else s + mask
        return softmax(s) @ v

    assert ask(either, meant={"mask": "may attend"}).status == 0
    assert ask(either, meant={"mask": "added"}).status == 0
    assert ask(either, meant={"mask": "may not attend"}).status == 1


def test_a_mask_that_is_needed_and_fits_no_probe_leaves_it_open():
    def needs_a_mask(q, k, v, mask):
        return softmax(hide(scores(q, k), mask)) @ v

    report = ask(needs_a_mask, mask=np.ones((7, 7), bool))
    assert report.status == 2
    assert "With mask it takes none of the probes" in report.verdict


def test_what_the_first_line_adds_is_a_note_beside_a_problem():
    report = ask(sees_all_in_decoding, meant={"alignment": "end"})
    assert report.status == 1
    assert "With one query it sees every key." in str(report)


def test_a_cap_before_the_scale_is_told():
    def capped(q, k, v):
        dots = q @ k.swapaxes(-1, -2)
        return softmax(4 * np.tanh(dots / 4) / q.shape[-1] ** 0.5) @ v

    report = ask(capped, meant={"softcap": 4.0, "scale": "1/sqrt(d_k)"})
    assert list(said(report)) == ["softcap"]
    assert "The cap comes before the scale" in said(report)["softcap"]
    assert "the cap comes before the scale" in ask(capped).verdict


def test_a_scale_of_padded_columns_is_told():
    def padded(q, k, v):
        return softmax(scores(q, k, -(-q.shape[-1] // 16) * 16)) @ v

    report = ask(padded, meant={"scale": "1/sqrt(d_k)"})
    assert list(said(report)) == ["scale"]
    assert "d_k 77" in said(report)["scale"]


def test_weights_that_are_transposed_are_not_called_a_softmax_over_queries():
    def transposed(q, k, v):
        w = softmax(scores(q, k))
        return (w.swapaxes(-1, -2) if w.shape[-1] == w.shape[-2] else w) @ v

    report = ask(transposed)
    begins = "With as many queries as keys, the weights are transposed"
    assert begins in said(report)["weights-transposed"]
    assert "Softmax runs" not in str(report)


def test_a_mask_that_is_one_for_all_queries_is_not_said_to_change_nothing():
    def of_keys(q, k, v, mask=None):
        seen = True if mask is None else mask.any(-2, keepdims=True)
        return softmax(hide(scores(q, k), seen, -1e9)) @ v

    report = ask(of_keys, meant={"mask": "may attend"})
    assert "one that is the same for all queries does" in said(report)["mask"]


def test_a_key_without_its_value_is_not_said_to_be_hidden():
    def no_last_value(q, k, v):
        v = v.copy()
        v[..., -1, :] = 0
        return softmax(scores(q, k)) @ v

    words = said(ask(no_last_value))["tail-dropped"]
    assert "the value of the last reaches no output" in words


def test_a_first_key_that_stays_beside_the_window_that_was_meant_is_a_problem():
    def kept(q, k, v):
        near = PLACE[: k.shape[-2]] > PLACE[: q.shape[-2], None] - 4
        near = near | (PLACE[: k.shape[-2]] == 0)
        return softmax(hide(scores(q, k), causal(q, k) & near, -1e9)) @ v

    report = ask(kept, meant={"alignment": "start", "window": (3, 0)})
    assert "the 3 before it and the first one" in said(report)["window"]
    assert "the first key stays visible" in ask(kept).verdict


def test_a_single_query_that_sees_one_key_is_told():
    def first_alone(q, k, v):
        corner = "start" if q.shape[-2] == 1 else "end"
        return softmax(hide(scores(q, k), causal(q, k, corner), -1e9)) @ v

    report = ask(first_alone, meant={"alignment": "end"})
    assert "the first key alone is seen" in said(report)["one-query"]


def test_a_mask_one_key_off_is_not_called_inverted():
    def shifted(q, k, v, mask=None):
        w = softmax(scores(q, k))
        return (w if mask is None else w * np.roll(mask, 1, -1)) @ v

    report = ask(shifted, meant={"mask": "may attend"})
    assert report.facts["mask"] is None
    assert "by a rule that I do not know" in said(report)["mask"]


def test_numbers_of_one_query_used_for_all_are_told_so():
    def last_row(q, k, v, mask=None):
        added = 0.0 if mask is None else mask[..., -1:, :]
        return softmax(scores(q, k) + added) @ v

    words = said(ask(last_row, meant={"mask": "added"}))["mask-added"]
    assert "not every one was used for its own query" in words


def test_a_mean_over_the_keys_in_place_of_a_sum_is_no_softmax_over_all_pairs():
    def mean(q, k, v):
        w = hide(scores(q, k), causal(q, k))
        return softmax(w) @ v / k.shape[-2]

    report = ask(mean, meant={"alignment": "start"})
    assert "add up to 1 ÷ the number of keys" in said(report)["rows"]
    assert "all pairs" not in str(report)


def test_weights_that_are_always_transposed_are_called_so():
    def transposed(q, k, v):
        return softmax(scores(q, k)).swapaxes(-1, -2) @ v

    report = ask(transposed, meant={"scale": "1/sqrt(d_k)"})
    assert list(said(report)) == ["weights-transposed"]


@pytest.mark.parametrize("means", ["may attend", "may not attend"])
def test_hidden_keys_with_a_score_of_0_are_told_whatever_the_mask_means(means):
    def filled(q, k, v, mask=None):
        s = scores(q, k)
        if mask is None:
            return softmax(s) @ v
        return softmax(np.where(mask, 0, s) if "not" in means else s * mask) @ v

    report = ask(filled, meant={"mask": means})
    assert list(said(report)) == ["mask-leaks"]
    assert "the score 0" in said(report)["mask-leaks"]


def test_a_mask_that_was_not_asked_is_not_said_to_be_none():
    def first_head(q, k, v, mask=None):
        s = scores(q, k[:, :1])
        return softmax(s if mask is None else hide(s, mask)) @ v[:, :1]

    report = ask(first_head, meant={"mask": "may attend"})
    assert "mask" not in said(report)
    assert "Could not be told: mask" in report.unexplained


def test_what_a_row_without_keys_gets_is_not_said_of_a_rule_that_was_taken_back():
    def few_weights(q, k, v, mask=None):
        w = softmax(scores(q, k))
        return np.where(w < 0.05, 0, w) @ v

    report = ask(few_weights, meant={"empty_row": "mean"})
    assert "empty-row" not in said(report)


def test_sums_near_1_are_not_called_a_sum_of_1():
    def pruned(q, k, v):
        w = softmax(hide(scores(q, k), causal(q, k)))
        return np.where(w < 0.01, 0, w) @ v

    assert "every query add up to 1. (" not in str(ask(pruned))


@pytest.mark.parametrize(
    ("axis", "last", "code", "where"),
    [
        (0, 4, "wrong-with-more-sentences", "all of them in sentence 4 of 5"),
        (1, 10, "wrong-with-other-heads", "all of them in heads 10, 11 of 12"),
    ],
)
def test_sentences_and_heads_that_a_grid_leaves_out_are_told(axis, last, code, where):
    def function(q, k, v):
        output = softmax(scores(q, k)) @ v
        output[(slice(None),) * axis + (slice(last, None),)] = 0
        return output

    problems = said(ask(function))
    assert list(problems) == [code]
    assert where in problems[code]
