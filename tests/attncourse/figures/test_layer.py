"""The pictures of a layer and of its network's ramp say what they show."""

import numpy as np

from attncourse.figures.kit.picture import panels
from attncourse.figures.layer import still, translator
from attncourse.story.layers import tidy
from attnlib import feed_forward

ONE_COLUMN = ([[1, 1, 1]], [0, -0.4, -0.6], [[-1], [5], [-5]], [0])


def test_a_layer_names_its_words():
    says = repr(still.layer(["dog", "it", "hungry"]))
    assert "3 words (dog, it, hungry)" in says


def test_two_stacks_ask_the_same_rows_in_every_layer():
    says = repr(translator.translator(["the food"], ["la", "nourriture"], "elle"))
    assert "la nourriture passes 2 layers" in says
    steps = ["masked self-attention", "cross-attention", "network"]
    _, axis = panels()
    ends, asks = translator._stack(axis, translator.DECODER, steps, ["b"], 3)
    named = [one for one in axis.texts if one.get_text() == "cross-attention"]
    assert [one.get_position()[1] for one in named] == asks == sorted(asks)
    assert len(asks) == 3
    assert asks[-1] < ends


def test_the_ramp_says_what_it_makes_of_each_number():
    says = repr(still.ramp(ONE_COLUMN, {"crumb": 0.2, "half": 0.5, "large": 1.2}))
    assert "crumb 0.2 to 0.00, half 0.5 to 0.50, large 1.2 to 1.00" in says
    assert "−1 × max(0, a), 5 × max(0, a −0.4), −5 × max(0, a −0.6)" in says


def test_one_column_is_what_the_network_of_the_story_does_to_each():
    row = np.array([[0, 0.2, 0.45, 0.58, 0.946, 1.2]])
    whole = row + feed_forward(row, *tidy())
    alone = [[a] + feed_forward(np.array([[a]]), *ONE_COLUMN)[0] for a in row[0]]
    np.testing.assert_allclose(whole[0], np.ravel(alone), atol=1e-12)
