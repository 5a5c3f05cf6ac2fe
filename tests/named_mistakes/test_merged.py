"""Which mistakes are named: merged, written, confirmed, in some cases."""

import ast

import numpy as np
import pytest

from named_mistakes import Case, Mistake, check
from named_mistakes.cases import case
from named_mistakes.checking import verdict
from named_mistakes.exercise import Exercise
from named_mistakes.merged import merged
from named_mistakes.table import read
from tests.named_mistakes.half import HALF, half, said
from tests.named_mistakes.toys import SEEDS, softmax
from tests.named_mistakes.toys import check as check_toy

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
    "one keyword changed in two places": (
        "f(x, axis=g(a, b))",
        "f(x, axis=g(c, b))",
        "f(x, axis=g(a, d))",
        "f(x, axis=g(c, d))",
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


@pytest.mark.parametrize("answer", [np.ones(3), "half", 3.5, [[1.0]], half([1.0])])
def test_not_a_function(answer):
    assert said(answer) == ["not-a-function"]
    assert not check(HALF, answer).passed


def test_callable_objects_will_do():
    class Half:
        def __call__(self, x):
            return half(x)

    assert said(Half()) == []
    assert said(Half) == ["crashed"]


def dots(x): ...  # your code


def words(x):
    """Half of each number."""


def dots_below_words(x):
    """Half of each number."""
    ...


def only_pass(x):
    pass


def gives_dots(x):
    return ...


def not_implemented(x):
    raise NotImplementedError


@pytest.mark.parametrize(
    "answer",
    [
        None,
        ...,
        dots,
        words,
        dots_below_words,
        only_pass,
        gives_dots,
        not_implemented,
        lambda x: ...,
    ],
)
def test_nothing_to_check_yet(answer, capsys):
    report = check(HALF, answer)
    assert not report.passed
    assert report.findings == ()
    assert "nothing to check yet" in capsys.readouterr().out


def test_a_blank_function_without_its_source():
    """Where the source cannot be had, a body of dots is still no mistake."""
    names = {}
    exec("def half(x): ...", names)
    assert check(HALF, names["half"]).findings == ()


def scale_forgotten_for_batches(query, key, value):
    scores = query @ key.mT
    if query.ndim == 2:
        scores = scores / np.sqrt(key.shape[-1])
    return softmax(scores) @ value


def weights_transposed_where_they_are_square(query, key, value):
    weights = softmax(query @ key.mT / np.sqrt(key.shape[-1]))
    if weights.shape[-1] == weights.shape[-2]:
        weights = weights.mT
    return weights @ value


def sign_flipped_for_batches(x):
    return softmax(x) if x.ndim == 2 else softmax(-x)


CASES = {
    scale_forgotten_for_batches: ("attention", "missing-scale", "a batch"),
    weights_transposed_where_they_are_square: (
        "attention",
        "weights-transposed",
        "n_queries = n_keys",
    ),
    sign_flipped_for_batches: ("softmax", "sign-flipped", "a batch"),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("answer", CASES, ids=lambda f: f.__name__)
def test_the_mistake_is_named_with_its_condition(answer, seed):
    name, code, where = CASES[answer]
    report = check_toy(name, answer, seed=seed)
    assert [finding.code for finding in report.findings] == [code], report
    shows, _, hides = (
        report.findings[0]
        .message.partition("It shows only with ")[2]
        .partition("; with ")
    )
    assert where in shows
    assert where not in hides.partition(" your answer is right")[0].split(", ")


def test_a_mistake_in_every_case_has_no_condition():
    report = check_toy("attention", lambda q, k, v: softmax(q @ k.mT) @ v, seed=0)
    assert report.findings[0].code == "missing-scale"
    assert "shows only" not in report.findings[0].message


ADDED = Mistake("two-added", "adding 2", "the sum", {"out": lambda s: s.x + 2})


def lucky_first(right):
    """An exercise that draws nothing but 2 at first, and other numbers later."""
    draws = []

    def draw(rng):
        draws.append(1)
        x = rng.uniform(3, 9, 5) if draws[1:] else np.full(5, 2.0)
        return [Case("five numbers", {"x": x})]

    recipe = {"out": lambda s: right(s.x)}
    return Exercise("lucky", right, draw, recipe, (ADDED,))


def codes(exercise, answer):
    report = verdict(exercise, answer, np.random.default_rng(0))
    return [finding.code for finding in report.findings]


def test_a_mistake_that_was_made_is_named():
    assert codes(lucky_first(lambda x: 3 * x), lambda x: x + 2) == ["two-added"]


def test_a_known_mistake_has_to_fit_other_draws():
    assert "two-added" not in codes(lucky_first(lambda x: 3 * x), lambda x: x * x)


def two_thirds(x):
    return x * 2


def test_a_small_change_has_to_be_right_on_other_draws():
    assert codes(lucky_first(lambda x: x * 3), two_thirds) == ["one-piece-wrong"]
    assert "one-piece-wrong" not in codes(lucky_first(lambda x: x + 4), two_thirds)


@pytest.mark.parametrize("seed", range(3))
def test_an_answer_that_changes_is_not_explained_by_its_numbers(seed):
    noise = np.random.default_rng(seed)

    def kept_by_chance(x):
        return 3 * x * (noise.random(x.shape) > 0.5)

    assert codes(lucky_first(lambda x: 3 * x), kept_by_chance) == ["differs-each-time"]
