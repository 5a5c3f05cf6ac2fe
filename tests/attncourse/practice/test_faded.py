"""Solutions with lines to fill in: which of them is wrong is told."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check
from attnlib import softmax
from named_mistakes.answer import Answer
from named_mistakes.faded import own_lines

pytestmark = pytest.mark.slow

BOOK = Path(__file__).parents[3] / "book"
FADED = [name for name, one in EXERCISES.items() if one.faded]


def said(name, answer):
    report = check(name, answer, seed=0)
    assert not report.passed
    (finding,) = report.findings
    return finding.code, finding.message


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
