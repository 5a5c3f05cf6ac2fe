"""What else holds for look_up, beside its answers."""

import numpy as np

from attncourse.practice import EXERCISES

NAME = "look_up"


def test_every_sentence_repeats_a_token_and_has_the_first_id():
    for seed in range(9):
        for case in EXERCISES[NAME].draw(np.random.default_rng(seed)):
            ids, table = case.inputs.values()
            assert 0 <= ids.min() == 0 <= ids.max() < len(table)
            assert len(np.unique(ids)) < ids.size
