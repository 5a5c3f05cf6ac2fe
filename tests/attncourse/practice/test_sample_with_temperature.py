"""Wrong and right answers for sample_with_temperature, in several styles."""

import numpy as np
import pytest

from attncourse.practice import check
from tests.attncourse.practice.judging import SEEDS, assert_found, assert_passes, soft

NAME = "sample_with_temperature"


def searched(logits, temperature, numbers):
    """Search each row for its numbers."""
    rows = np.cumsum(soft(logits / temperature), axis=-1)
    pairs = zip(
        rows.reshape(-1, rows.shape[-1]),
        numbers.reshape(-1, numbers.shape[-1]),
        strict=True,
    )
    found = [np.searchsorted(row, each, side="right") for row, each in pairs]
    return np.reshape(found, numbers.shape)


def counted(logits, temperature, numbers, change=lambda p: p):
    """Count how many cumulative probabilities a number has passed."""
    rows = np.cumsum(change(soft(logits / temperature)), axis=-1)
    return (rows[..., None, :] <= numbers[..., None]).sum(axis=-1)


def by_loops(logits, temperature, numbers):
    if logits.ndim > 1:
        pairs = zip(logits, numbers, strict=True)
        return [by_loops(x, temperature, n) for x, n in pairs]
    chances, found = soft(logits / temperature).tolist(), []
    for number in numbers.tolist():
        i = 0
        while number >= chances[i]:
            number -= chances[i]
            i += 1
        found.append(i)
    return found


@pytest.mark.parametrize("answer", [searched, counted, by_loops])
def test_right(answer):
    assert_passes(NAME, answer)


WRONG = {
    "multiplied-by-temperature": lambda x, t, n: searched(x * t * t, t, n),
    "temperature-ignored": lambda x, t, n: searched(x, 1, n),
    "wrong-axis": lambda x, t, n: (
        searched(np.log(soft(x.T / t).T), 1, n)
        if x.ndim == 1
        else _raw(soft(x.T / t).T, n)
    ),
    "argmax-always": lambda x, t, n: 0 * n + x.argmax(axis=-1)[..., None],
    "temperature-after-softmax": lambda x, t, n: _raw(soft(x) / t, n),
    "order-lost": lambda x, t, n: searched(-np.sort(-x, axis=-1), t, n),
    "off-by-one": lambda x, t, n: searched(x, t, n) - 1,
    "compared-with-probability": lambda x, t, n: (
        soft(x / t)[..., None, :] > n[..., None]
    ).argmax(axis=-1),
}


def _raw(chances, numbers):
    above = np.cumsum(chances, axis=-1)[..., None, :] > numbers[..., None]
    return above.argmax(axis=-1)


@pytest.mark.parametrize("code", WRONG)
def test_wrong(code):
    assert_found(NAME, code, WRONG[code])


def test_dice_of_ones_own_do_not_pass():
    dice = np.random.default_rng(3)

    def answer(logits, temperature, numbers):
        return searched(logits, temperature, dice.random(numbers.shape))

    assert not any(check(NAME, answer, seed=seed).passed for seed in SEEDS)
