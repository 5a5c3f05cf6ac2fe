"""A fit to the numbers of one draw, by luck, is not told."""

import numpy as np
import pytest

from named_mistakes import Case, Exercise, Mistake
from named_mistakes.checking import verdict

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
