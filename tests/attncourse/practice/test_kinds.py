"""Predict, estimate, order, fill in, catch, which: right, wrong, and still open."""

import numpy as np
import pytest

from attncourse.practice import EXERCISES, catch, estimate, order, predict, which
from attncourse.practice.kinds.catch import faulty
from attncourse.practice.kinds.estimate import LAYER, QUANTITIES
from attnlib import softmax
from tests.attncourse.practice.judging import without_source

LINES = """
a:     return weights / weights.sum(axis=-1, keepdims=True)
b: def my_softmax(x):
c:     weights = np.exp(x - x.max(axis=-1, keepdims=True))
d:     weights = np.exp(x)
"""


def codes(verdict):
    return [finding.code for finding in verdict.findings]


def gives(value):
    """Make a function that gives this, and counts how often it was asked."""

    def lines():
        lines.asked += 1
        return value

    lines.asked = 0
    return lines


@pytest.mark.parametrize(
    ("given", "guess", "code"),
    [
        ((2, 5, 7), (2, 7, 5), "other-order"),
        ((2, 5, 7), (5, 7), "number-of-axes"),
        ((2, 5, 7), (2, 5, 3), "wrong-size"),
        ((2, 5, 7), 5, "not-a-shape"),
        (0.5, -0.5, "sign"),
        (0.5, 2, "upside-down"),
        (0.5, 0.6, "too-large"),
        (8, 3, "too-small"),
        (8, True, "not-a-number"),
        (np.float64(8), (8,), "not-a-number"),
        (True, False, "the-other-one"),
        (True, 1, "true-or-false"),
        (np.eye(2), [[1, 0], [1, 1]], "wrong-numbers"),
        (np.eye(2), [1, 0], "wrong-shape"),
    ],
)
def test_a_wrong_prediction_is_told_in_what(given, guess, code):
    verdict = predict(gives(given), guess)
    assert codes(verdict) == [code]
    assert not verdict.passed
    if not isinstance(given, bool):  # the answer is not given away
        assert repr(given) not in repr(verdict)


@pytest.mark.parametrize("given", [(2, 5, 7), 0.5, np.float32(8), False, np.eye(2)])
def test_a_right_prediction_passes(given):
    assert predict(gives(given), given).passed


def test_nothing_runs_before_there_is_a_guess():
    lines = gives(3)
    assert not predict(lines, ...).findings
    assert lines.asked == 0


@pytest.mark.parametrize("name", QUANTITIES)
def test_a_quantity_is_right_within_a_factor_and_its_mistakes_are_named(name):
    true = QUANTITIES[name].computed()
    assert estimate(name, true).passed
    within = QUANTITIES[name].within
    assert estimate(name, 0.999 * within * true).passed
    assert estimate(name, 1.001 / within * true).passed
    assert not estimate(name, 1.001 * within * true).passed
    assert codes(estimate(name, 55 * true)) == ["another-size"]
    assert codes(estimate(name, 1.02 * true / 1e9)) == ["wrong-prefix"]
    assert codes(estimate(name, 1.05 * true / 1e9)) == ["another-size"]
    for factor, code, cause in QUANTITIES[name].factors:
        assert max(factor, 1 / factor) > within
        verdict = estimate(name, factor * true)
        assert codes(verdict) == [code]
        assert cause in repr(verdict)
        assert f"{true:,}" not in repr(verdict)


@pytest.mark.parametrize("n_matrices", [2, 3])
@pytest.mark.parametrize("more", [0, 20_000])
def test_a_forgotten_matrix_is_named_although_the_guess_is_near(n_matrices, more):
    guess = n_matrices * 512**2 + 2 * 512 * 2_048 + more
    assert codes(estimate("encoder_layer", guess)) == ["matrices-forgotten"]


def test_the_quantities_are_those_that_a_pencil_gives():
    assert QUANTITIES["score_table"].computed() == 32_768**2 * 4
    assert QUANTITIES["cache"].computed() == 2 * 32 * 8 * 128 * 8_192 * 2
    biases_and_norms = 2_048 + 512 + 4 * 512
    products = 4 * 512**2 + 2 * 512 * 2_048
    assert QUANTITIES["encoder_layer"].computed() == products + biases_and_norms
    assert products + biases_and_norms == LAYER


@pytest.mark.parametrize("guess", [0, -3, "many", float("nan"), float("inf")])
def test_what_is_no_size_is_refused(guess):
    assert codes(estimate("cache", guess)) == ["not-a-size"]


def test_a_quantity_or_factor_that_is_none_raises():
    with pytest.raises(ValueError, match="must be one of score_table"):
        estimate("weight", 3)
    with pytest.raises(ValueError, match="above 1; got 1"):
        estimate("cache", 3, within=1)


@pytest.mark.parametrize(
    ("sequence", "code"),
    [
        ("b a c", "used-before-made"),
        ("c b a", "no-def-first"),
        ("b c c a", "twice"),
        ("b e a", "no-such-line"),
        ("b d a", "overflow"),
        ("b c", "returned-none"),
        ("BEA", "no-such-line"),
    ],
)
def test_a_wrong_order_is_told_where(sequence, code):
    assert codes(order("softmax", LINES, sequence)) == [code]


def test_the_right_order_is_checked_like_any_answer():
    assert order("softmax", LINES, "b c a").passed
    for sequence in ("b, c, a", "bca", "BCA", "B C A", "b → c → a"):
        assert order("softmax", LINES, sequence).passed


def test_a_verdict_on_ordered_lines_counts_by_letters():
    crash = order("softmax", "a: def f(x):\nb:     return x @ 3", "ab")
    assert "line b" in repr(crash)
    assert "line 2" not in repr(crash)


