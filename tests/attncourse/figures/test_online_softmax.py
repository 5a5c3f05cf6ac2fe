"""Lesson 13's live figure: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse.figures.online_softmax import live
from attncourse.figures.online_softmax.live import N_KEYS, SCORES, VALUES
from attnlib import scaled_dot_product_attention


@pytest.fixture
def panel():
    return live.panel(read=6, late=7)


def test_values_follow_the_sliders(panel):
    assert panel.values == {"read": 6, "late": 7}
    panel.controls["read"].value, panel.controls["late"].value = 8, -2
    assert panel.values == {"read": 8, "late": -2}
    assert panel.compute().scores.tolist() == [2, 1, 3, 0, 2, -2, 1, 2]


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


def test_view_begins_as_the_controls_say(panel):
    state = panel.view
    assert {name: getattr(state, name) for name in panel.values} == panel.values
    assert state.values == VALUES.tolist()
    assert state.scores == SCORES.tolist()
    assert state.scores[state.place] == 0


def test_controls_stay_in_the_range_drawn(panel):
    late = panel.controls["late"]
    assert [late.min, late.max] == panel.view.range
    assert SCORES.min() >= late.min
    assert SCORES.max() <= late.max
    assert panel.controls["read"].max == len(SCORES) == len(VALUES)


def test_repr_carries_the_numbers(panel):
    now = panel.compute()
    assert repr(panel) == (
        "6 of 8 keys read, scores 2, 1, 3, 0, 2, 7: largest 7, last factor "
        f"{now.factor:.4f}, total {now.total:.3f}, "
        f"output {now.output[0]:.2f}, {now.output[1]:.2f}."
    )
    assert now.factor == pytest.approx(np.exp(-4))


def test_still_picture_and_view_are_both_offered(panel):
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<figure class="aw-picture" role="img"')
    assert data["text/plain"] == repr(panel)


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
