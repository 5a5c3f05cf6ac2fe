"""Lesson 11's live figure: what it saves, says and computes."""

import numpy as np
import pytest

from attncourse.figures.copying_heads import live
from attncourse.figures.copying_heads.live import LAYERS, NEEDED, RUN, TEXT
from attncourse.toys.copying.measures import STEPS, history

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def panel():
    return live.panel(step=160, layers="two layers")


def test_saved_numbers_are_those_of_attnlib(panel):
    saved = panel.view.data
    assert saved["steps"] == list(STEPS)
    assert saved["floor"] == pytest.approx(np.log(20), rel=1e-12)
    for layers, n_layers in LAYERS.items():
        run = live.run(layers)
        assert {**run, "weights": 0} == {**saved["runs"][layers], "weights": 0}
        for j, now in enumerate(history(n_layers).values()):
            for layer, matrix in enumerate(now.model.weights(TEXT)):
                rows = run["weights"][j][layer]
                assert [len(row) for row in rows] == list(range(1, len(TEXT) + 1))
                for row, wanted in zip(rows, matrix, strict=True):
                    assert np.abs(wanted[: len(row)] - row).max() < 0.0051
                    assert not wanted[len(row) :].any()
            for name in ("new", "repeated", "right"):
                assert run[name][j] == pytest.approx(getattr(now, name), abs=0.0051)


def test_training_forms_both_heads(panel):
    now, then = history(2)[160], history(2)[40]
    assert panel.compute().right == pytest.approx(now.right, abs=0.0051)
    assert now.right > 0.8 > 0.4 > then.right
    assert now.before[0] > 0.7 > 0.5 > then.before[0]
    assert now.after[1] > 0.7 > 0.3 > then.after[1]
    assert history(1)[160].right < 0.4


def test_it_says_the_losses_and_the_heads(panel):
    now, said = history(2)[160], panel.describe()["summary"]
    assert f"and {now.repeated:.2f} on repeated ones" in said
    for layer, matrix in enumerate(now.model.weights(TEXT)):
        share = np.mean([matrix[cell] for cell in NEEDED[2][layer]])
        assert panel.compute().means[layer] == pytest.approx(share, abs=0.006)
    assert "layer 1" not in repr(live.panel(0, "one layer"))


def test_frames_are_the_same_in_both_languages(figure_javascript):
    script = "copying_heads/heads"
    calls = [[script, "needed", n, len(TEXT), RUN] for n in (1, 2)]
    one, two = figure_javascript(calls)
    for n_layers, found in ((1, one), (2, two)):
        wanted = [[list(cell) for cell in cells] for cells in NEEDED[n_layers]]
        assert found == wanted
    assert all(TEXT[j] == TEXT[(i + 1) % RUN] for i, j in NEEDED[2][1])
