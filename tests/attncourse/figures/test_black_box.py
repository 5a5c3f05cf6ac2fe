"""Lesson 16's live figure: five boxes."""

import numpy as np
import pytest

from attncourse.figures.black_box import live
from attnlib import attention_weights, causal_mask


def output(box, values="identity", size=1.0, n_keys=5):
    return live.panel(box, values, size, n_keys).compute().output


def test_with_the_identity_a_box_shows_its_weights():
    query, key = live.QUERY, live.KEY[:5]
    expected = attention_weights(query, key, mask=causal_mask(5))
    np.testing.assert_allclose(output("box 3"), expected)
    expected = attention_weights(query, key, scale=1)
    np.testing.assert_allclose(output("box 2"), expected)
    expected = attention_weights(key, query).T
    np.testing.assert_allclose(output("box 5"), expected)


def test_with_queries_of_0_a_box_shows_its_mask():
    seen = output("box 1", size=0) > 0
    np.testing.assert_array_equal(seen, np.tri(5, k=1) > 0)
    np.testing.assert_array_equal(output("box 2", size=0), np.full((5, 5), 0.2))


def test_with_values_of_1_a_sink_and_an_axis_show():
    sums = [output(box, "all 1")[:, 0] for box in live.NAMES]
    for i in range(3):
        np.testing.assert_allclose(sums[i], 1)
    assert (sums[3] < 1).all()
    assert sums[4].max() > 1 > sums[4].min()
    np.testing.assert_allclose(output("box 4", "all 1", size=0), 5 / 6)


@pytest.mark.parametrize(
    "bad", [{"box": "box 6"}, {"values": "2"}, {"size": 5}, {"n_keys": 0}]
)
def test_what_the_controls_lack_is_refused(bad):
    with pytest.raises(ValueError, match=rf"black_box: {next(iter(bad))} must be"):
        live.panel(**bad)
