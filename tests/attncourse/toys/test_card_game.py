"""The card game of lesson 10: its rules, the model's gradients, its training."""

import numpy as np
import pytest

from attncourse.toys.card_game import N_CARDS, N_LETTERS, Adam, CardReader, deal, train
from attnlib import MultiHeadAttention, softmax
from tests.attncourse.toys.slopes import assert_slopes

pytestmark = pytest.mark.slow

WAYS = {
    "whole": {},
    "two heads": {"n_heads": 2},
    "no scale": {"scale": 1.0},
    "no attention": {"scale": 0.0},
    "no positions": {"positions": False},
}
ways = pytest.mark.parametrize("how", WAYS.values(), ids=WAYS.keys())


def test_answers_are_on_the_cards_named(rng):
    letters, numbers, answers = deal(7, rng)
    assert letters.max() < N_LETTERS
    for row in range(7):
        for card in range(N_CARDS):
            assert answers[row, card] == letters[row, numbers[row, card]]


@ways
def test_every_gradient_against_differences(rng, how):
    model, cards = CardReader(6, seed=3, **how), deal(5, rng)
    _, gradients = model.loss_and_gradients(*cards)
    loss = lambda: model.loss_and_gradients(*cards)[0]  # noqa: E731
    assert_slopes(model.params, gradients, loss, rng)


def test_it_is_multi_head_attention(rng):
    model, (letters, numbers, _) = CardReader(6, 2, seed=3), deal(5, rng)
    tables = [model.params[name] for name in ("w_query", "w_key", "w_value")]
    layer = MultiHeadAttention(*tables, np.eye(6), n_heads=2)
    x = model.embed(letters, numbers)
    expected = softmax(layer(x) @ model.params["w_letter"])
    np.testing.assert_allclose(model(letters, numbers), expected, atol=1e-12)
    weights = model.weights(letters, numbers)
    np.testing.assert_allclose(weights, layer.weights(x), atol=1e-12)


def test_loss_is_of_the_right_letters(rng):
    model, (letters, numbers, answers) = CardReader(6, seed=3), deal(5, rng)
    p = model(letters, numbers)
    logs = [-np.log(p[i, j, a]) for (i, j), a in np.ndenumerate(answers)]
    loss, _ = model.loss_and_gradients(letters, numbers, answers)
    assert loss == pytest.approx(np.mean(logs), rel=1e-12)


def test_without_attention_every_card_takes_the_mean(rng):
    letters, numbers, _ = deal(5, rng)
    weights = CardReader(6, scale=0.0).weights(letters, numbers)
    np.testing.assert_allclose(weights, 1 / N_CARDS, rtol=1e-12)


def test_without_positions_the_order_is_not_seen(rng):
    letters, numbers, _ = deal(5, rng)
    order, blind = rng.permutation(N_CARDS), CardReader(6, positions=False)
    shuffled = blind(letters[:, order], numbers[:, order])
    np.testing.assert_allclose(shuffled, blind(letters, numbers)[:, order], rtol=1e-9)


def test_adam_by_hand():
    params = {"w": np.array([1.0, 2.0])}
    adam = Adam(params, learning_rate=0.1, beta_1=0.5, beta_2=0.75)
    adam.step({"w": np.array([4.0, -0.5])})
    np.testing.assert_allclose(params["w"], [0.9, 2.1], rtol=1e-7)
    adam.step({"w": np.array([1.0, -0.5])})
    mean, square = (0.5 * 2 + 0.5 * 1) / 0.75, (0.75 * 4 + 0.25 * 1) / (1 - 0.75**2)
    expected = [0.9 - 0.1 * mean / np.sqrt(square), 2.2]
    np.testing.assert_allclose(params["w"], expected, rtol=1e-7)


def test_it_learns_and_one_seed_gives_one_result(rng):
    test, found = deal(50, rng), []
    for _ in range(2):
        model = CardReader(seed=1)
        steps = list(train(model, 90, seed=1))
        found.append((steps, model.accuracy(*test)))
    assert found[0] == found[1]
    (steps, accuracy), _ = found
    assert [step for step, _ in steps] == list(range(91))
    assert accuracy > 0.95
    assert steps[-1][1] < 0.2 < 2 < steps[0][1]
