"""Stored pairs: each rule by hand, and the stored shares again."""

import numpy as np
import pytest

from attncourse.toys import recall


def test_each_rule_gives_back_one_pair(rng):
    key, value = rng.standard_normal((2, 1, recall.D))
    for name, answer in recall.RULES.items():
        found = answer(key, value, key)
        cosine = np.sum(found * value) / np.linalg.norm(found) / np.linalg.norm(value)
        assert cosine == pytest.approx(1), name


def test_the_delta_rule_overwrites_and_the_sum_adds(rng):
    key, old, new = rng.standard_normal((3, 1, recall.D))
    twice, values = np.vstack([key, key]), np.vstack([old, new])
    unit = key / np.linalg.norm(key)
    np.testing.assert_allclose(recall.by_delta_rule(twice, values, unit), new)
    np.testing.assert_allclose(
        recall.by_sum(twice, values, key), (key @ key.T) * (old + new)
    )


def test_relu_leaves_no_negative_share(rng):
    key, value = rng.standard_normal((2, 7, recall.D))
    ones = recall.by_sum_of_relu(key, np.ones((7, 3)), key)
    assert (ones > 0).all()
    assert not np.allclose(ones, recall.by_sum(key, np.ones((7, 3)), key))
    assert recall.by_sum_of_relu(key, value, key).shape == (7, recall.D)


def test_what_came_back_is_counted():
    value = np.eye(3)
    answers = np.array([[2, 1, 0], [0, 0, 1], [0, 0, 0.1]])
    assert recall.came_back(answers, value, np.arange(3)) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("times", "n"), [("once", 16), ("twice", 8)])
def test_what_is_stored_is_what_is_measured(times, n):
    stored = recall.load()[times][str(n)]
    found = recall.measure(n, twice=times == "twice")
    for name, (mean, half) in found.items():
        assert stored[name] == pytest.approx([mean, half], abs=0.01), name
