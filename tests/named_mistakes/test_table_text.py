"""Tables as text: what is read, and what is said of what cannot be."""

from types import SimpleNamespace

import numpy as np
import pytest

from named_mistakes.table import only, read, read_beside
from named_mistakes.table_lines import TableError

SMALL = """
# A comment.
import math

ROOT = what the scores are divided by: √{LETTER}

scaled | missing-scale | {ROOT}
    scores as they are, with nothing = done = scores
    √d_k, and
        a step too many = scores / math.sqrt(d_k) / given(s)

scaled, output | both-wrong | the two
        steps | hides: missing-scale, other | written: scores *
    doubling = 2 * scores, (scaled, value)
"""


def given(s):
    return s.one


NAMESPACE = {"LETTER": "d_k", "given": given}


def test_each_line_is_a_mistake_with_the_words_above_it():
    first, second, third = read(SMALL, NAMESPACE, ("scaled", "output"))
    assert (first.code, first.look) == (
        "missing-scale",
        "what the scores are divided by: √d_k",
    )
    assert first.cause == "scores as they are, with nothing = done"
    assert second.cause == "√d_k, and a step too many"
    assert (third.look, third.written) == ("the two steps", "scores *")
    assert third.hides == ("missing-scale", "other")
    assert not first.hides


def test_formulas_know_the_steps_the_imports_and_the_namespace():
    _, second, third = read(SMALL, NAMESPACE)
    s = SimpleNamespace(scores=12.0, d_k=4, one=3, scaled=5, value=7)
    assert second.steps["scaled"](s) == 12 / 2 / 3
    assert {name: step(s) for name, step in third.steps.items()} == {
        "scaled": 24.0,
        "output": (5, 7),
    }


def test_names_inside_a_lambda_are_found():
    (mistake,) = read("a | b | c\n    d = [f(x) for f in (lambda y: x + y,)]", {})
    assert mistake.steps["a"](SimpleNamespace(x=2)) == [4]


def test_a_single_step_may_be_a_tuple():
    (mistake,) = read("all | swapped | the order\n    other order = b, a", {})
    assert mistake.steps["all"](SimpleNamespace(a=1, b=2)) == (2, 1)


def test_names_are_exchanged_for_others():
    (mistake,) = read("w | b | c\n    d = x.max() + max(y)", {})
    formula = mistake.steps["w"].with_names(x="scaled")
    assert str(formula) == "scaled.max() + max(y)"
    assert formula(SimpleNamespace(scaled=np.array([1, 4]), y=[2])) == 6


def test_a_mistake_may_say_its_steps_and_stand_for_several_values():
    text = """
swapped | the order | hides: other
    for n in 2, (3, 1): for y in a, f(b):
        {n} in place of {y} = w: y * {n}
    both = v: {1: 2}, w: (lambda x: x)
"""
    *several, both = read(text, {}, ("v", "w"))
    assert [one.cause for one in several] == [
        f"{n} in place of {y}" for n in ("2", "(3, 1)") for y in ("a", "f(b)")
    ]
    assert [str(one.steps["w"]) for one in several[1:3]] == ["y * 2", "y * (3, 1)"]
    assert both.steps["v"](SimpleNamespace()) == {1: 2}
    assert {one.hides for one in several} == {both.hides} == {("other",)}


def test_mistakes_of_another_table_are_included_in_the_order_of_their_codes():
    other = read("a | one | x\n    p = 1\na | two | y\n    q = 2", {})
    text = 'a | zero | z\n    r = 0\ninclude only(other, "two",\n        "one")'
    found = read(text, {"other": other})
    assert [mistake.code for mistake in found] == ["zero", "two", "one"]
    assert found[1:] == only(other, "two", "one")


HEAD = "scaled | missing-scale | look\n"
WRONG = {
    "    a = 1": (1, "needs a line 'step | code | look' above it"),
    "scaled": (1, "expected 'step | code | look' or 'code | look'"),
    "missing-scale | look\n    a = scores": (2, "expected 'what was done = step: form"),
    "missing-scale | look\n    a = other: 1": (2, "is one of scaled; got 'other'"),
    "missing-scale | look\n    a = **other": (2, "expected 'what was done = step: f"),
    "scaled | | look": (1, "expected 'step | code | look'"),
    "other | missing-scale | look": (1, "a step is one of scaled; got 'other'"),
    "scaled | missing scale | look": (1, "got 'missing scale'"),
    "scaled | a | look | hide: b": (1, "'hides: CODES' or 'written: TEXT'"),
    "scaled | a | {WHERE}": (1, "no words for what stands in braces: 'WHERE'"),
    "scaled | a | {np.nothing}": (1, "no attribute 'nothing'"),
    "\n\ninclude 1 + 1": (3, "1 + 1 gives TypeError"),
    "include [1]": (1, "[1] should give mistakes; got (1,)"),
    'include only((), "a")': (1, "no mistake has the code a"),
    "import nothing_of_that_name": (1, "No module named"),
    "from math import": (1, "from math import: "),
    HEAD + "  a = 1": (2, "a line begins at the margin, or after 4 spaces"),
    HEAD + "    only words": (2, "expected 'what was done = formula'"),
    HEAD + "    a = 1 +": (2, "invalid syntax in the formula '1 +'"),
    HEAD + "    a = x = 1)": (2, "in the formula '1)'"),
    "scaled, scaled2 | a | look\n    b = 1": (1, "got 'scaled2'"),
}


@pytest.mark.parametrize("text", WRONG)
def test_errors_name_file_and_line_and_what_was_expected(text):
    line, why = WRONG[text]
    with pytest.raises(TableError) as caught:
        read(text, {"np": np}, ("scaled",), file="folder/x.mistakes")
    assert str(caught.value).startswith(f"folder/x.mistakes:{line}: ")
    assert why in str(caught.value)


def test_as_many_formulas_as_steps():
    with pytest.raises(TableError, match="2: expected 2 formulas, for a, b; got 1"):
        read("a, b | c | d\n    e = f(1, 2)", {})


def test_a_formula_that_fails_shows_the_line_of_the_table(tmp_path):
    table = tmp_path / "some.mistakes"
    table.write_text("# 1\na | b | c\n    d =\n        nothing_of_that_name\n")
    (mistake,) = read_beside(str(tmp_path / "some.py"), {})
    with pytest.raises(NameError) as caught:
        mistake.steps["a"](SimpleNamespace())
    last = caught.traceback[-1]
    assert (str(last.path), last.lineno + 1) == (str(table), 3)
