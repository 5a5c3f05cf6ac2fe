"""What holds of some sizes, rows or masks only is said of those."""

from pathlib import Path

import numpy as np
import pytest

import attncheck
from attncheck import ask
from attnlib import softmax

pytestmark = pytest.mark.slow


def dots(q, k):
    return q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])


def own_rule(n, m):
    """Causal, aligned at the first query."""
    return np.tri(n, m, dtype=bool)


def rotated(x, places):
    """Rotate pairs of columns, half a row apart, by their places (base 10,000)."""
    half = x.shape[-1] // 2
    turns = places[:, None] * 1e4 ** (-np.arange(half) / half)
    a, b, c, s = x[..., :half], x[..., half:], np.cos(turns), np.sin(turns)
    return np.concatenate([a * c - b * s, a * s + b * c], -1)


def words(report):
    return " ".join(str(report).split())


def test_parts_that_few_keys_do_not_have_are_said_of_many():
    def halves(query, key, value):
        if key.shape[2] < 32:
            return softmax(dots(query, key)) @ value
        half = -(-key.shape[2] // 2)
        parts = (slice(None, half), slice(half, None))
        outputs = [softmax(dots(query, key[:, :, x])) @ value[:, :, x] for x in parts]
        return sum(outputs) / 2

    (problem,) = ask(halves).problems
    begins = "With 300 tokens, and not with 24: each of 2 parts of the keys has"
    assert problem.sentence.startswith(begins)


@pytest.mark.parametrize("keeps", [True, False])
def test_a_mask_in_place_of_the_causal_one_may_leave_the_window(keeps):
    def function(query, key, value, mask=None):
        n, m = query.shape[2], key.shape[2]
        back = np.arange(n)[:, None] + m - n - np.arange(m)
        seen = (back <= 16) if keeps or mask is None else np.ones((n, m), bool)
        seen = seen & (back >= 0 if mask is None else mask)
        return np.nan_to_num(softmax(np.where(seen, dots(query, key), -np.inf))) @ value

    said = words(ask(function))
    assert ("queries see later keys, none further back" in said) == keeps
    assert ("takes the place of the one" in said) != keeps


def test_values_that_are_rounded_are_not_called_weights():
    def rounded(query, key, value):
        step = 2 / 127
        value = (value / step).round().clip(-127, 127) * step
        return softmax(dots(query, key)) @ value

    report = ask(rounded)
    assert [problem.code for problem in report.problems] == ["values-rounded"]
    assert "3 give 2" in words(report)
    assert "do not add up" not in words(report)


def test_a_full_last_block_that_is_dropped_is_told_by_its_keys():
    def pages(query, key, value):
        m = key.shape[2]
        seen = np.arange(m) < (m // 16 * 16 + m % 16 if m % 16 else m - 16)
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    (problem,) = ask(pages).problems
    begins = "Where the number of keys is a multiple of 16, the last 16 of them reach"
    assert problem.sentence.startswith(begins)


def test_masks_of_sentences_that_are_taken_for_those_of_heads_are_told():
    def guessed(query, key, value, attn_mask=None):
        scores = dots(query, key)
        if attn_mask is not None and attn_mask.ndim == 3:
            of_heads = attn_mask.shape[0] == query.shape[1]
            attn_mask = attn_mask[None] if of_heads else attn_mask[:, None]
        if attn_mask is not None:
            scores = np.where(attn_mask, scores, -1e9)
        return softmax(scores) @ value

    verdict = ask(guessed).verdict
    assert "read as those of the heads where there are as many sentences" in verdict


def test_a_strict_rule_of_few_tokens_is_called_strict():
    def first_block(query, key, value):
        n, m = query.shape[2], key.shape[2]
        seen = np.tri(n, m, -1, bool) | (
            (np.arange(n)[:, None] >= 16) & np.eye(n, m, dtype=bool)
        )
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    assert "meet as under a strict causal mask" in words(ask(first_block))


def test_one_query_is_asked_more_than_once_before_columns_are_blamed(monkeypatch):
    monkeypatch.setattr("attncheck.probes.SEED", 2)  # a single query shows no cap here

    def capped(query, key, value):
        scores = dots(query, key)
        scores = 4 * np.tanh(scores / 4) if query.shape[2] > 1 else scores
        return softmax(scores) @ value

    report = ask(capped, meant={"softcap": 4.0})
    assert [problem.code for problem in report.problems] == ["one-query"]


def masked(score, *, causal_last):
    """Causal; what a mask hides gets a score, before or after its own rule."""

    def function(query, key, value, attn_mask=None):
        scores, own = dots(query, key), own_rule(query.shape[2], key.shape[2])
        if attn_mask is not None:
            scores = np.where(attn_mask, scores, score)
        if causal_last:
            return softmax(np.where(own, scores, -np.inf)) @ value
        own = own & (True if attn_mask is None else attn_mask)
        return softmax(np.where(own, scores, score)) @ value

    return function


def test_a_mean_is_one_of_the_values_that_the_rule_leaves():
    mean = "A query to which a mask leaves no key gets a mean of"
    of_own = f"{mean} the values that its own rule leaves it."
    assert of_own in words(ask(masked(-1e9, causal_last=True)))
    assert of_own in words(ask(masked(-5, causal_last=True)))
    assert f"{mean} all values." in words(ask(masked(-1e9, causal_last=False)))


def test_rows_that_padding_and_the_rule_empty_together_are_asked_about():
    def padded(query, key, value, key_padding_mask=None):
        seen = own_rule(query.shape[2], key.shape[2])
        empty = np.array(False)
        if key_padding_mask is not None:
            keys = np.asarray(key_padding_mask, bool)[:, None, None]
            seen, empty = seen & keys, ~keys.any(-1, keepdims=True)
        output = softmax(np.where(seen, dots(query, key), -1e30)) @ value
        return np.where(empty, 0, output)

    report = ask(padded, meant={"empty_row": "zeros"})
    assert [problem.code for problem in report.problems] == ["empty-row"]


def test_slopes_of_shared_heads_are_no_mask_that_is_not_obeyed():
    def function(query, key, value, mask=None):
        groups = query.shape[1] // key.shape[1]
        g = key.shape[1]
        slopes = 2.0 ** (-8 * np.arange(1, g + 1) / g)
        published = [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
        slopes = np.repeat(published if g == 6 else slopes, groups)[:, None, None]
        key, value = key.repeat(groups, 1), value.repeat(groups, 1)
        n, m = query.shape[2], key.shape[2]
        scores = dots(query, key) - slopes * (np.arange(n)[:, None] - np.arange(m))
        weights = softmax(np.where(own_rule(n, m), scores, -np.inf))
        return (weights if mask is None else weights * mask) @ value

    codes = [x.code for x in ask(function, meant={"position": "alibi"}).problems]
    assert "mask-misread" not in codes


def test_columns_are_asked_with_the_scale_that_was_measured():
    def two_blocks(query, key, value):
        """Causal; sees its own block of 32 and the one before; always divides by 8."""
        n, m = query.shape[2], key.shape[2]
        block = np.arange(n)[:, None] // 32 - np.arange(m) // 32
        seen = own_rule(n, m) & (block <= 1)
        scores = np.where(seen, query @ key.swapaxes(-1, -2) / 8, -np.inf)
        return softmax(scores) @ value

    report = ask(two_blocks, meant={"alignment": "start", "window": (31, 0)})
    assert "0.125, whatever d_k is" in words(report)
    assert "columns" not in [problem.code for problem in report.problems]


def test_sentences_after_the_first_are_asked_with_more_keys_too():
    def packed(query, key, value):
        """Causal; places are counted through all sentences, packed one by one."""
        b, _, n, _ = query.shape
        more = np.arange(b)[:, None, None, None] * (key.shape[2] - n)
        seen = np.arange(key.shape[2]) <= np.arange(n)[:, None] - more
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    (problem,) = ask(packed, meant={"alignment": "start"}).problems
    assert problem.sentence.startswith("With 3 sentences of 12 queries and 24 keys")


def test_beside_keys_of_0_no_second_cause_is_named_for_many_keys():
    def pages(query, key, value):
        """Pages of 16, filled up with keys of 0; the table holds 8 of them."""
        width = [(0, 0), (0, 0), (0, -key.shape[2] % 16), (0, 0)]
        key, value = (np.pad(x, width)[:, :, :128] for x in (key, value))
        return softmax(dots(query, key)) @ value

    codes = [problem.code for problem in ask(pages).problems]
    assert codes == ["padding", "wrong-when-long"]


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_scale_under_a_low_cap_is_named_as_exactly_as_it_was_found(seed, monkeypatch):
    monkeypatch.setattr("attncheck.probes.SEED", seed)

    def capped(query, key, value):
        scores = np.tanh(query @ key.swapaxes(-1, -2)) / query.shape[-1] ** 0.5
        back = np.arange(query.shape[2])[:, None] - np.arange(key.shape[2])
        return softmax(np.where((back >= 0) & (back <= 3), scores, -1e30)) @ value

    report = ask(capped, meant={"scale": "1/sqrt(d_k)", "softcap": 1.0})
    assert [problem.code for problem in report.problems] == ["softcap"]


def test_scores_far_below_0_are_asked_beside_keys_that_fill_blocks():
    def from_zero(query, key, value):
        """Blocks of 16; what fills them counts, and the maximum starts at 0."""
        scores = dots(query, key)
        fill = -scores.shape[-1] % 16
        top = np.maximum(scores.max(-1, keepdims=True), 0)
        exps = np.exp(scores - top)
        total = exps.sum(-1, keepdims=True) + fill * np.exp(-top)
        return exps @ value / np.maximum(total, 1e-20)

    codes = [problem.code for problem in ask(from_zero).problems]
    assert codes == ["padding", "low-scores-lost"]


@pytest.mark.parametrize(
    ("window", "right"), [((None, 0), True), ((None, None), False), ((None, 1), False)]
)
def test_a_window_without_a_limit_is_the_causal_mask(window, right):
    def causal(query, key, value):
        seen = own_rule(query.shape[2], key.shape[2])
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    problems = ask(causal, meant={"alignment": "start", "window": window}).problems
    assert (problems == []) == right


def test_rounded_scores_that_differ_far_from_0_are_not_called_fine():
    def rounded(query, key, value):
        scores = dots(query, key).astype(np.float32)
        bits = (scores.view(np.uint32) + 0x8000) & 0xFFFF0000
        return softmax(bits.view(np.float32)) @ value

    said = words(ask(rounded))
    assert "weights are not those of the scores" in said
    assert "give finite numbers" in said
    assert "are fine" not in said


def test_what_is_another_heads_alone_is_not_said_to_be_made_of_more():
    def first_head(query, key, value):
        return softmax(0.7 * dots(query, key[:, :1]) ** 3) @ value[:, :1]

    said = words(ask(first_head))
    assert "is not made of its own head's keys and values alone" in said


@pytest.mark.parametrize("at_most", [64, 1000])
def test_what_one_query_sees_is_said_of_so_many_keys(at_most):
    def decode(query, key, value):
        """A window of 8 keys; one query sees all of the last `at_most`."""
        n, m = query.shape[2], key.shape[2]
        back = np.arange(n)[:, None] + m - n - np.arange(m)
        seen = (back >= 0) & (back < (at_most if n == 1 else 8))
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    (problem,) = ask(decode).problems
    keys = "" if at_most == 1000 else " and 24 keys"
    assert problem.sentence == f"With a single query{keys}, every key is seen."


@pytest.mark.parametrize("ring", [True, False])
def test_keys_of_0_in_a_first_block_alone_are_said_of_fewer_keys(ring):
    def cached(query, key, value):
        """A ring of 32 that starts with zeros; or blocks of 32, filled up."""
        m = key.shape[2]
        if ring and m > 32:
            key, value = key[:, :, -32:], value[:, :, -32:]
        width = [(0, 0), (0, 0), (0, -key.shape[2] % 32), (0, 0)]
        key, value = np.pad(key, width), np.pad(value, width)
        return softmax(dots(query, key)) @ value

    padding = ask(cached).problems[0]
    assert padding.code == "padding"
    assert ("With fewer keys than 32" in padding.sentence) == ring


def test_masks_of_keys_that_are_taken_for_those_of_heads_are_told():
    def guessed(query, key, value, key_padding_mask=None):
        scores = dots(query, key)
        if key_padding_mask is not None:
            hidden = np.asarray(key_padding_mask, bool)
            of_heads = len(hidden) == query.shape[1]
            hidden = hidden[None, :, None] if of_heads else hidden[:, None, None]
            scores = np.where(hidden, -1e30, scores)
        return softmax(scores) @ value

    verdict = ask(guessed).verdict
    assert "is read as one for each head where there are as many sentences" in verdict


def test_what_an_empty_row_gets_is_asked_in_a_second_sentence_too():
    def skipping(query, key, value, key_padding_mask=None):
        """Blocks of 16 keys are skipped that the first sentence does not need."""
        scores, hidden = dots(query, key), np.zeros((1, key.shape[2]), bool)
        if key_padding_mask is not None:
            hidden = np.asarray(key_padding_mask, bool)
        blocks = np.arange(hidden.shape[1]) // 16
        read = np.array([not hidden[0, blocks == block].all() for block in blocks])
        scores = np.where(hidden[:, None, None], -1e9, scores)
        scores = np.where(read, scores, -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(skipping, meant={"mask": "may not attend", "empty_row": "zeros"})
    assert "empty-row" in [problem.code for problem in report.problems]
    assert "in the first sentence; in the second, a mean" in words(report)


@pytest.mark.parametrize("name", ["mask", "key_padding_mask"])
@pytest.mark.parametrize("block", [16, 1000])
def test_a_mask_that_few_tokens_do_not_read_is_said_so(name, block):
    def function(query, key, value, mask=None):
        """Masked in whole blocks of queries alone."""
        scores = dots(query, key)
        if mask is not None:
            seen = np.asarray(mask, bool)
            seen = seen[:, None, None] if name != "mask" else seen
            whole = np.arange(query.shape[2]) < query.shape[2] // block * block
            scores = np.where(seen | ~whole[:, None], scores, -1e9)
        return softmax(scores) @ value

    def of_keys(query, key, value, key_padding_mask=None):
        return function(query, key, value, key_padding_mask)

    said = words(ask(function if name == "mask" else of_keys))
    few = (
        "ith 12 tokens, and not with 48"
        if name == "mask"
        else "with 12 tokens; with 48 it"
    )
    assert (few in said) == (block == 16)
    assert "changes nothing" in said


def test_an_empty_row_is_asked_with_more_tokens_too():
    def function(query, key, value, attn_mask=None):
        """Hidden by −∞ in the first 32 rows; by −1e9 in those after them."""
        scores = dots(query, key)
        if attn_mask is not None:
            late = np.arange(query.shape[2])[:, None] >= 32
            scores = np.where(attn_mask, scores, np.where(late, -1e9, -np.inf))
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(function, meant={"mask": "may attend", "empty_row": "zeros"})
    assert [problem.code for problem in report.problems] == ["empty-row"]
    assert "gets zeros, with 12 tokens; with 48, a mean of values." in words(report)


def test_what_large_numbers_alone_make_wrong_is_not_said_of_a_number_of_tokens():
    def saturated(query, key, value):
        return softmax(dots(query, key.clip(-4, 4))) @ value

    said = words(ask(saturated))
    assert "which explain those of 1, 2" not in said
    assert "for some numbers, and not for others" in said


def test_where_the_first_mask_serves_for_all_no_second_sentence_is_empty():
    def of_first(query, key, value, key_padding_mask=None):
        scores = dots(query, key)
        if key_padding_mask is not None:
            hidden = np.asarray(key_padding_mask, bool)[:1, None, None]
            scores = np.where(hidden, -np.inf, scores)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(of_first))
    assert "not every one was used for its own sentence" in said
    assert "in the second" not in said


def test_what_an_empty_row_gets_with_more_tokens_is_a_mean_only_if_even():
    def function(query, key, value, attn_mask=None):
        """A mask is not applied to the keys after the last full block of 32."""
        scores, m = dots(query, key), key.shape[2]
        if attn_mask is not None:
            tail = (np.arange(m) >= m // 32 * 32) & (m > 32)
            scores = np.where(attn_mask | tail, scores, -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(function))
    assert (
        "zeros, with 12 tokens; with 48, values with weights that are not even" in said
    )


def test_large_scores_are_tried_with_as_many_tokens_as_are_right():
    def first_page(query, key, value):
        """The maximum of the first 16 keys serves for all; 32 of them lose a page."""
        scores, m = dots(query, key), key.shape[2]
        exps = np.exp(scores - scores[..., :16].max(-1, keepdims=True))
        exps = exps * (np.arange(m) < m - 16 * (m % 16 == 0))
        return exps @ value / exps.sum(-1, keepdims=True)

    said = words(ask(first_page))
    assert "are fine" not in said
    assert "it gives NaN" in said


def test_a_cap_whose_order_cannot_be_asked_is_one_at_so_many_columns():
    def padded(query, key, value):
        """Capped before it is scaled, by columns that fill blocks of 16."""
        scores = 30 * np.tanh(query @ key.swapaxes(-1, -2) / 30)
        return softmax(scores / (-(-query.shape[-1] // 16) * 16) ** 0.5) @ value

    report = ask(padded, meant={"softcap": 30.0})
    (problem,) = report.problems
    assert problem.sentence == "softcap was meant to be 30.0; it is 3.75 at d_k = 64."


def test_a_scale_of_few_tokens_is_noted_as_theirs():
    def last_block(query, key, value):
        """In base 2 in a last block of 32 keys that is not full."""
        m = key.shape[2]
        tail = np.arange(m) >= m // 32 * 32
        return softmax(dots(query, key) * np.where(tail, np.log(2), 1)) @ value

    assert "with few tokens, its scale is ln 2/√d_k" in words(ask(last_block)).lower()


def test_masks_of_keys_that_are_joined_are_not_said_to_change_nothing():
    def unpadded(query, key, value, key_padding_mask=None):
        """Cut out what is padding in every sentence, and nothing else."""
        if key_padding_mask is not None:
            real = np.asarray(key_padding_mask, bool).any(0)
            key, value = key[:, :, real], value[:, :, real]
        return softmax(dots(query, key)) @ value

    report = ask(unpadded, meant={"mask": "may attend"})
    (problem,) = report.problems
    assert problem.code == "mask-of-another-sentence"
    assert report.facts["mask"] == "may attend"
    assert "not even" not in words(report)


def strict_in_pairs(query, key, value):
    """Strictly causal, but for the first query; of an odd head, all is seen."""
    seen = np.tri(query.shape[2], key.shape[2], -1, bool)
    seen[0, 0] = True
    scores = dots(query, key)
    paired = np.arange(query.shape[1])[:, None, None] < query.shape[1] // 2 * 2
    return softmax(np.where(seen | ~paired, scores, -np.inf)) @ value


def test_what_one_head_sees_is_not_taken_for_what_two_see():
    report = ask(strict_in_pairs)
    assert [problem.code for problem in report.problems] == ["wrong-with-other-heads"]
    assert report.problems[0].sentence.startswith("With 1 head its outputs do not")


@pytest.mark.parametrize("shared", [True, False])
def test_where_sentences_are_mixed_up_shared_heads_are_not_blamed(shared):
    def pages(query, key, value):
        """With more than 16 keys, sentences after the first read those before them."""
        if key.shape[2] > 16 and key.shape[2] % 16:
            key, value = (np.roll(x, 1, 0) for x in (key, value))
        key, value = (
            np.repeat(x, query.shape[1] // x.shape[1] if shared else 1, 1)
            for x in (key, value)
        )
        return softmax(dots(query, key)) @ value

    report = ask(pages)
    assert "grouping" not in [problem.code for problem in report.problems]
    assert report.tells_of("wrong-with-more-sentences")
    assert ("0 0 0 1 1 1" in words(report)) == shared


def test_heads_that_are_wrong_with_as_many_tokens_are_said_so():
    def swapped(query, key, value):
        """Heads and queries change places where there are as many of both."""
        output = softmax(dots(query, key)) @ value
        h, n = output.shape[1:3]
        return output.swapaxes(1, 2) if h == n > 1 else output

    said = [problem.sentence for problem in ask(swapped).problems]
    assert any(line.startswith("With 2 tokens and as many heads its") for line in said)
    assert any(line.startswith("With 12 heads and 12 tokens its") for line in said)


def test_a_mask_that_hides_every_key_from_all_is_asked_about_too():
    def function(query, key, value, mask=None):
        """Zeros for a mask that is empty; of one empty row, a mean."""
        scores = dots(query, key)
        if mask is None:
            return softmax(scores) @ value
        if not np.any(mask):
            return np.zeros_like(query)
        return softmax(np.where(mask, scores, -1e9)) @ value

    said = words(ask(function))
    assert "a mean of all values; where a mask hides every key from every query" in said
    meant = words(ask(function, meant={"empty_row": "mean"}))
    assert "where a mask hides every key from every query, it is 'zeros'" in meant


def test_a_window_that_one_number_of_tokens_shows_is_not_said_of_all():
    def cached(query, key, value):
        """The last query is aligned with the end of a cache of whole blocks of 64."""
        n, m = query.shape[2], key.shape[2]
        seen = np.arange(m) <= np.arange(n)[:, None] + -(-m // 64) * 64 - n
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    report = ask(cached, meant={"alignment": "end"})
    assert "window" not in words(report)
    assert report.facts["alignment"] == "none"
    assert report.tells_of("wrong-when-long")


def test_a_key_of_0_that_the_last_queries_alone_see_is_found_in_full_blocks_too():
    def cached(query, key, value):
        """One empty place of the cache is read, of those that a query may see."""
        n, m = query.shape[2], key.shape[2]
        size = -(-m // 64) * 64
        scores = dots(query, key)
        empty = (np.arange(n)[:, None] + size - n >= m) & (size > m)
        scores = np.concatenate(
            [scores, np.where(empty, 0, -np.inf) + 0 * scores[..., :1]], -1
        )
        seen = np.arange(m + 1) <= np.arange(n)[:, None] + size - n
        return softmax(np.where(seen, scores, -np.inf))[..., :m] @ value

    report = ask(cached)
    assert "sink" not in words(report)
    assert "unless the number of keys is a multiple of 64" in words(report)


def test_nan_of_low_scores_is_not_said_of_all_large_ones():
    def clipped(query, key, value):
        exps = np.exp(dots(query, key).clip(max=10))
        return exps @ value / exps.sum(-1, keepdims=True)

    report = ask(clipped)
    assert report.tells_of("low-scores-lost")
    assert "it gives NaN" not in words(report)


@pytest.mark.parametrize("joins", [True, False])
def test_a_mask_that_is_joined_with_the_rule_does_not_take_its_place(joins):
    def function(query, key, value, attn_mask=None):
        bias = np.where(own_rule(query.shape[2], key.shape[2]), 0, -1e30)
        if attn_mask is not None:
            mask = np.asarray(attn_mask, float)
            bias = np.maximum(bias, mask) if joins else mask
        return softmax(dots(query, key) + bias) @ value

    said = words(ask(function))
    assert ("is joined with OR to the function's own" in said) == joins
    assert ("it takes the place of the one that it makes itself" in said) != joins
    assert ("A mask is added to the scores" in said) != joins


def test_numbers_of_a_mask_are_asked_above_0_too():
    def clipped(query, key, value, mask=None):
        """Before the scale, and nothing above 0."""
        mask = 0 if mask is None else np.minimum(mask, 0)
        return softmax((query @ key.swapaxes(-1, -2) + mask) / 8) @ value

    (problem,) = ask(clipped, meant={"mask": "added"}).problems
    assert problem.sentence.endswith("−1 changes a score by -0.125, and 1 by 0.")


@pytest.mark.parametrize("scaled", [True, False])
def test_what_a_hidden_key_gets_is_said_of_so_many_columns(scaled):
    def leaky(query, key, value):
        scores = query @ key.swapaxes(-1, -2)
        hidden = ~own_rule(query.shape[2], key.shape[2])
        scale = query.shape[-1] ** -0.5
        return softmax(scores * scale - hidden * 40 * (scale if scaled else 1)) @ value

    (problem,) = [x for x in ask(leaky).problems if x.code == "mask-leaks"]
    added = "-5 is added at d_k = 64, and" if scaled else "-40 is added, and"
    assert added in problem.sentence


@pytest.mark.parametrize("corner", ["start", "end"])
def test_alibi_without_a_mask_may_count_from_either_corner(corner):
    def function(query, key, value):
        h, n, m = query.shape[1], query.shape[2], key.shape[2]
        slopes = 2.0 ** (-8 * np.arange(1, h + 1) / h)
        start = m - n if corner == "end" else 0
        away = np.abs(np.arange(n)[:, None] + start - np.arange(m))
        return softmax(dots(query, key) - slopes[:, None, None] * away) @ value

    report = ask(function)
    assert report.facts["position"] == "alibi"
    assert not report.unexplained


def test_a_window_under_a_known_mistake_is_said_of_few_tokens():
    def blocks(query, key, value):
        """Keys are rotated the other way; own block of 32 and the one before."""
        n, m = query.shape[2], key.shape[2]
        scores = dots(rotated(query, np.arange(n)), rotated(key, -np.arange(m)))
        i, j = np.arange(n)[:, None], np.arange(m)
        seen = (j <= i) & (j >= (i // 32 - 1) * 32)
        return softmax(np.where(seen, scores, -np.inf)) @ value

    report = ask(blocks, meant={"alignment": "start", "window": (32, 0)})
    said = [x.sentence for x in report.problems if x.code == "window"]
    assert said == ["window was meant to be (32, 0); with few tokens, it is None."]


@pytest.mark.parametrize(
    "does", ["is not added to a score", "changes a score by about"]
)
def test_a_mask_of_numbers_that_hides_but_adds_otherwise_is_said_to_do_so(does):
    def function(query, key, value, mask=None):
        scores = query @ key.swapaxes(-1, -2)
        if mask is not None and np.asarray(mask).dtype == bool:
            mask = np.where(mask, 0, -np.inf)
        if mask is not None and "not" in does:
            scores = np.where(mask == 0, scores, -np.inf)
        elif mask is not None:
            scores = scores + mask
        weights = softmax(scores / 8)
        weights = weights if "not" in does else np.floor(weights * 255) / 255
        return np.nan_to_num(weights) @ value

    said = words(ask(function, meant={"mask": "added"}))
    assert f"meant to be 'added'; 0 in it allows, −∞ hides, but 1 {does}" in said


def test_one_token_is_told_by_the_question_of_one_query():
    def decoding(query, key, value):
        """One query alone is scaled twice; a key of 0 takes part."""
        scores = dots(query, key) / (8 if query.shape[2] == 1 else 1)
        exps = np.exp(scores)
        return exps @ value / (exps.sum(-1, keepdims=True) + 1)

    codes = [problem.code for problem in ask(decoding).problems]
    assert codes == ["one-query"]


def test_masks_of_three_axes_are_asked_for_each_sentence():
    def folded(query, key, value, attn_mask=None):
        """A mask of each sentence is repeated by heads, where they come first."""
        b, h, n, m = *query.shape[:3], key.shape[2]
        scores = dots(query, key)
        if attn_mask is not None and attn_mask.ndim == 3:
            whole = np.broadcast_to(attn_mask, (b, n, m))
            attn_mask = np.tile(whole, (h, 1, 1)).reshape(b, h, n, m)
        if attn_mask is not None:
            scores = np.where(attn_mask, scores, -1e9)
        return softmax(scores) @ value

    (problem,) = ask(folded).problems
    begins = "Each sentence was given a mask of its own, of (batch, n_queries, n_keys),"
    assert problem.sentence.startswith(begins)


@pytest.mark.parametrize("least", [0, 1])
def test_a_mask_that_is_read_as_a_length_is_asked_for_a_length_of_0(least):
    def lengths(query, key, value, attention_mask=None):
        seen = np.ones((query.shape[0], key.shape[2]), bool)
        if attention_mask is not None:
            n = np.maximum(np.sum(attention_mask, -1), least)
            seen = np.arange(key.shape[2]) < n[:, None]
        scores = np.where(seen[:, None, None], dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(lengths, meant={"mask": "may attend", "empty_row": "nan"})
    gets = "sees the first key" if least else "is 'zeros'"
    assert f"empty_row was meant to be 'nan'; it {gets}." in words(report)
    who = "A query that may attend to nothing"
    gets = "sees the first key." if least else "gets zeros."
    assert f"{who} {gets}" in words(report)


def test_nothing_is_said_of_a_mask_that_depends_on_the_calls_before():
    kept = {}

    def cached(query, key, value):
        """The first mask for so many keys serves for fewer queries, too."""
        n, m = query.shape[2], key.shape[2]
        if m not in kept or len(kept[m]) < n:
            kept[m] = np.tri(n, m, m - n, bool)
        return softmax(np.where(kept[m][:n], dots(query, key), -np.inf)) @ value

    report = ask(cached, meant={"alignment": "end"})
    assert report.tells_of("not-the-same-twice")
    assert "aligned at" not in words(report)


@pytest.mark.parametrize(
    ("meant", "corner"), [("end", "first query"), ("start", "last key")]
)
def test_a_window_to_both_sides_is_said_to_be_aligned_at_its_corner(meant, corner):
    def function(query, key, value):
        n, m = query.shape[2], key.shape[2]
        start = 0 if meant == "end" else m - n
        away = np.arange(m) - np.arange(n)[:, None] - start
        scores = np.where(np.abs(away) <= 8, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(function, meant={"window": (8, 8), "alignment": meant})
    (problem,) = report.problems
    begins = f"alignment was meant to be {meant!r}; its window is aligned at the "
    assert problem.sentence == f"{begins}{corner}."
    right = "start" if meant == "end" else "end"
    assert not ask(function, meant={"window": (8, 8), "alignment": right}).problems


def test_scores_that_are_lost_are_said_from_which_on():
    def function(query, key, value):
        """The maximum starts at 0, and a small number is added to the sum."""
        scores = dots(query, key)
        exps = np.exp(scores - np.maximum(scores.max(-1, keepdims=True), 0))
        return exps @ value / (exps.sum(-1, keepdims=True) + 1e-6)

    (problem,) = ask(function).problems
    assert problem.sentence.startswith("When every score is -16, or less, rows do not")


def test_random_scores_are_said_of_so_many_tokens_if_more_are_wrong():
    def blocks(query, key, value):
        """Each block of 32 keys has a softmax of its own."""
        starts = range(0, key.shape[2], 32)
        parts = [(key[:, :, j : j + 32], value[:, :, j : j + 32]) for j in starts]
        outputs = [softmax(dots(query, k)) @ v for k, v in parts]
        return sum(outputs) / len(outputs)

    assert "• With 24 tokens, random scores of up to" in words(ask(blocks))


def test_sinks_are_said_of_so_many_heads():
    def sinks(query, key, value):
        scores = dots(query, key)
        logits = np.linspace(-1, 1, query.shape[1])[:, None, None]
        sink = np.broadcast_to(logits, (*scores.shape[:-1], 1))
        weights = softmax(np.concatenate([scores, sink], -1))[..., :-1]
        return weights @ value

    assert "its logits in 2 heads: -1 1." in words(ask(sinks))


def test_heads_that_are_cut_apart_by_a_reshape_are_not_said_to_leak():
    def reshaped(query, key, value):
        output = softmax(dots(query, key)) @ value
        return output.swapaxes(1, 2).reshape(output.shape)

    (problem,) = ask(reshaped).problems
    begins = (
        "The output is reshaped where its heads and its tokens should be transposed"
    )
    assert problem.sentence.startswith(begins)
    assert "leaks" not in problem.sentence


def test_weights_that_are_no_exponentials_are_said_so_of_so_many_keys():
    def blocks(query, key, value):
        """Blocks of 16 keys, put together with the wrong base."""
        total = top = None
        for j in range(0, key.shape[2], 16):
            scores = dots(query, key[:, :, j : j + 16])
            new = scores.max(-1, keepdims=True)
            new = new if top is None else np.maximum(top, new)
            exps = np.exp(scores - new)
            part = np.concatenate(
                [exps @ value[:, :, j : j + 16], exps.sum(-1, keepdims=True)], -1
            )
            kept = 0 if total is None else total * np.exp((top - new) / np.log(2))
            total, top = part + kept, new
        return total[..., :-1] / total[..., -1:]

    begins = "With 24 queries and 24 keys its weights are not the exponentials"
    assert ask(blocks).unexplained.startswith(begins)


def test_facts_of_few_tokens_are_said_to_be_theirs():
    def not_rescaled(query, key, value):
        """The running sum is not rescaled, where a maximum rises in a later block."""
        total, sums, top = 0, 0, -np.inf
        for j in range(0, key.shape[2], 32):
            scores = dots(query, key[:, :, j : j + 32])
            new = np.maximum(top, scores.max(-1, keepdims=True))
            exps = np.exp(scores - new)
            total = total * np.exp(top - new) + exps @ value[:, :, j : j + 32]
            sums, top = sums + exps.sum(-1, keepdims=True), new
        return total / sums

    said = words(ask(not_rescaled))
    assert "What it computes, with 24 tokens • Scores are" in said
    assert "What it computes •" in words(ask(strict_in_pairs))


def test_outputs_agree_with_who_was_seen_to_see_whom_where_no_rule_says_it():
    assert "and with who was seen to see whom, to" in words(ask(strict_in_pairs))


def test_a_mask_is_said_beside_a_known_mistake():
    def shifted(query, key, value):
        """Keys are rotated by one place more than queries are."""
        n, m = query.shape[2], key.shape[2]
        scores = dots(rotated(query, np.arange(n)), rotated(key, np.arange(m) + 1))
        return softmax(np.where(own_rule(n, m), scores, -np.inf)) @ value

    said = words(ask(shifted))
    assert "The keys are rotated by one place more" in said
    assert "Query i sees the keys j ≤ i, aligned at the first query" in said


def test_a_known_mistake_of_few_tokens_is_said_to_be_theirs():
    def chunks(query, key, value):
        """Own chunk of 32 and the one before; a last one that is not full, itself."""
        n, m = query.shape[2], key.shape[2]
        i, j = np.arange(n)[:, None] + m - n, np.arange(m)
        start = i // 32 * 32
        start = np.where(start + 32 <= m, start - 32, start)
        seen = (j <= i) & (j >= start)
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(chunks, meant={"window": (31, 0), "alignment": "end"})
    said = [one.sentence for one in report.problems if "own chunk" in one.sentence]
    begins = "With 37 tokens: a query sees only keys of its own chunk"
    assert [line for line in said if line.startswith(begins)] == said != []


def test_what_an_empty_row_of_a_later_sentence_gets_is_asked_too():
    def of_first(query, key, value, attn_mask=None):
        """Which rows are empty is read off the first sentence's mask."""
        scores = dots(query, key)
        if attn_mask is None:
            return softmax(scores) @ value
        mask = np.asarray(attn_mask)
        output = softmax(np.where(mask, scores, -1e9)) @ value
        return np.where(mask[:1].any(-1, keepdims=True), output, 0)

    report = ask(of_first, meant={"mask": "may attend", "empty_row": "zeros"})
    (problem,) = report.problems
    where = "where a mask hides every key from a query of the second sentence"
    assert (
        problem.sentence == f"empty_row was meant to be 'zeros'; {where}, it is 'mean'."
    )
    assert "in the first sentence; in the second, a mean of values." in words(report)


def shared(query, key, value):
    """Query heads that share key heads in a row."""
    times = query.shape[1] // key.shape[1]
    key, value = (np.repeat(x, times, axis=1) for x in (key, value))
    return softmax(dots(query, key)) @ value


def swapped(x):
    """Exchange the keys of sentences."""
    return x if len(x) == 1 else x[::-1]


@pytest.mark.parametrize(
    ("is_wrong", "says"),
    [
        (lambda q, k: k.shape[2] > 16, "With two sentences of 24 queries"),
        (lambda q, k: k.shape[1] == 1 < q.shape[1], "With two sentences, and 1 key"),
        (
            lambda q, k: q.shape[2] == 1 and k.shape[1] < q.shape[1],
            "With two sentences of a single query and two key heads for six",
        ),
    ],
)
def test_what_only_later_sentences_get_is_said_of_two(is_wrong, says):
    def function(query, key, value):
        if is_wrong(query, key):
            key = swapped(key)
        return shared(query, key, value)

    (problem,) = ask(function).problems
    assert problem.sentence.startswith(says)


def test_a_single_query_of_one_sentence_may_be_wrong():
    def function(query, key, value):
        if query.shape[2] == 1 and key.shape[1] < query.shape[1]:
            key = -key
        return shared(query, key, value)

    (problem,) = ask(function).problems
    assert problem.sentence.startswith("With a single query and two key heads for six")


def test_heads_that_stand_elsewhere_take_their_masks_along():
    def function(query, key, value, attn_mask=None):
        b, heads, n, d = query.shape
        groups = key.shape[1]
        key, value = (np.repeat(x, heads // groups, axis=1) for x in (key, value))
        scores = dots(query, key)
        if attn_mask is not None:
            scores = np.where(attn_mask, scores, -np.inf)
        output = np.nan_to_num(softmax(scores)) @ value
        output = output.reshape(b, groups, heads // groups, n, d)
        return output.swapaxes(1, 2).reshape(b, heads, n, d)

    (problem,) = ask(function).problems
    assert problem.sentence.startswith("Six query heads on two key heads give")


LOW, LOWEST = -1e9, -1e30


def masked_twice(query, key, value, seen, fills):
    """Fill with a finite number what the own rule hides, and what a mask does."""
    own = np.tri(*seen.shape[-2:], dtype=bool)
    scores = np.where(seen, dots(query, key), fills["mask"])
    return softmax(np.where(own, scores, fills["own"])) @ value


@pytest.mark.parametrize("of_keys", [False, True])
@pytest.mark.parametrize(
    ("fills", "says"),
    [
        (
            {"mask": -np.inf, "own": LOW},
            "gets zeros, if its own rule hides none from it; one from which its own "
            "rule hides some attends to keys which its own rule hides.",
        ),
        (
            {"mask": LOWEST, "own": LOW},
            "gets a mean of all values, if its own rule hides none from it; one from "
            "which its own rule hides some attends to keys which its own rule hides.",
        ),
        (
            {"mask": LOW, "own": LOWEST},
            "gets a mean of the values that its own rule leaves it.",
        ),
        ({"mask": LOW, "own": LOW}, "gets a mean of all values."),
    ],
)
def test_a_query_from_which_its_own_rule_hides_keys_may_get_something_else(
    fills, says, of_keys
):
    def of_pairs(query, key, value, attn_mask=None):
        shape = (1, 1, query.shape[2], key.shape[2])
        seen = np.ones(shape, bool) if attn_mask is None else attn_mask
        return masked_twice(query, key, value, np.broadcast_to(seen, shape), fills)

    def of_the_keys(query, key, value, key_mask=None):
        seen = np.ones((len(key), 1, query.shape[2], key.shape[2]), bool)
        if key_mask is not None:
            seen = seen & key_mask[:, None, None]
        return masked_twice(query, key, value, seen, fills)

    report = ask(of_the_keys if of_keys else of_pairs)
    assert f"A query to which a mask leaves no key {says}" in words(report)


def test_what_a_mask_and_the_rule_leave_none_together_may_be_a_mean_of_all():
    def added_twice(query, key, value, key_mask=None):
        low, n, m = np.finfo(np.float32).min, query.shape[2], key.shape[2]
        bias = np.where(np.tri(n, m, m - n, dtype=bool), 0, low)[None, None]
        if key_mask is not None:
            bias = bias + np.where(key_mask, 0, low)[:, None, None]
        return softmax(np.maximum(dots(query, key) + bias, 2 * low)) @ value

    said = words(ask(added_twice))
    begins = "A query to which a mask leaves no key gets a mean of the values that its "
    assert f"{begins}own rule leaves it; one to which the mask and its own" in said
    assert "leave none together attends to keys which its own rule hides." in said


@pytest.mark.parametrize("by", ["queries", "keys", "both"])
@pytest.mark.parametrize("at_end", [True, False])
def test_a_mask_that_the_first_call_decides_about_is_found(by, at_end):
    kept = {}

    def function(query, key, value):
        n, m = query.shape[2], key.shape[2]
        name = {"queries": n, "keys": m, "both": (n, m)}[by]
        if name not in kept or min(np.subtract(kept[name].shape, (n, m))) < 0:
            corner = (m - n) * at_end
            kept[name] = np.tri(max(n, 64), max(m, 64), corner, dtype=bool)
        scores = np.where(kept[name][:n, :m], dots(query, key), -np.inf)
        return softmax(scores) @ value

    report = ask(function)
    depends = at_end and by != "both"
    assert report.tells_of("not-the-same-twice") == depends
    assert (report.facts["alignment"] is None) == depends


def test_a_window_whose_left_edge_has_another_corner_is_not_called_one():
    def function(query, key, value):
        n, m = query.shape[2], key.shape[2]
        i, j = np.arange(n)[:, None], np.arange(m)
        seen = (j <= i + m - n) & (j > i - 24)
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(function))
    assert "does not explain its outputs for 24 queries and 48 keys" in said
    assert "a window of keys" not in said


def test_what_holds_of_as_many_queries_as_keys_is_not_said_of_up_to_so_many():
    def sparse(query, key, value):
        n, m = query.shape[2], key.shape[2]
        i, j = np.arange(n)[:, None], np.arange(m)
        seen = (j <= i + m - n) if m < 256 else (j <= i)
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(sparse))
    begins = "With 128 queries and 300 keys its outputs do not follow from the facts"
    assert f"{begins} below, which explain those of 48 tokens" in said
    assert "What it computes, with 48 tokens" in said


def test_facts_beside_a_dropped_block_are_those_of_fewer_tokens():
    def tail_dropped(query, key, value):
        """The last block of 16 is read where it is the only one, or full."""
        m = key.shape[2]
        kept = m if m < 16 else m // 16 * 16
        return softmax(dots(query, key[:, :, :kept])) @ value[:, :, :kept]

    report = ask(tail_dropped)
    assert report.tells_of("tail-dropped")
    assert "What it computes, with 12 tokens" in words(report)


def test_a_bias_of_places_is_said_of_so_many_heads():
    def function(query, key, value):
        n, m, heads = query.shape[2], key.shape[2], query.shape[1]
        later = np.arange(m) - np.arange(n)[:, None] - (m - n)
        slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        bias = slopes[:, None, None] * np.minimum(later, 0)
        return softmax(dots(query, key) + bias) @ value

    assert "In the first of 2 heads, from key − query = −3 to 3:" in words(
        ask(function)
    )


def test_rows_that_see_no_key_do_not_add_up_to_1():
    def strictly(query, key, value, attn_mask=None):
        n, m = query.shape[2], key.shape[2]
        seen = np.tri(n, m, -1, dtype=bool)
        if attn_mask is not None:
            seen = seen & attn_mask
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(strictly))
    assert "The weights of each query that sees a key add up to 1." in said
    assert "A query to which a mask or its own rule leaves no key gets zeros." in said


@pytest.mark.parametrize("counts", ["all", "left"])
def test_places_that_count_only_the_keys_left_are_noted(counts):
    def function(query, key, value, key_mask=None):
        n, m = query.shape[2], key.shape[2]
        seen = np.ones((len(key), m), bool) if key_mask is None else key_mask
        places = np.arange(m) if counts == "all" else np.cumsum(seen[0]) - 1
        q, k = rotated(query, places[m - n :]), rotated(key, places)
        own = np.tri(n, m, m - n, dtype=bool)
        scores = np.where(own & seen[:, None, None], dots(q, k), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(function, meant={"position": "rotary", "mask": "may attend"})
    assert not report.problems
    assert ("count only the keys that are left" in words(report)) == (counts == "left")


@pytest.mark.parametrize("heads", ["and 2 heads its", "its"])
def test_what_more_heads_than_tokens_get_is_said_of_those(heads):
    def guessed(query, key, value):
        """Take the longer axis for the tokens."""
        longer = query.shape[1] > query.shape[2]
        if query.shape[2] == 1 and heads == "its":
            return value[..., :1] + 0 * (query @ key.swapaxes(-1, -2)) @ value
        if not longer or query.shape != key.shape:
            return softmax(dots(query, key)) @ value
        turned = (x.swapaxes(1, 2) for x in (query, key, value))
        q, k, v = turned
        return (softmax(dots(q, k)) @ v).swapaxes(1, 2)

    (problem,) = ask(guessed).problems
    assert problem.sentence.startswith(f"With 1 token {heads} outputs do not follow")


def test_no_problem_speaks_of_facts_that_were_taken_back():
    def capped(query, key, value):
        """A tile of 16 reads the keys that it needs; the cap comes after the mask."""
        n, m = query.shape[2], key.shape[2]
        parts = []
        for start in range(0, n, 16):
            q = query[:, :, start : start + 16]
            first, last = m - n + start, m - n + start + q.shape[2] - 1
            low, high = max(0, (last - 23) // 16 * 16), min(m, last + 1)
            if high <= low:
                parts.append(np.zeros((*q.shape[:3], value.shape[-1])))
                continue
            i = first + np.arange(q.shape[2])[:, None]
            j = np.arange(low, high)
            scores = dots(q, key[:, :, low:high])
            scores = np.where((j <= i) & (j > i - 24), scores, -1e9)
            weights = softmax(5 * np.tanh(scores / 5))
            parts.append(weights @ value[:, :, low:high])
        return np.concatenate(parts, axis=2)

    report = ask(capped, meant={"softcap": 5.0, "alignment": "end"})
    assert not report.sentences
    assert "facts below" not in words(report)


def tiles_that_begin_anew(query, key, value, only_last):
    """Count the rows of tiles of 16 from 0: of all, or of a last one that is short."""
    n, m = query.shape[2], key.shape[2]
    row = np.arange(n)
    anew = row >= n // 16 * 16 if only_last else row >= 0
    row = np.where(anew, row % 16, row)
    seen = np.arange(m) <= row[:, None]
    return softmax(np.where(seen, dots(query, key), -np.inf)) @ value


@pytest.mark.parametrize("only_last", [True, False])
def test_a_mask_that_begins_anew_in_the_last_tile_alone_is_not_said_to_in_each(
    only_last,
):
    def function(query, key, value):
        return tiles_that_begin_anew(query, key, value, only_last)

    report = ask(function, meant={"alignment": "start"})
    assert ("begins anew with each block of 16" in words(report)) == (not only_last)


def test_a_rule_of_few_tokens_has_the_window_of_many():
    def function(query, key, value):
        i, j = np.arange(query.shape[2])[:, None], np.arange(key.shape[2])
        seen = (j < 4) | ((j <= i) & (j >= i - 31))
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    said = words(ask(function))
    assert "none later than its own, at most 31 before it; aligned at" in said


def test_a_mask_in_place_of_the_own_rule_may_be_that_of_one_head():
    def first_plane(query, key, value, attn_mask=None):
        n, m = query.shape[2], key.shape[2]
        seen = own_rule(n, m)
        if attn_mask is not None:
            seen = attn_mask[:1, :1] if attn_mask.ndim == 4 else attn_mask
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    said = words(ask(first_plane))
    assert "takes the place of the one that it makes itself" in said
    assert "mask of its own, and all heads used that of one." in said


def test_angles_that_end_at_the_base_itself_are_exact():
    def function(query, key, value):
        def turned(x):
            half = x.shape[-1] // 2
            turns = np.arange(x.shape[2])[:, None]
            turns = turns * 1e4 ** (-np.arange(half) / (half - 1))
            a, b, c, s = x[..., :half], x[..., half:], np.cos(turns), np.sin(turns)
            return np.concatenate([a * c - b * s, a * s + b * c], -1)

        return softmax(dots(turned(query), turned(key))) @ value

    report = ask(function, meant={"position": "rotary", "rotary": {"base": 1e4}})
    (problem,) = report.problems
    assert "it is 13459.6 at 64 columns, as when pair i turns by 10000^" in str(problem)
    assert report.details["bits"] > 18


def test_a_cap_before_the_scale_is_told_beside_masked_keys_that_it_caps():
    def function(query, key, value):
        n, m = query.shape[2], key.shape[2]
        products = query @ key.swapaxes(-1, -2)
        products = np.where(own_rule(n, m), products, -1e9)
        scale = query.shape[-1] ** -0.5
        return softmax(20 * np.tanh(products / 20) * scale) @ value

    report = ask(function, meant={"softcap": 20.0})
    said = [problem.sentence for problem in report.problems]
    assert "The cap comes before the scale: c is 20, times the scale." in said
    assert not report.tells_of("columns")


def test_places_are_those_of_all_rows_that_are_off():
    """Of a row that loses its last key alone, few numbers are far off, or none."""

    def function(query, key, value):
        n, m = query.shape[2], key.shape[2]
        row = np.arange(n)[:, None]
        read = np.where((row >= 32) & (row < 48), 32, m)  # the key blocks' floor
        seen = own_rule(n, m) & (np.arange(m) < read)
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    report = ask(function)
    assert "all of them in queries 32–47 (from a multiple of 32 on) of" in words(report)


def test_a_mask_of_keys_in_place_of_the_own_rule_is_obeyed():
    def replaced(query, key, value, attn_mask=None):
        seen = own_rule(query.shape[2], key.shape[2])
        if attn_mask is not None:
            b, m = len(key), key.shape[2]
            of_keys = attn_mask.shape == (b, m) != (query.shape[2], m)
            seen = attn_mask[:, None, None] if of_keys else attn_mask
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(replaced)
    assert "takes the place of the one that it makes itself" in words(report)
    assert not report.problems


@pytest.mark.parametrize("corner", ["start", "end"])
def test_a_wide_window_to_both_sides_has_its_corner(corner):
    def local(query, key, value):
        n, m = query.shape[2], key.shape[2]
        place = np.arange(n)[:, None] + (m - n) * (corner == "end")
        seen = np.abs(place - np.arange(m)) <= 40
        return softmax(np.where(seen, dots(query, key), -np.inf)) @ value

    where = {"start": "the first query", "end": "the last key"}[corner]
    said = words(ask(local))
    assert f"40 before its own and 40 after, 81 keys in all; aligned at {where}" in said


def test_a_mask_that_hides_all_is_asked_beside_one_that_is_of_one_head():
    def of_whole_head(query, key, value, attn_mask=None):
        """Subtract the largest score of a head; one mask serves for all heads."""
        scores = dots(query, key)
        if attn_mask is not None:
            plane = attn_mask[:, :1] if attn_mask.ndim == 4 else attn_mask
            scores = np.where(plane, scores, -np.inf)
        with np.errstate(invalid="ignore"):
            exps = np.exp(scores - scores.max((-1, -2), keepdims=True))
        return exps @ value / (exps.sum(-1, keepdims=True) + 1e-10)

    report = ask(of_whole_head)
    assert report.tells_of("mask-of-one-head")
    assert "hides every key from every query, each gets NaN" in words(report)


def test_a_mask_of_which_one_row_is_read_is_one_of_keys():
    """Given a mask (n_queries, n_keys), it reads the last of its rows alone."""

    def of_keys(query, key, value, attention_mask=None):
        b, m = len(key), key.shape[2]
        seen = np.ones((b, 1, 1, m), bool)
        if attention_mask is not None:
            seen = attention_mask.reshape(b, -1)[:, -m:].astype(bool)[:, None, None]
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(of_keys, meant={"mask": "may attend", "empty_row": "zeros"})
    assert not report.problems
    assert "In a mask of keys, (batch, n_keys), True means: may attend." in words(
        report
    )


def test_a_scale_that_has_a_name_is_printed_as_it_is():
    def lazy(query, key, value):
        """Scores of many keys are a little flatter: a fit over them is inexact."""
        flat = 0.9995 if key.shape[2] > 12 else 1.0
        return softmax(flat * dots(query, key)) @ value

    report = ask(lazy)
    assert "Scores are query · key times 0.125 at d_k = 64: 1/√d_k." in words(report)
    assert report.facts["scale"] != 0.125


def test_how_exact_more_tokens_are_is_not_said_of_few():
    def lazily(query, key, value):
        """Sums are not rescaled where a block of 16 raises the maximum a little."""
        seen = own_rule(query.shape[2], key.shape[2])
        scores = np.where(seen, dots(query, key), -1e30)
        top, total, output = np.full((*scores.shape[:3], 1), -1e30), 0, 0
        for start in range(0, key.shape[2], 16):
            block = scores[..., start : start + 16]
            new = np.maximum(top, block.max(-1, keepdims=True))
            keep = np.where(new - top <= 1.5, 1, np.exp(top - new))
            exps = np.exp(block - new)
            total = total * keep + exps.sum(-1, keepdims=True)
            output = output * keep + exps @ value[:, :, start : start + 16]
            top = new
        return output / total

    report = ask(lazily)
    assert report.details["facts_of_tokens"] == 12
    said = words(report)
    assert "What it computes, with 12 tokens" in said
    assert "Scores are query · key times 0.125 at d_k = 64" in said
    assert "bits" not in said


def test_numbers_that_overflow_are_said_of_their_size():
    def in_float16(query, key, value):
        products = (query @ key.swapaxes(-1, -2)).astype(np.float16)
        scores = products.astype(np.float32) / np.sqrt(query.shape[-1])
        with np.errstate(all="ignore"):
            exps = np.exp(scores - scores.max(-1, keepdims=True))
            return exps / exps.sum(-1, keepdims=True) @ value

    said = words(ask(in_float16))
    assert "with random scores of up to 1.438e+04 it gives NaN" in said


def test_keys_that_are_counted_twice_are_not_the_only_ones_with_a_weight():
    def wrapped(query, key, value):
        """Chunks of 16 see the one before: the first sees the last keys, or itself."""
        n, m = query.shape[2], key.shape[2]
        chunk = np.arange(n)[:, None] // 16 * 16
        places = (chunk + np.arange(-16, 16)) % m
        back = np.arange(n)[:, None] - (chunk + np.arange(-16, 16))
        scores = np.take_along_axis(dots(query, key), places[None, None], -1)
        weights = softmax(np.where((back >= 0) & (back <= 24), scores, -np.inf))
        return np.einsum("bhns,bhnsd->bhnd", weights, value[:, :, places])

    report = ask(wrapped)
    shares = [line for line in str(report).split("•") if "of the pairs of" in line]
    weights = np.zeros((24, 24))
    chunk = np.arange(24)[:, None] // 16 * 16
    places = (chunk + np.arange(-16, 16)) % 24
    back = np.arange(24)[:, None] - (chunk + np.arange(-16, 16))
    np.add.at(weights, (np.arange(24)[:, None], places), (back >= 0) & (back <= 24))
    top = (weights == weights.max(-1, keepdims=True)).mean()
    line = " ".join(" ".join(shares).split())
    says = f"{(weights > 0).mean():.0%} of the pairs of 24 queries and 24 keys have a w"
    largest = f"{top:.0%} of the pairs of 24 queries and 24 keys have the largest w"
    assert says in line or largest in line


def test_chunks_that_only_full_tiles_show_are_not_said():
    def function(query, key, value):
        """The first block is found from a tile's last row, and 33 keys are seen."""
        n, m = query.shape[2], key.shape[2]
        i, j = np.arange(n)[:, None] + m - n, np.arange(m)
        last = np.minimum(np.arange(n) // 32 * 32 + 31, n - 1)[:, None] + m - n
        seen = (j <= i) & (i - j <= 32) & (j >= (last - 31) // 16 * 16)
        scores = np.where(seen, dots(query, key), -np.inf)
        return np.nan_to_num(softmax(scores)) @ value

    report = ask(function, meant={"alignment": "end", "window": (31, 0)})
    assert report.problems
    assert "chunk" not in words(report)


def test_an_empty_row_beside_empty_slots_gets_less_than_a_mean():
    def cached(query, key, value):
        """A cache of 64 slots, of which the unfilled ones hold zeros."""
        n, m = query.shape[2], key.shape[2]
        if m > 64:
            raise ValueError("the cache holds 64 keys")
        slots = [(0, 0), (0, 0), (0, 64 - m), (0, 0)]
        key, value = np.pad(key, slots), np.pad(value, slots)
        seen = (np.arange(64) < m) & np.tri(n, 64, m - n, dtype=bool)
        return softmax(np.where(seen, dots(query, key), -1e30)) @ value

    said = words(ask(cached))
    assert "leaves no key gets equal parts, less than a mean, of all values." in said


def no_maximum(query, key, value):
    with np.errstate(all="ignore"):
        exps = np.exp(dots(query, key))
        return exps / exps.sum(-1, keepdims=True) @ value


def test_the_readme_quotes_what_is_said():
    readme = Path(attncheck.__file__).with_name("README.md").read_text(encoding="utf-8")
    quoted = " ".join(readme.split())
    verdict = words(ask(no_maximum)).partition(". What")[0]
    assert f'"… but {verdict.partition(" but ")[2]}"' in quoted


def test_notes_speak_of_the_facts_above_them():
    def clamped(query, key, value):
        """Places after 63 turn as place 63; queries count from 0."""
        n, m = query.shape[2], key.shape[2]
        places = [np.minimum(np.arange(size), 63) for size in (n, m)]
        scores = dots(rotated(query, places[0]), rotated(key, places[1]))
        own = np.tri(n, m, m - n, dtype=bool)
        return np.nan_to_num(softmax(np.where(own, scores, -np.inf))) @ value

    _, notes = words(ask(clamped)).split("Notes")
    assert "do not follow from the facts above, which explain those of 48" in notes


def test_alibi_that_counts_from_the_first_key_is_off_by_scores():
    """With 12 queries and 24 keys, query 11 takes key 23 for one 12 places away."""

    def from_start(query, key, value):
        n, m, heads = query.shape[2], key.shape[2], query.shape[1]
        slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        away = np.abs(np.arange(n)[:, None] - np.arange(m))
        scores = dots(query, key) - slopes[:, None, None] * away
        own = np.tri(n, m, m - n, dtype=bool)
        return np.nan_to_num(softmax(np.where(own, scores, -np.inf))) @ value

    report = ask(from_start)
    (problem,) = [one for one in report.problems if one.code == "alibi-offset"]
    ((name, number),) = problem.numbers.items()
    slopes, n, m = (2.0**-4, 2.0**-8), 12, 24
    i, j = np.arange(n)[:, None], np.arange(m)
    own = np.tri(n, m, m - n, dtype=bool)
    change = np.where(own, np.abs(i - j) - np.abs(i + m - n - j), 0.0)
    even = change - change.sum(-1, keepdims=True) / own.sum(-1, keepdims=True)
    assert name.startswith("scores off by up to")
    assert number == pytest.approx(max(slopes) * np.abs(even[own]).max(), rel=0.01)
