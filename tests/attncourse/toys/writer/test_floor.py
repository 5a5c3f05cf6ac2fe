"""The floor of the stories: by a pencil, over drawn texts, and in the long run."""

import math

import numpy as np
import pytest

from attncourse.toys.writer.floor import floor_of_a_story, floor_of_texts, text_losses
from attncourse.toys.writer.stories import IDS, write_story, write_texts
from attncourse.toys.writer.training import held_out_texts


def test_the_floor_is_that_of_a_pencil():
    """Size, animal, verb, food, "very", adjective; and an end, for one story in two."""
    nats = (
        (math.log(2) + math.log(4)) / 2
        + math.log(6) * 3
        + math.log(4) * 1.5
        - (math.log(1 / 4) + 3 * math.log(3 / 4)) / 4
    )
    words = 10 + 1 / 2 + 1 / 4 + (5 + 6) / 2
    np.testing.assert_allclose(floor_of_a_story(), [nats, words], rtol=1e-12)


def test_the_floor_is_what_texts_cost(rng):
    """Over 3,000 stories, within four standard errors."""
    costs = []
    for _ in range(3000):
        row = [[IDS[word] for word in write_story(rng)]]
        costs.append(text_losses(np.array(row)).sum())
    error = 4 * np.std(costs) / math.sqrt(len(costs))
    assert abs(np.mean(costs) - floor_of_a_story()[0]) < error < 0.1


def test_the_floor_of_short_texts_is_that_of_a_pencil():
    """The second word may be a size; the third is then an animal, and else a verb."""
    second = (math.log(4) + math.log(12)) / 2
    third = (math.log(6) + math.log(4)) / 2
    assert floor_of_texts(2) == pytest.approx(second, rel=1e-12)
    assert floor_of_texts(3) == pytest.approx((second + third) / 2, rel=1e-12)


def test_the_floor_of_texts_is_what_they_cost(rng):
    """Within four standard errors; a text that never ends costs what a story does."""
    costs = text_losses(write_texts(400, 48, rng)).mean(axis=1)
    error = 4 * costs.std() / math.sqrt(len(costs))
    assert abs(costs.mean() - floor_of_texts(48)) < error < 0.01
    nats, n_words = floor_of_a_story()
    assert floor_of_texts(48) - nats / n_words > 0.02
    assert floor_of_texts(3000) == pytest.approx(nats / n_words, rel=2e-3)


def test_what_was_held_out_costs_what_such_texts_cost():
    """The page prints both: 0.580 over 200 texts, and 0.578 for all there can be."""
    costs = text_losses(held_out_texts()).mean(axis=1)
    error = costs.std() / math.sqrt(len(costs))
    assert abs(costs.mean() - floor_of_texts(48)) < 2 * error
