"""Two mistakes in one step: which formulas can be merged, and what is said of both."""

import ast

import numpy as np
import pytest

from named_mistakes import check
from named_mistakes.cases import case
from named_mistakes.exercise import Exercise
from named_mistakes.merged import merged
from named_mistakes.table import read

# the right formula, one mistake, another, and both at once
FORMULAS = {
    "a keyword changed, and one added": (
        "x.var(axis=-1, keepdims=True)",
        "x.var(axis=None, keepdims=True)",
        "x.var(axis=-1, keepdims=True, ddof=1)",
        "x.var(axis=None, keepdims=True, ddof=1)",
    ),
    "a keyword taken away": (
        "x.mean(axis=-1, keepdims=True)",
        "x.mean(axis=-1)",
        "x.mean(axis=0, keepdims=True)",
        "x.mean(axis=0)",
    ),
    "both sides of a product": ("a @ b.T", "a.T @ b.T", "a @ b", "a.T @ b"),
    "a number and a name": (
        "2 * i / d",
        "4 * i / d",
        "2 * (i + 1) / d",
        "4 * (i + 1) / d",
    ),
    "an operator and what it works on": ("a @ b.T", "a * b.T", "a @ b", "a * b"),
    "something around it": ("a @ b.T", "(a @ b.T) / d", "b @ a.T", "b @ a.T / d"),
    "around it twice": ("a @ b.T", "f(a @ b.T)", "(a @ b.T) / d", "f(a @ b.T / d)"),
    "the same place": ("a @ b.T", "a @ b", "a @ c", None),
    "the same change": ("a @ b.T", "a @ b", "a @ b", None),
    "the same keyword": ("x.sum(axis=-1)", "x.sum(axis=0)", "x.sum(axis=1)", None),
    "one keyword changed and taken away": (
        "x.sum(axis=-1)",
        "x.sum(axis=0)",
        "x.sum()",
        None,
    ),
    "other functions": ("f(x)", "g(x)", "h(x)", None),
    "nothing in a name": ("x", "f(x)", "x + 1", None),
    "nothing in a number": ("f(-1)", "f((-2, -1))", "f(None)", None),
}


def parsed(text):
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize("texts", FORMULAS.values(), ids=FORMULAS)
def test_two_formulas_at_once(texts):
    right, one, other, expected = texts
    found = merged(*map(parsed, (right, one, other)))
    if expected is None:
        assert found is None
    else:
        assert ast.unparse(found) == ast.unparse(parsed(expected))


def draw(rng):
    return [case("a table", x=rng.standard_normal((n, 5))) for n in (3, 5, 7)]


RECIPE = {
    "spread": lambda s: s.x.var(axis=-1, keepdims=True),
    "output": lambda s: s.x / np.sqrt(s.spread),
}
TABLE = """
spread | wrong-axis | the axis
    along columns = x.var(axis=0, keepdims=True)
    along an axis that is not there = x.var(axis=(-2, -3), keepdims=True)

spread | unbiased | the divisor
    dividing by one less = x.var(axis=-1, keepdims=True, ddof=1)

output | not-rooted | the root
    dividing by the variance = x / spread
"""
SCALED = Exercise(
    "scaled",
    lambda x: x / np.sqrt(x.var(axis=-1, keepdims=True)),
    draw,
    RECIPE,
    read(TABLE, {}, RECIPE),
)


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        (lambda x: x / np.sqrt(x.var(0, ddof=1)), ["wrong-axis", "unbiased"]),
        (lambda x: x / np.sqrt(x.var(0)), ["wrong-axis"]),
        (lambda x: x / x.var(0), ["wrong-axis", "not-rooted"]),
        (lambda x: x / np.sqrt(x.var(0, ddof=2)), ["wrong-numbers"]),
    ],
)
def test_both_are_said(answer, codes, capsys):
    found = check(SCALED, answer, seed=0).findings
    assert [one.code for one in found] == codes
    if len(codes) == 2:
        assert "two mistakes at once. One is along columns" in capsys.readouterr().out
