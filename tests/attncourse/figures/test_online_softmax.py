"""Lesson 13's live figure: what it computes."""

import numpy as np
import pytest

from attncourse.figures.online_softmax import live
from attncourse.figures.online_softmax.live import N_KEYS, SCORES, VALUES
from attnlib import scaled_dot_product_attention


@pytest.fixture
def panel():
    return live.panel(read=6, late=7)


@pytest.mark.parametrize("late", [-2, 0, 3, 10])
def test_a_pass_by_hand_gives_what_is_computed(late):
    largest, total, mixed = -np.inf, 0.0, np.zeros(2)
    for read in range(1, N_KEYS + 1):
        score = late if read == 6 else SCORES[read - 1]
        factor = np.exp(min(largest - score, 0))
        largest = max(largest, score)
        total = total * factor + np.exp(score - largest)
        mixed = mixed * factor + np.exp(score - largest) * VALUES[read - 1]
        now = live.panel(read, late).compute()
        assert now.largest == largest
        assert now.factor == pytest.approx(factor, rel=1e-12, abs=0)
        assert now.total == pytest.approx(total, rel=1e-12)
        np.testing.assert_allclose(now.output, mixed / total, rtol=1e-12)


def test_output_is_attention_over_the_keys_read(panel):
    now = panel.compute()
    key, value = now.scores[:, None], now.values
    output = scaled_dot_product_attention([[1.0]], key, value, scale=1)
    np.testing.assert_allclose(now.output, output[0], rtol=1e-12)
    assert now.weights.sum() == pytest.approx(1)


def test_controls_stay_in_the_range_drawn(panel):
    late = panel.controls["late"]
    assert SCORES.min() >= late.min
    assert SCORES.max() <= late.max
    assert panel.controls["read"].max == len(SCORES) == len(VALUES)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"read": 0}, "read must be a number from 1 to 8, got 0"),
        ({"read": 9}, "read must be a number from 1 to 8, got 9"),
        ({"read": 2.5}, "read"),
        ({"late": 11}, "late must be a number from -2 to 10, got 11"),
        ({"late": np.nan}, "late"),
        ({"late": "high"}, "late"),
    ],
)
def test_other_numbers_are_refused(wrong, named):
    with pytest.raises(ValueError, match=f"online_softmax: .*{named}"):
        live.panel(**wrong)
