"""Answers with one wrong piece: it is found by trying, and quoted."""

import numpy as np
import pytest

from attncourse.practice import check
from attnlib import softmax
from named_mistakes.answer import Answer
from named_mistakes.axes import suspect
from tests.attncourse.practice.judging import assert_found, soft, without_source

pytestmark = pytest.mark.slow


def unbracketed(x):
    n, d = x.shape[-2:]
    angle = np.arange(n)[:, None] / 10000 ** 2 * np.arange(d // 2) / d  # fmt: skip
    a, b, cos, sin = x[..., : d // 2], x[..., d // 2 :], np.cos(angle), np.sin(angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def repeated(x):
    n, d = x.shape[-2:]
    angle = np.outer(np.arange(n), 10000.0 ** (-np.arange(0, d, 2) / d))
    angle = np.repeat(angle, 2, axis=-1)
    turned = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    return x * np.cos(angle) + turned * np.sin(angle)


def not_lined_up(weights, value):
    return (weights[..., None] * value).sum(axis=-2)


def one_maximum(output, value):
    low, high = value.min(axis=-2, keepdims=True), value.max()
    return np.maximum(low - output, 0) + np.maximum(output - high, 0)


def overlapping(x, w_query, w_key, w_value, w_output, n_heads):
    d = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        query, key = x @ w_query[:, h : h + d], x @ w_key[:, h : h + d]
        shares = soft(query @ key.mT / np.sqrt(d))
        heads.append(shares @ (x @ w_value[:, h : h + d]))
    return np.concatenate(heads, axis=-1) @ w_output


def filled_twice(n_positions, d_model):
    filled = np.zeros((n_positions, d_model))
    for i in range(d_model // 2):
        angle = np.arange(n_positions) / 10_000 ** (2 * i / d_model)
        filled[:, i], filled[:, i + 1] = np.sin(angle), np.cos(angle)
    return filled


def flags_in_a_row(query, key, value, mask):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    rows = softmax(np.where(mask, scores, -np.inf)) @ value
    return np.where(mask.any(axis=-1), rows, 0.0)


def from_zero(query, key, value, mask):
    largest = np.zeros((*query.shape[:-1], 1))
    total = mixed = np.zeros_like(largest)
    for j in range(key.shape[-2]):
        scores = query @ key[..., j, :, None] / query.shape[-1] ** 0.5
        scores = np.where(mask[..., j, None], scores, -np.inf)
        before, largest = largest, np.maximum(largest, scores)
        factor, powers = np.exp(before - largest), np.exp(scores - largest)
        total = total * factor + powers
        mixed = mixed * factor + powers * value[..., j, None, :]
    return mixed / np.where(total == 0, 1, total)


def chained(n_queries, n_keys, left, offset):
    i, j = offset + np.arange(n_queries)[:, None], np.arange(n_keys)
    return i - left <= j & j <= i


def counted_from_the_front(x):
    n, d = x.shape[0], x.shape[-1]
    angle = np.arange(n)[:, None] / 10000.0 ** (2 * np.arange(d // 2) / d)
    a, b, cos, sin = x[..., : d // 2], x[..., d // 2 :], np.cos(angle), np.sin(angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def far_off(logits):
    return softmax(logits) + np.sin(logits) ** 2


FOUND = [
    ("rotate_pairs", unbracketed, "10000 ** 2 * np.arange(d // 2) / d` in line"),
    ("rotate_pairs", repeated, "`np.repeat(angle, 2, axis=-1)`"),
    ("weighted_sum", not_lined_up, "`value`"),
    ("outside_range", one_maximum, "`value.max()`"),
    ("multi_head_attention", overlapping, "h:h + d)` in line"),
    ("positional_encoding", filled_twice, "which places does it fill"),
    ("masked_attention", flags_in_a_row, "`mask.any(axis=-1)`"),
    ("masked_attention", from_zero, "begin below every number"),
    ("window_mask", chained, "& binds tighter than a comparison"),
    ("rotate_pairs", counted_from_the_front, "`x.shape[0]`"),
]


@pytest.mark.parametrize(("name", "answer", "said"), FOUND)
def test_the_wrong_piece_is_quoted(name, answer, said):
    assert_found(name, "one-piece-wrong", answer)
    messages = {f.code: f.message for f in check(name, answer, seed=0).findings}
    assert said in messages["one-piece-wrong"]


def test_an_answer_that_no_change_mends_is_shown_with_its_numbers():
    report = check("softmax", far_off, seed=0)
    assert "one-piece-wrong" not in {f.code for f in report.findings}


def test_the_truth_of_an_array():
    def answer(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
        if mask:
            return x @ w_query
        return x

    report = check("masked_multi_head_attention", answer, seed=0)
    assert any("Look at `if mask`" in f.message for f in report.findings)


def test_a_line_without_effect():
    def answer(heads):
        *batch, n_heads, n_tokens, d = heads.shape
        np.swapaxes(heads, -2, -3)
        return heads.reshape(*batch, n_tokens, n_heads * d)

    def harmless(x):
        np.log(x)
        return softmax(x)

    first = check("merge_heads", answer, seed=0).findings
    assert any(
        "`np.swapaxes(heads, -2, -3)`, has no effect" in f.message for f in first
    )
    assert check("softmax", harmless).passed


def test_zeros_of_the_dtype_of_whole_numbers():
    def answer(ids, table):
        rows = np.zeros_like(ids, shape=(*ids.shape, table.shape[1]))
        rows[...] = table[ids]
        return rows

    (finding,) = check("look_up", answer, seed=0).findings
    assert "zeros_like takes the dtype" in finding.message


def test_the_line_that_stopped_is_suspected_and_none_after_it():
    def answer(x, w):
        n, d = x.shape
        return np.array([[np.dot(x[i], w[:, j]) for j in range(d)] for i in range(n)])

    line = answer.__code__.co_firstlineno + 1
    assert "`n, d = x.shape`" in suspect(Answer(answer), line=line)
    assert "np.dot" in suspect(Answer(answer))


def test_an_exponent_is_said_to_be_cut_off_where_it_is():
    def same(k, d_model):
        turn = [[np.cos(k), -np.sin(k)], [np.sin(k), np.cos(k)]]
        return np.kron(np.eye(d_model // 2), turn)

    def cut_off(k, d_model):
        matrix = np.zeros((d_model, d_model))
        for i in range(0, d_model, 2):
            a = k / 10_000 ** (i // d_model)
            turn = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
            matrix[i : i + 2, i : i + 2] = turn
        return matrix

    for answer, code in ((same, "same-turn-for-all"), (cut_off, "exponent-cut-off")):
        (finding,) = check("shift_matrix", answer, seed=0).findings
        assert finding.code == code


def test_it_is_not_said_of_code_that_cannot_be_read():
    def same(k, d_model):
        return np.kron(
            np.eye(d_model // 2), [[np.cos(k), -np.sin(k)], [np.sin(k), np.cos(k)]]
        )

    assert_found("shift_matrix", "same-turn-for-all", without_source(same))


def test_a_window_that_begins_below_zero():
    def answer(n_queries, n_keys, left, offset):
        mask = np.zeros((n_queries, n_keys), dtype=bool)
        for i in range(n_queries):
            mask[i, i + offset - left : i + offset + 1] = True
        return mask

    assert_found("window_mask", "negative-start", answer)


@pytest.mark.parametrize("kept", [True, False])
def test_a_maximum_that_only_falls_or_never_rises(kept):
    def answer(query, key, value):
        largest = None
        total = mixed = np.zeros((*query.shape[:-1], 1))
        for start in range(0, key.shape[-2], 16):
            block = slice(start, start + 16)
            scores = query @ key[..., block, :].mT / query.shape[-1] ** 0.5
            here = scores.max(-1, keepdims=True)
            before = here if largest is None else largest
            largest = before if kept else here
            powers, factor = np.exp(scores - largest), np.exp(before - largest)
            total = total * factor + powers.sum(-1, keepdims=True)
            mixed = mixed * factor + powers @ value[..., block, :]
        return mixed / total

    (finding,) = check("one_pass_attention", answer, seed=0).findings
    assert finding.code == "overflow"
    wanted = "let it rise from the old" if kept else "keep the larger of the old"
    assert wanted in finding.message
