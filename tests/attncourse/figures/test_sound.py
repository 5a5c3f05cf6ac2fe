"""A row of weights as tones: none before the switch, then pitch, loudness and place."""

import numpy as np
import pytest

from attncourse.figures.kit.slots import look_up, plain
from attncourse.figures.listed import figure, names
from tests.attncourse.figures.conftest import in_node

SOUNDING = [name for name in names() if figure(name).spec.get("sound")]
STATE = {"w": [0.7, 0.2, 0.1], "s": [4.0, 0.0, -4.0]}
MOVED = {"w": [0.1, 0.1, 0.8], "s": [0.0, 0.0, 8.0]}


def press(sound):
    asked = {"sound": sound, "states": [STATE, MOVED]}
    return in_node("sound", asked)


def told(done, name):
    return [one[1] for one in done if one[0] == name]


@pytest.fixture(scope="module")
def taken():
    return press({"weights": "w", "scores": "s"})


def test_nothing_sounds_before_the_switch_and_after_it_is_off(taken):
    before, on, moved, off = taken
    assert before == {"done": [], "opened": 0, "pressed": "false"}
    assert [one["pressed"] for one in (on, moved, off)] == ["true", "true", "false"]
    assert [one["opened"] for one in taken] == [0, 1, 1, 1]
    assert off["done"] == [["off"]] * 3


def test_pitch_is_the_score_loudness_the_weight_and_place_the_word(taken):
    _, on, moved, _ = (one["done"] for one in taken)
    assert told(on, "frequency") == [660, 330, 165]
    assert told(moved, "frequency") == [330, 330, 1319]  # and no higher
    assert told(on, "pan") == [-1, 0, 1]
    peaks = [max(row) for row in np.reshape(told(on, "gain"), (3, 4))]
    assert peaks == pytest.approx([0.21, 0.06, 0.03])
    starts, stops = told(on, "start"), told(on, "stop")
    assert all(
        a < b <= c + 1e-9 for a, b, c in zip(starts, stops, starts[1:], strict=False)
    )


def test_without_scores_it_takes_the_logarithms_of_the_weights():
    hertz = told(press({"weights": "w"})[1]["done"], "frequency")
    assert hertz == pytest.approx(330 * np.array(STATE["w"]) ** (np.log(2) / 4))


def test_the_exponential_is_a_sweep_that_grows_by_it():
    done = press({"weights": "w", "scores": "s", "sweep": True})[1]["done"]
    hertz, gains = (told(done, name) for name in ("frequency", "gain"))
    sweep, loud = np.array(hertz[3:]), np.array(gains[-25:])
    assert (sweep[0], sweep[-1]) == pytest.approx((165, 660))
    np.testing.assert_allclose(np.diff(np.log(sweep)), np.log(4) / 24)
    np.testing.assert_allclose(np.diff(np.log(loud)), 8 / 24)
    assert len(told(done, "start")) == 4  # three words and one sweep


@pytest.mark.parametrize("name", SOUNDING)
def test_a_declared_sound_names_a_row_of_weights(name):
    one, sound = figure(name), figure(name).spec["sound"]
    state = {n: c.default for n, c in one.controls.items()}
    scope = one.data | plain(state) | plain(one.compute(**state))
    weights = look_up(sound["weights"], scope)
    assert sum(weights) == pytest.approx(1)
    assert "scores" not in sound or len(look_up(sound["scores"], scope)) == len(weights)


def test_every_figure_that_declares_a_sound_can_make_it():
    able = [name for name in names() if "makeSound" in figure(name).view._esm]
    assert able == SOUNDING
    assert len(SOUNDING) > 5
