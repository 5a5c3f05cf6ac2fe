"""What else holds for sample_with_temperature, beside its answers."""

import numpy as np

from attncourse.practice import check
from tests.attncourse.practice.answers.sample_with_temperature import searched
from tests.attncourse.practice.judging import SEEDS

NAME = "sample_with_temperature"


def test_dice_of_ones_own_do_not_pass():
    dice = np.random.default_rng(3)

    def answer(logits, temperature, numbers):
        return searched(logits, temperature, dice.random(numbers.shape))

    assert not any(check(NAME, answer, seed=seed).passed for seed in SEEDS)
