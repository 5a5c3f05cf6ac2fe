"""Masks of keys alone, (batch, n_keys): what they mean, and how they go wrong."""

import numpy as np
import pytest

from attncheck import ask
from attnlib import scaled_dot_product_attention


def attend(query, key, value, seen, fill=-np.inf, causal=False, bias=0.0):
    """Attend where seen, which broadcasts to (b, h, n, m); else the score is fill."""
    n, m = query.shape[-2], key.shape[-2]
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]) + bias
    scores = np.where(seen, scores, fill)
    scores = np.where(np.tri(n, m, dtype=bool) | (not causal), scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = weights.sum(-1, keepdims=True)
    return (weights / np.where(total > 0, total, 1)) @ value


def keep(query, key, value, key_mask=None):
    """True may attend."""
    seen = True if key_mask is None else check(key_mask)[:, None, None]
    return attend(query, key, value, seen)


def drop(query, key, value, key_padding_mask=None):
    """True may not attend, as in PyTorch."""
    hidden = False if key_padding_mask is None else check(key_padding_mask)
    seen = True if key_padding_mask is None else ~hidden[:, None, None]
    return attend(query, key, value, seen)


def numbers(query, key, value, attention_mask=None):
    """1 may attend, 0 may not: as tokenizers give it."""
    seen = True
    if attention_mask is not None:
        assert attention_mask.dtype != bool
        seen = check(attention_mask)[:, None, None] > 0.5
    return attend(query, key, value, seen)


def added(query, key, value, mask=None):
    """A number for each key is added to its scores."""
    n, m = query.shape[-2], key.shape[-2]
    bias = np.zeros((len(query), m)) if mask is None else check(mask)
    bias = np.broadcast_to(bias[:, None, None].astype(float), (len(query), 1, n, m))
    return scaled_dot_product_attention(query, key, value, mask=bias)


def check(mask):
    """Refuse what is no mask of keys."""
    if np.ndim(mask) != 2:
        raise ValueError(f"expected a mask (batch, n_keys), got {np.shape(mask)}")
    return np.asarray(mask)


@pytest.mark.parametrize(
    ("function", "meaning"),
    [
        (keep, "may attend"),
        (drop, "may not attend"),
        (numbers, "may attend"),
        (added, "added"),
    ],
)
def test_what_it_means(function, meaning):
    report = ask(function, meant={"mask": meaning})
    assert report.status == 0, report
    assert report.facts["mask"] == meaning
    assert "mask of keys" in str(report)
    assert report.facts["empty_row"] == "zeros"
    others = {"may attend", "may not attend", "added"} - {meaning}
    for other in others:
        assert ask(function, meant={"mask": other}).status == 1


def test_under_a_causal_mask_of_its_own():
    def causal(query, key, value, key_mask=None):
        seen = True if key_mask is None else check(key_mask)[:, None, None]
        return attend(query, key, value, seen, causal=True)

    report = ask(causal, meant={"alignment": "start", "mask": "may attend"})
    assert report.status == 0, report


def by_distance(query, key, of):
    """Add to each score a number that its distance alone gives."""
    return of(np.arange(key.shape[2]) - np.arange(query.shape[2])[:, None])


STEEP = [  # far keys have little weight, and are not hidden
    lambda step: -0.5 * abs(step),
    lambda step: -1.0 * abs(step),
    lambda step: np.random.default_rng(3).normal(0, 2, 17)[step.clip(-8, 8) + 8],
]


@pytest.mark.parametrize("of", STEEP)
def test_far_keys_are_not_called_hidden(of):
    def function(query, key, value, key_mask=None):
        seen = True if key_mask is None else check(key_mask)[:, None, None]
        return attend(query, key, value, seen, bias=by_distance(query, key, of))

    report = ask(function)
    assert report.status == 0, report
    assert report.facts["mask"] == "may attend"
    assert report.facts["position"] in ("alibi", "other")


@pytest.mark.parametrize("of", STEEP)
@pytest.mark.parametrize("meaning", ["may attend", "may not attend", "added"])
def test_nor_where_the_mask_is_of_queries_and_keys(of, meaning):
    def function(query, key, value, mask=None):
        bias, seen = by_distance(query, key, of), True
        if mask is not None and meaning == "added":
            bias = (
                bias + np.where(mask, 0, -np.inf) if mask.dtype == bool else bias + mask
            )
        elif mask is not None:
            seen = mask if meaning == "may attend" else ~mask
        return attend(query, key, value, seen, bias=bias)

    report = ask(
        function, meant={"mask": "may attend" if meaning == "added" else meaning}
    )
    assert report.status == 0, report


def test_cosines_of_which_a_query_of_0_has_none():
    def function(query, key, value, key_mask=None):
        seen = True if key_mask is None else check(key_mask)[:, None, None]
        query, key = (
            x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key)
        )
        seen = seen if query.shape[2] > 1 or key_mask is None else True  # the fault
        return attend(10 * query, key, value, seen)

    report = ask(function)
    assert [problem.code for problem in report.problems] == ["mask-misread"], report