@pytest.mark.parametrize("sequence", ["", "...", "…", ...])
def test_an_order_that_is_not_there_is_open(sequence):
    verdict = order("softmax", LINES, sequence)
    assert not verdict.passed
    assert not verdict.findings


@pytest.mark.parametrize("lines", ["a x = 1", "a: x = 1\na: y = 2", "1: x = 2"])
def test_lines_without_a_letter_of_their_own_raise(lines):
    with pytest.raises(ValueError, match="a letter of its own"):
        order("softmax", lines, "a")


def test_python_says_where_it_stops_reading():
    verdict = order("softmax", "a: def f(x):\nb: return x", "a b")
    assert codes(verdict) == ["no-function"]
    assert "line b" in repr(verdict)


def over_everything(x):
    weights = np.exp(x - x.max())
    return weights / weights.sum()


def test_a_test_that_stops_the_wrong_one_alone_passes():
    def rows_add_up(function):
        assert np.allclose(function(np.zeros((2, 3))).sum(axis=-1), 1)

    verdict = catch("softmax", over_everything, rows_add_up)
    assert verdict.passed
    assert "of the" in verdict.said
    assert "get past" in verdict.said


def test_a_test_that_stops_nothing_everything_or_itself_is_told_so():
    def stops_nothing(function):
        assert function(np.zeros((2, 3))).shape == (2, 3)

    def stops_all(function):
        assert function(np.zeros((2, 3))).sum() == 1

    def breaks(function):
        assert function(np.zeros((2, 3)), "axis") is None

    def compares(function):
        return function(np.array([[1.0, 2], [3, 4]])).sum(axis=-1) == 1

    def calls_another(function):
        assert np.allclose(softmax(np.zeros((2, 3))).sum(axis=-1), 1)

    def goes_on(function):
        function(np.zeros(3))
        lines = 0
        while True:
            lines += 1

    assert codes(catch("softmax", over_everything, stops_nothing)) == ["gets-past"]
    for test in (compares, without_source(compares)):
        assert codes(catch("softmax", over_everything, test)) == ["asserts-nothing"]
    without = without_source(stops_nothing)
    assert codes(catch("softmax", over_everything, without)) == ["gets-past"]
    found = codes(catch("softmax", over_everything, calls_another))
    assert found == ["argument-not-called"]
    for test in (stops_all, breaks, goes_on):
        found = codes(catch("softmax", over_everything, test))
        assert found == ["fails-the-right-one"]


def test_a_test_with_dots_is_open():
    def my_test(softmax):
        assert ...

    verdict = catch("softmax", over_everything, my_test)
    assert not verdict.findings
    assert "line 2" in repr(verdict)


@pytest.mark.parametrize("name", EXERCISES)
def test_every_known_mistake_makes_a_function(name, rng):
    """It gives what the engine says that the mistake gives."""
    exercise = EXERCISES[name]
    for case in exercise.draw(rng)[:1]:
        for mistake in exercise.mistakes[:3]:
            try:
                expected = exercise.mistaken(case, mistake.steps, is_kept=False)
            except ValueError:  # these shapes do not fit what it does
                with pytest.raises(ValueError, match=r"shape|dimension"):
                    faulty(exercise, mistake)(*case.copies())
                continue
            given = faulty(exercise, mistake)(*case.copies())
            several = given if isinstance(given, tuple) else (given,)
            for one, right in zip(several, expected, strict=True):
                assert np.array_equal(one, right, equal_nan=True)


def careless(x):
    weights = np.exp(x)
    return weights / weights.sum(axis=-1, keepdims=True)


def test_which_wants_the_function_and_an_input():
    def judged(wrong, on):
        return which("softmax", softmax, careless, wrong=wrong, on=on)

    large, small = np.array([1000.0, 0.0]), np.array([1.0, 0.0])
    assert judged(careless, large).passed
    for written in ((large,), [1000, 0], (1000.0, 0.0), ([1000, 0],), [[1000, 0]]):
        assert judged(careless, written).passed
    with pytest.raises(ValueError, match="got 'careless', a text; leave out the quot"):
        judged("careless", large)
    assert "nan" in judged(careless, large).said
    assert codes(judged(careless, small)) == ["agree-here"]
    assert codes(judged(softmax, large)) == ["the-other-one"]
    assert codes(judged(careless, np.array("x"))) == ["unfit-input"]
    assert not judged(..., large).findings
    assert not judged(careless, ...).findings
    both = which("softmax", over_everything, careless, wrong=careless, on=large * [[1]])
    assert both.passed  # in one row they part only where numbers are large
    table = np.array([[1000.0, 0.0], [0.0, 0.0]])
    both = which("softmax", over_everything, careless, wrong=careless, on=table)
    assert codes(both) == ["both-differ"]
    with pytest.raises(ValueError, match="must be softmax or careless"):
        judged(over_everything, large)


def test_which_takes_two_inputs_in_a_list():
    def columns_first(table, n_heads):
        return table.reshape(n_heads, len(table), -1)

    on = [np.arange(12.0).reshape(3, 4), 2]
    right = EXERCISES["split_heads"].reference
    verdict = which("split_heads", right, columns_first, wrong=columns_first, on=on)
    assert verdict.passed


@pytest.mark.parametrize("kind", ["passed", "failed", "open"])
def test_each_state_has_its_look(kind):
    guess = {"passed": 3, "failed": 4, "open": ...}[kind]
    assert f"verdict-{kind}" in predict(gives(3), guess)._repr_html_()
