"""Verdicts of single exercises, beside their answers: what is quoted, what is told."""

import numpy as np
import pytest

from attncourse.practice import check
from attnlib import softmax
from tests.attncourse.practice.answers.generating import searched
from tests.attncourse.practice.answers.layers import (
    behind_the_first_axis,
    built,
    hide,
)
from tests.attncourse.practice.answers.longer_texts import column
from tests.attncourse.practice.answers.scores_and_softmax import naive_total
from tests.attncourse.practice.judging import SEEDS

pytestmark = [pytest.mark.slow, pytest.mark.long]


def found(name, answer, seed=0):
    """The messages of what is found, by code."""
    report = check(name, answer, seed=seed)
    return {finding.code: finding.message for finding in report.findings}


def test_two_mistakes_at_once_are_both_named():
    told = found("head_effect", lambda w, it, a, b: column(w, it, b, a))
    assert {*told} == {"column-instead-of-row", "sign-flipped"}


def test_a_zero_weight_is_told_from_a_large_exponential():
    (told,) = found("log_softmax", lambda x: np.log(softmax(x))).values()
    assert "weight far below 5e-324 is stored as 0" in told
    (told,) = found("log_softmax", naive_total).values()
    assert "exp(710)" in told


def test_a_floor_is_not_claimed_of_everything_flat():
    for fill, code in ((0.0, "all-zeros"), (-3.0, "numbers-all-alike")):
        told = found("log_softmax", lambda x, fill=fill: np.full_like(x, fill))
        assert {*told} == {code}


def test_the_masks_that_were_tried_are_listed():
    tried = check("masked_multi_head_attention", built(), seed=0).tried
    for label in ("a causal mask", "padding in a batch", "a query that sees nothing"):
        assert label in tried


def test_a_mask_that_must_be_there():
    """None is used as a mask: it crashes there, and the piece to blame is quoted."""

    def answer(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
        return built(default=lambda s: hide(s, mask))(
            x, w_query, w_key, w_value, w_output, n_heads, mask
        )

    ((code, told),) = found("masked_multi_head_attention", answer).items()
    assert code == "one-piece-wrong"
    assert "mask = None no array came back: TypeError" in told
    assert "Look at `hide(s, mask)`" in told


def test_a_mask_with_too_many_axes_is_quoted():
    told = found("masked_multi_head_attention", behind_the_first_axis)
    assert "`mask[:, None]`" in told["number-of-axes"]


def test_dice_of_ones_own_do_not_pass():
    dice = np.random.default_rng(3)

    def answer(logits, temperature, numbers):
        return searched(logits, temperature, dice.random(numbers.shape))

    name = "sample_with_temperature"
    assert not any(check(name, answer, seed=seed).passed for seed in SEEDS)


def differences(loss, x, step=1e-6):
    """Central differences, one number at a time, in plain Python."""
    gradient = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        sides = []
        for sign in (1, -1):
            moved = x.copy()
            moved[at] += sign * step
            sides.append(loss(moved))
        gradient[at] = (sides[0] - sides[1]) / (2 * step)
    return gradient


def plain_attention(query, key, value):
    """Attention of one sentence with loops alone."""
    output = []
    for q in query:
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) for k in key]
        scaled = [s / len(q) ** 0.5 for s in scores]
        powers = [np.exp(s - max(scaled)) for s in scaled]
        weights = [p / sum(powers) for p in powers]
        columns = zip(*value, strict=True)
        output.append(
            [sum(w * v for w, v in zip(weights, c, strict=True)) for c in columns]
        )
    return np.array(output)


def by_differences(query, key, value, grad_output):
    if query.ndim > 2:
        parts = [
            by_differences(*four)
            for four in zip(query, key, value, grad_output, strict=True)
        ]
        return tuple(np.stack(part) for part in zip(*parts, strict=True))
    three = [query, key, value]

    def loss_of(i):
        def loss(x):
            inputs = [x if j == i else three[j] for j in range(3)]
            return np.sum(plain_attention(*inputs) * grad_output)

        return loss

    return tuple(differences(loss_of(i), three[i]) for i in range(3))


def test_a_slow_right_answer_is_not_called_endless():
    assert "never-ended" not in found("attention_gradient", by_differences)