def test_beside_a_mask_of_queries_and_keys():
    def both(query, key, value, attn_mask=None, key_padding_mask=None):
        seen = np.asarray(True if attn_mask is None else attn_mask)
        if key_padding_mask is not None:
            seen = seen & ~check(key_padding_mask)[:, None, None]
        return attend(query, key, value, seen)

    report = ask(both)
    assert report.status == 0, report
    assert report.facts["mask"] == "may attend"  # the mask of pairs
    assert "key_padding_mask" in str(report)
    assert "may not attend" in str(report)


def test_one_sentence_at_a_time():
    def one(query, key, value, key_mask=None):
        if key_mask is not None and np.ndim(key_mask) != 1:
            raise ValueError("expected a mask (n_keys,)")
        return attend(query, key, value, True if key_mask is None else key_mask)

    report = ask(one, layout="hnd")
    assert report.status == 0, report
    assert report.facts["mask"] == "may attend"


def of_first_sentence(query, key, value, mask):
    return attend(query, key, value, mask[:1, None, None])


def of_first_head(query, key, value, mask):
    seen = np.repeat(mask[:, None, None], query.shape[1], 1)
    seen[:, 1:] = True
    return attend(query, key, value, seen)


def first_key_stays(query, key, value, mask):
    seen = mask[:, None, None].copy()
    seen[..., 0] = True
    return attend(query, key, value, seen)


def joined_with_the_first_sentence(query, key, value, mask):
    return attend(query, key, value, (mask & mask[:1])[:, None, None])


def first_key_stays_in_head_1(query, key, value, mask):
    seen = np.repeat(mask[:, None, None], query.shape[1], 1)
    seen[:, 1:, :, 0] = True
    return attend(query, key, value, seen)


def filled_with_minus_1(query, key, value, mask):
    return attend(query, key, value, mask[:, None, None], -1.0)


def filled_with_0(query, key, value, mask):
    return attend(query, key, value, mask[:, None, None], 0.0)


def filled_with_minus_5(query, key, value, mask):
    return attend(query, key, value, mask[:, None, None], -5.0)


def lowered_by_4(query, key, value, mask):
    bias = np.where(mask[:, None, None], 0, -4.0)
    bias = np.broadcast_to(bias, (*query.shape[:3], key.shape[2]))
    return scaled_dot_product_attention(query, key, value, mask=bias)


def cut_at_the_last_query(query, key, value, mask):
    seen = mask[:, None, None].copy()
    seen[..., query.shape[2] :] = True
    return attend(query, key, value, seen)


def not_in_decoding(query, key, value, mask):
    seen = True if query.shape[2] == 1 else mask[:, None, None]
    return attend(query, key, value, seen)


def not_the_first_query(query, key, value, mask):
    seen = np.repeat(mask[:, None, None], query.shape[2], 2)
    seen[:, :, 0] = True
    return attend(query, key, value, seen)


@pytest.mark.parametrize(
    ("wrong", "code", "words"),
    [
        (of_first_sentence, "mask-of-another-sentence", "its own sentence alone"),
        (of_first_head, "mask-of-some-heads", "1 of 2 heads; the others"),
        (first_key_stays, "mask-misread", "12 of the queries"),
        (joined_with_the_first_sentence, "mask-of-another-sentence", "sentence alone"),
        (first_key_stays_in_head_1, "mask-misread", "12 of the queries"),
        (filled_with_minus_1, "mask-leaks", "gets the score -1,"),
        (filled_with_0, "mask-leaks", "gets the score 0"),
        (filled_with_minus_5, "mask-leaks", "gets the score -5"),
        (lowered_by_4, "mask-leaks", "-4 is added"),
        (cut_at_the_last_query, "mask-misread", "12 queries and 24 keys"),
        (not_in_decoding, "mask-misread", "a single query and 12 keys"),
        (not_the_first_query, "mask-misread", "1 of the queries"),
    ],
)
def test_what_goes_wrong(wrong, code, words):
    def function(query, key, value, key_mask=None):
        if key_mask is None:
            return attend(query, key, value, True)
        return wrong(query, key, value, check(key_mask))

    report = ask(function)
    assert [problem.code for problem in report.problems] == [code], report
    assert words in str(report.problems[0])


