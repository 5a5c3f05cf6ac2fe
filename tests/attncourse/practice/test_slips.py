"""Slips tried of any answer: loops, products, parameters, lines filled in."""

import ast
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from attnlib import scaled_dot_product_attention as attend
from attnlib import softmax
from named_mistakes.answer import Answer
from named_mistakes.faded import own_lines

pytestmark = pytest.mark.slow

BOOK = Path(__file__).parents[3] / "book"


def said(name, answer):
    report = check(name, answer, seed=0)
    assert not report.passed
    (finding,) = report.findings
    return finding.code, finding.message


def last_row(token_ids, table):
    for i in np.ravel(token_ids):
        row = table[i]
    return row


def last_head(x, w_query, w_key, w_value, w_output, n_heads):
    d = x.shape[-1] // n_heads
    for h in range(n_heads):
        c = slice(h * d, h * d + d)
        z = attend(x @ w_query[:, c], x @ w_key[:, c], x @ w_value[:, c])
    return z @ w_output[c]


@pytest.mark.parametrize(
    ("name", "answer", "line"),
    [
        ("look_up", last_row, "row = table[i]"),
        ("multi_head_attention", last_head, "z = attend"),
    ],
)
def test_a_loop_that_keeps_its_last_round_is_told_by_its_text(name, answer, line):
    code, message = said(name, answer)
    assert code == "last-round-only"
    assert f"`{line}" in message


def collected(x):
    total = 0
    for row in x:
        total = total + row.sum()
    return total


def searched(x):
    for row in x:
        if row.any():
            found = row
    return found


@pytest.mark.parametrize("answer", [collected, searched])
def test_a_loop_whose_rounds_know_of_each_other_is_none(answer):
    report = check("softmax", answer, seed=0)
    assert "last-round-only" not in [finding.code for finding in report.findings]


def turned_parameters(d_k, scores):
    return scores / np.sqrt(d_k)


def summed(x, w):
    return (x @ w).sum(axis=-2)


def number_by_number(query, key, value):
    weights = softmax(query @ key.mT / np.sqrt(query.shape[-1]))
    return weights * value


def other_side(query, key, value):
    times = query.shape[-3] // key.shape[-3]
    key, value = np.repeat(key, times, axis=-3), np.repeat(value, times, axis=-3)
    return softmax(query.mT @ key / np.sqrt(query.shape[-1])) @ value


@pytest.mark.parametrize(
    ("name", "answer", "change", "look"),
    [
        ("scale_scores", turned_parameters, "", "called with scores, d_k, in this"),
        ("project", summed, "a step left out", "`(x @ w).sum(axis=-2)`"),
        ("attention", number_by_number, "another product", "`weights * value`"),
        ("grouped_attention", other_side, "a transpose", "`query.mT @ key`"),
    ],
)
def test_a_slip_is_quoted_and_its_change_told(name, answer, change, look):
    code, message = said(name, answer)
    assert code == "one-piece-wrong"
    assert f"right everywhere: {change}" in message or not change
    assert look in message


def test_a_copy_of_an_answer_warns_of_nothing():
    def answer(query, key, value):  # one copy takes `[query, query][..., 0, :, :]`
        query = np.stack([query, query], -3)[..., 0, :, :]
        return attend(query**3 - 0.3, key, value)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert not check("attention", answer, seed=0).passed
    assert [one.category for one in warned] == []


def test_what_is_missing_of_several_results_is_named():
    def answer(query, key, value, grad_output):
        return None, None, value

    code, message = said("attention_gradient", answer)
    assert code == "returned-none"
    assert "None for grad_query and grad_key" in message


FADED = [name for name, one in EXERCISES.items() if one.faded]


def filled(name, *expressions, folder):
    """Write the function with these in place of its dots."""
    text = EXERCISES[name].faded.text
    for expression in expressions:
        text = text.replace("= ...", f"= {expression}", 1)
    (folder / "filled.py").write_text(text)
    space = {"np": np, "softmax": softmax}
    exec(compile(text, str(folder / "filled.py"), "exec"), space)
    return space["my_filled"]


@pytest.mark.parametrize("name", FADED)
def test_lines_filled_in_are_told_apart(name, tmp_path):
    right = [expression for expression, _ in EXERCISES[name].faded.gaps]
    assert check(name, filled(name, *right, folder=tmp_path), seed=0).passed
    for k, (_, look) in enumerate(EXERCISES[name].faded.gaps):
        some = [e if i != k else "np.float64(1.25)" for i, e in enumerate(right)]
        folder = tmp_path / str(k)
        folder.mkdir()
        code, message = said(name, filled(name, *some, folder=folder))
        assert code == "filled-in-wrong"
        assert "1.25)` in line" in message
        assert "the other is right" in message
        assert look in message
    (folder := tmp_path / "both").mkdir()
    both = filled(name, "np.float64(1.25)", "np.float64(1.5)", folder=folder)
    assert "None of the lines" in said(name, both)[1]


@pytest.mark.parametrize("name", FADED)
def test_what_is_to_be_filled_in_stands_in_a_lesson(name):
    cell = f'{EXERCISES[name].faded.text.strip()}\n\n\ncheck("{name}", my_filled)'
    books = [json.loads(one.read_text()) for one in BOOK.glob("*.ipynb")]
    assert cell in ["".join(c["source"]) for one in books for c in one["cells"]]


def test_a_function_of_another_form_was_not_filled_in():
    def my_filled(query, key, value, grad_output):
        return query, key, value

    exercise = EXERCISES["attention_gradient"]
    assert own_lines(exercise, Answer(my_filled).quiet) == []


@pytest.mark.parametrize("name", FADED)
def test_a_function_with_a_given_line_changed_was_not_filled_in(name, tmp_path):
    exercise = EXERCISES[name]
    right = [expression for expression, _ in exercise.faded.gaps]
    whole = Answer(filled(name, *right, folder=tmp_path)).quiet
    assert len(own_lines(exercise, whole)) == len(right)
    whole.body[0].body[0].value = ast.Constant(1)
    assert own_lines(exercise, whole) == []
