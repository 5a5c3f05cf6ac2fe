"""The writer: gradients, training, what is stored, how it writes, where it looks."""

import numpy as np
import pytest

from attncourse.toys.writer import model
from attncourse.toys.writer.heads import (
    losses_without_two,
    weights_of,
    without_head,
)
from attncourse.toys.writer.stored import bytes_and_scales, store, stored_losses, writer
from attncourse.toys.writer.stories import IDS, WORDS, write_texts
from attncourse.toys.writer.training import (
    LEARNING_RATE,
    N_STEPS,
    held_out_texts,
    learning_rate,
    train,
    training_texts,
)
from attncourse.toys.writer.writing import continue_text, multiplications, read
from attnlib import cross_entropy, generate, rms_norm
from tests.attncourse.toys.slopes import assert_slopes

pytestmark = pytest.mark.slow

HUNGRY = "a dog ate the food because it was hungry . then the"


@pytest.fixture(scope="module")
def rough():
    """Parameters in float64 that are neither trained nor at rest: gains, biases too."""
    rng = np.random.default_rng(5)
    params = model.first_parameters(0)
    return {k: x + 0.1 * rng.standard_normal(x.shape) for k, x in params.items()}


def test_the_loss_is_that_of_the_decoder(rough, rng):
    texts = write_texts(3, 20, rng)
    loss, _ = model.loss_and_gradients(rough, texts)
    logits = model.as_decoder(rough)(texts[:, :-1])
    assert loss == pytest.approx(cross_entropy(logits, texts[:, 1:]).mean(), rel=1e-12)


def test_every_gradient_against_differences(rough, rng):
    texts = write_texts(2, 20, rng)
    _, gradients = model.loss_and_gradients(rough, texts)
    moved = dict(rough)
    loss = lambda: model.loss_and_gradients(moved, texts)[0]  # noqa: E731
    assert_slopes(moved, gradients, loss, rng)


def test_the_first_steps_are_those_that_were_stored():
    """In float32, sums may be taken in another order on another machine."""
    found = [loss for loss, _ in train(4)]
    np.testing.assert_allclose(found, stored_losses()[:4], rtol=1e-4)
    assert len(stored_losses()) == N_STEPS
    assert stored_losses()[-50:].mean() < 0.6 < 3.8 < found[0]


def test_the_training_draws_the_texts_that_are_counted(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "attncourse.toys.writer.training.loss_and_gradients",
        lambda params, texts, steps: (drawn.append(texts), (0.0, {}))[1],
    )
    list(train(5))
    np.testing.assert_array_equal(np.concatenate(drawn), training_texts(5))


def test_the_learning_rate_rises_and_falls():
    rates = [learning_rate(step) for step in range(N_STEPS)]
    assert rates[0] == pytest.approx(LEARNING_RATE / 50)
    assert 0.98 * LEARNING_RATE < max(rates) == rates[49] <= LEARNING_RATE
    assert 0 < rates[-1] < 0.01 * LEARNING_RATE


def test_it_says_whom_it_meant():
    animal = writer()(read(HUNGRY))[-1]
    food = writer()(read(HUNGRY.replace("hungry", "delicious")))[-1]
    assert (WORDS[animal.argmax()], WORDS[food.argmax()]) == ("dog", "food")


def test_what_is_stored_is_rounded_to_bytes(tmp_path, rough):
    path = tmp_path / "weights.npz"
    store(rough, [2.0, 1.0], path)
    arrays, scales = bytes_and_scales(path)
    assert stored_losses(path).tolist() == [2.0, 1.0]
    for name, array in rough.items():
        assert arrays[name].dtype == np.int8
        assert np.abs(arrays[name]).max() == 127
        off = np.abs(arrays[name] * scales[name] - array).max()
        assert off <= 0.5001 * scales[name]
    assert bytes_and_scales()[0].keys() == rough.keys()


def test_greedy_with_a_cache_is_greedy_without():
    ids = read("a dog")
    got = generate(writer(), ids, 200, temperature=0).tolist()
    slow = list(ids)
    for _ in range(200):
        slow.append(int(writer()(slow)[-1].argmax()))
    assert got == slow


@pytest.mark.parametrize(
    "choice", [{}, {"temperature": 0}, {"temperature": 1.7, "top_k": 9, "top_p": 0.8}]
)
def test_given_numbers_write_what_generate_writes(choice):
    numbers = np.random.default_rng(3).random(60)
    ids, probabilities = continue_text(writer(), read("a dog"), numbers, **choice)
    rng = np.random.default_rng(3)
    assert ids == generate(writer(), read("a dog"), 60, rng=rng, **choice).tolist()
    assert probabilities.sum() == pytest.approx(1)
    assert ids[-1] != IDS["dog"]


def test_read_knows_its_words():
    assert " ".join(WORDS[i] for i in read("A dog ate. Then")) == "a dog ate . then"
    with pytest.raises(ValueError, match=r"read: .*37 words it knows, got 'wolf'"):
        read("a wolf")
    with pytest.raises(ValueError, match=r"read: .* got none"):
        read("  ")


def test_multiplications_are_those_of_the_matrices():
    params = model.first_parameters(0)
    per_word = sum(x.size for x in params.values() if x.ndim == 2)
    assert multiplications(1, 1) - 2 * 2 * 32 == per_word
    scores_and_sums = 2 * 2 * 32  # for each key: two layers, a score and a sum
    assert multiplications(7, 7) == 7 * (per_word + 7 * scores_and_sums)


def test_weights_are_those_that_make_the_logits():
    """Rebuild the first layer's attention from its weights."""
    decoder, ids = writer(), held_out_texts()[:2, :30]
    weights = weights_of(decoder, ids)
    assert weights.shape == (2, 2, 2, 30, 30)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    assert not np.triu(weights, 1).any()
    x = decoder.embedding(ids)
    for layer, who in zip(decoder.layers, weights, strict=True):
        parts = layer.attention
        value = rms_norm(x, layer.gain_1) @ parts.w_value
        heads = [who[:, h] @ value[..., 16 * h : 16 * h + 16] for h in range(2)]
        only = model.DecoderLayer(
            parts, gain_1=layer.gain_1, rotary_base=layer.rotary_base
        )
        added = np.concatenate(heads, axis=-1) @ parts.w_output
        np.testing.assert_allclose(only(x), x + added, rtol=1e-9, atol=1e-12)
        x = layer(x)


def test_a_cut_head_hands_nothing_over():
    decoder = writer()
    cut = without_head(decoder, 1, 1)
    kept, left = (d.layers[1].attention.w_output for d in (decoder, cut))
    np.testing.assert_array_equal(left[:16], kept[:16])
    assert not left[16:].any()
    assert kept[16:].any()
    assert cut.layers[0] is decoder.layers[0]


def test_two_heads_are_cut_at_once():
    """Both are gone, each text counts its own words, and no two are forgotten."""
    texts = held_out_texts()[:3]
    at = texts[:, :-1] == IDS["the"]
    found = losses_without_two(writer(), texts, at)
    assert len(found) == 6
    cut = without_head(without_head(writer(), 1, 0), 0, 1)
    losses = cross_entropy(cut(texts[:, :-1]), texts[:, 1:])
    wanted = [row[one].mean() for row, one in zip(losses, at, strict=True)]
    np.testing.assert_allclose(found[(0, 1), (1, 0)], wanted, rtol=1e-12)
