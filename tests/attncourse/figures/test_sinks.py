"""The live figure beside lesson 14: what it computes."""

import numpy as np
import pytest

from attncourse.figures.sinks import live
from attncourse.figures.sinks.live import BESIDE, LETTERS, MODELS, N_KEYS
from attncourse.toys.echoes import measures as echo_measures

START, SECOND = list(BESIDE)[1:]
SETTINGS = [(23, "nothing", "rotary"), (8, START, "sinusoids"), (1, SECOND, "ALiBi")]


def test_the_text_begins_with_the_start_and_ends_with_a_letter():
    assert len(LETTERS) == N_KEYS == 23
    assert LETTERS[0] == "^"
    assert LETTERS[-1].isalpha()
    assert "^" not in LETTERS[1:]


@pytest.mark.parametrize("model", MODELS)
def test_a_full_cache_loses_nothing(model):
    now = live.panel(N_KEYS, model=model).compute()
    assert now.kept.all()
    assert now.rise == 0
    scores = np.array(echo_measures.load()[MODELS[model]][-1]["scores"])
    np.testing.assert_allclose(now.weights, np.exp(scores), atol=1e-3)


def test_only_what_is_kept_has_weight():
    for window, beside, model in SETTINGS:
        now = live.panel(window, beside, model).compute()
        kept = {*range(N_KEYS - window, N_KEYS)}
        kept |= {"nothing": set(), START: {0}, SECOND: {1}}[beside]
        assert set(np.flatnonzero(now.kept)) == kept
        assert not now.weights[~now.kept].any()
        assert now.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("beside", BESIDE)
def test_at_the_width_of_the_page_the_rise_is_that_of_its_table(beside):
    for name, order in MODELS.items():
        losses = [one["loss"] for one in echo_measures.load()[order]]
        rises = [one[BESIDE[beside]] - one["everything"] for one in losses]
        found = live.panel(echo_measures.WINDOW, beside, name).compute().rise
        assert found == pytest.approx(np.mean(rises), abs=1e-4)


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"window": 0}, "window must be a number from 1 to 23, got 0"),
        ({"window": 24}, "window must be a number from 1 to 23, got 24"),
        ({"beside": "b"}, "beside must be one of .*, got 'b'"),
        ({"model": "alibi"}, "model must be one of .*, got 'alibi'"),
    ],
)
def test_bad_input(bad, named):
    with pytest.raises(ValueError, match=f"sinks: {named}"):
        live.panel(**bad)