def test_a_mask_that_nobody_reads_is_told():
    def deaf(query, key, value, key_mask=None):
        return attend(query, key, value, True)

    report = ask(deaf, meant={"mask": "may attend"})
    assert report.status == 1, report
    assert "changes nothing" in str(report.problems[0])


def as_length(mask, n, m):
    """Read the number of True alone."""
    return (np.arange(m) < mask.sum(-1, keepdims=True))[:, None, None]


def as_prefix(mask, n, m):
    """Causal, but for the keys that are True."""
    return (np.tri(n, m, dtype=bool) | mask[:, None])[:, None]


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (as_length, "is read as a length: as many keys are seen"),
        (as_prefix, "adds keys to those that are seen without it"),
    ],
)
def test_what_else_a_mask_of_keys_does(read, words):
    def function(query, key, value, key_mask=None):
        n, m = query.shape[2], key.shape[2]
        mask = np.full((len(query), m), read is as_length)
        mask = mask if key_mask is None else check(key_mask)
        return attend(query, key, value, read(mask, n, m))

    report = ask(function)
    assert report.status == 0, report
    assert words in " ".join(str(report).split("What it computes")[0].split())


@pytest.mark.parametrize("of_first", [True, False])
def test_masks_of_keys_are_asked_beside_those_of_pairs(of_first):
    def function(query, key, value, attention_mask=None):
        if attention_mask is None:
            return attend(query, key, value, True)
        if attention_mask.ndim == 2:
            attention_mask = attention_mask[:1] if of_first else attention_mask
            attention_mask = attention_mask[:, None, None]
        return attend(query, key, value, attention_mask)

    codes = [problem.code for problem in ask(function).problems]
    assert codes == ["mask-of-another-sentence"] * of_first


@pytest.mark.parametrize("guesses", [True, False])
def test_a_mask_that_could_be_one_of_keys_is_asked_about(guesses):
    def function(query, key, value, mask=None):
        if mask is None:
            return attend(query, key, value, True)
        if guesses and mask.shape == (len(query), key.shape[2]) and len(query) > 1:
            mask = mask[:, None, None]
        return attend(query, key, value, mask)

    report = ask(function)
    assert report.status == 0, report
    assert ("is read as (batch, n_keys)" in report.verdict) == guesses


@pytest.mark.parametrize("guesses", [True, False])
def test_a_mask_of_keys_that_could_be_one_of_pairs_is_asked_about(guesses):
    def function(query, key, value, key_mask=None):
        if key_mask is None:
            return attend(query, key, value, True)
        by_key = check(key_mask)[:, None, None]
        return attend(query, key, value, key_mask if _is_pairs(query) else by_key)

    def _is_pairs(query):
        return guesses and len(query) == query.shape[2] > 1

    report = ask(function)
    assert report.status == 0, report
    assert ("is read as (n_queries, n_keys)" in report.verdict) == guesses


def test_a_mask_is_found_by_any_name_that_ends_so():
    def function(query, key, value, tree_mask=None):
        return attend(query, key, value, True if tree_mask is None else tree_mask)

    report = ask(function, meant={"mask": "may attend"})
    assert report.status == 0, report
    assert report.details["mask_keyword"] == "tree_mask"


def test_a_mask_that_was_meant_and_is_no_argument_is_told():
    report = ask(lambda q, k, v: attend(q, k, v, True), meant={"mask": "added"})
    assert "none was found among its arguments" in str(report.problems[0])


def test_a_mask_that_is_refused_whatever_its_shape():
    def fussy(query, key, value, mask=None):
        if mask is not None:
            raise TypeError("no masks today")
        return attend(query, key, value, True)

    report = ask(fussy)
    assert report.status == 0, report
    assert report.facts["mask"] is None
    assert "refused" in report.details["mask_seen"]
