"""The matrices of the running example: what each head asks, and where it writes."""

import numpy as np
import pytest

from attncourse import story
from attncourse.story.words import ALIVE, PRONOUN, SAYS_ALIVE, SAYS_EDIBLE


def test_heads_are_the_matrices_of_find_and_gather():
    heads = story.heads()
    assert list(heads) == ["find", "gather"]
    for layer, matrices in zip(
        (story.find(), story.gather()), heads.values(), strict=True
    ):
        expected = layer.w_query, layer.w_key, layer.w_value
        for one, other in zip(matrices, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_only_the_pronoun_asks_in_gather_and_only_adjectives_in_find():
    asks = {
        name: np.flatnonzero(w.any(axis=1)) for name, (w, *_) in story.heads().items()
    }
    assert asks["find"].tolist() == [SAYS_ALIVE, SAYS_EDIBLE]
    assert asks["gather"].tolist() == [PRONOUN]


@pytest.mark.parametrize(("adjective", "column"), [("hungry", 0), ("delicious", 1)])
def test_each_head_writes_to_columns_of_its_own(adjective, column):
    x = story.embed(story.sentence(adjective))
    found, gathered = story.find()(x), story.gather()(x)
    update = np.hstack([found, gathered]) @ story.w_output()
    assert update.shape == x.shape
    np.testing.assert_array_equal(update[:, :2], found)
    np.testing.assert_array_equal(update[:, 4:], gathered)
    assert update[4, ALIVE + column] == update[3, SAYS_ALIVE + column]
    assert update[4, ALIVE + column] == pytest.approx(0.946, abs=5e-4)
