import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib import SelfAttention, causal_mask, padding_mask, softmax
from tests.attnlib import oracle


@pytest.fixture
def layer(rng):
    """d_model = 5, d_k = 3, d_v = 11."""
    return SelfAttention.random(5, 3, 11, rng=rng)


def test_against_loops(xp, rng, layer):
    x, mask = rng.normal(size=(7, 5)), rng.random((7, 7)) < 0.6
    weights = (layer.w_query, layer.w_key, layer.w_value)
    query, key, value = (oracle.project(x, w) for w in weights)
    expected = oracle.attention(query, key, value, allowed=mask)
    mine = SelfAttention(*(xp.asarray(w) for w in weights))
    got = mine(xp.asarray(x), mask=xp.asarray(mask))
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-12, atol=1e-14)


def test_by_hand():
    """Weights that pick columns: query and key see column 0, value sees column 1."""
    first, second = [[1.0], [0.0]], [[0.0], [1.0]]
    layer = SelfAttention(first, first, second)
    e = np.e
    expected = [[(e * 10 + 20) / (e + 1)], [15]]
    got = layer([[1.0, 10.0], [0.0, 20.0]])
    np.testing.assert_allclose(got, expected, rtol=1e-14)


def test_project_gives_query_key_value(layer, rng):
    x = rng.normal(size=(2, 7, 5))
    query, key, value = layer.project(x)
    np.testing.assert_allclose(query, x @ layer.w_query, rtol=1e-14)
    np.testing.assert_allclose(key, x @ layer.w_key, rtol=1e-14)
    np.testing.assert_allclose(value, x @ layer.w_value, rtol=1e-14)


@given(st.permutations(range(7)))
def test_permuting_words_permutes_outputs(order):
    rng = np.random.default_rng(11)
    layer, x = SelfAttention.random(5, 3, rng=rng), rng.normal(size=(7, 5))
    np.testing.assert_allclose(layer(x[order]), layer(x)[order], atol=1e-12)


def test_a_batch_is_a_loop(layer, rng):
    x = rng.normal(size=(2, 3, 7, 5))
    output = layer(x, mask=padding_mask([4, 7, 1], 7))
    assert output.shape == (2, 3, 7, 11)
    for i, j in np.ndindex(2, 3):
        one = layer(x[i, j], mask=np.arange(7) < [4, 7, 1][j])
        np.testing.assert_allclose(output[i, j], one, rtol=1e-12)
    assert layer(np.ones((0, 7, 5))).shape == (0, 7, 11)


def test_a_single_token_attends_to_itself(layer, rng):
    x = rng.normal(size=(1, 5))
    np.testing.assert_allclose(layer(x), layer.project(x)[2], rtol=1e-12)


def test_causal(layer, rng):
    x = rng.normal(size=(7, 5))
    got = layer(x, is_causal=True)
    np.testing.assert_array_equal(got, layer(x, mask=causal_mask(7)))
    np.testing.assert_allclose(got[:3], layer(x[:3], is_causal=True), rtol=1e-12)


def test_random_sizes_and_seeds():
    one, two = (SelfAttention.random(5, 3, rng=np.random.default_rng(7)) for _ in "ab")
    assert one.w_query.shape == one.w_key.shape == one.w_value.shape == (5, 3)
    np.testing.assert_array_equal(one.w_value, two.w_value)
    assert not np.array_equal(one.w_query, one.w_key)
    wide = SelfAttention.random(400, 300, rng=np.random.default_rng(7))
    assert wide.w_key.var() == pytest.approx(1 / 400, rel=0.02)


def test_the_layer_is_frozen_and_prints_its_sizes(layer):
    assert repr(layer) == "SelfAttention(d_model=5, d_k=3, d_v=11, float64)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        layer.w_query = 0


@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"mask": np.arange(7) < 4}])
def test_trace_keeps_every_step(layer, rng, how):
    x = rng.normal(size=(2, 7, 5))
    trace = layer.trace(x, list("abcdefg"), **how)
    query, key, value = layer.project(x)
    np.testing.assert_array_equal(trace.x, x)
    np.testing.assert_array_equal(trace.query, query)
    np.testing.assert_array_equal(trace.key, key)
    np.testing.assert_array_equal(trace.value, value)
    scores = query @ np.moveaxis(key, -1, -2)
    np.testing.assert_allclose(trace.scores, scores, rtol=1e-12)
    allowed = how.get("mask", True) & (causal_mask(7) if "is_causal" in how else True)
    scaled = np.where(allowed, scores / np.sqrt(3), -np.inf)
    np.testing.assert_allclose(trace.scaled_scores, scaled, rtol=1e-12)
    np.testing.assert_array_equal(trace.weights, softmax(trace.scaled_scores))
    np.testing.assert_allclose(trace.output, layer(x, **how), rtol=1e-12)
    assert trace.tokens == tuple("abcdefg")


def test_trace_without_tokens(layer):
    assert layer.trace(np.ones((7, 5))).tokens is None


W = np.ones((5, 3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: SelfAttention(W, np.ones((5, 2)), W),
            r"SelfAttention: w_query and w_",
        ),
        (
            lambda: SelfAttention(W, np.ones((4, 3)), W),
            r"SelfAttention: w_query and w_",
        ),
        (
            lambda: SelfAttention(W, W, np.ones((4, 3))),
            r"SelfAttention: all weights .* w_query \(5, 3\) .* and w_value \(4, 3\)$",
        ),
        (lambda: SelfAttention(W[0], W, W), r"SelfAttention: w_query must be a matrix"),
        (
            lambda: SelfAttention(W, W, W[:, :0]),
            r"SelfAttention: w_value must be .*, got w_value \(5, 0\)$",
        ),
        (lambda: SelfAttention(W > 0, W, W), r"SelfAttention: w_query must hold real"),
        (lambda: SelfAttention(W, None, W), r"SelfAttention: w_key must hold real"),
        (
            lambda: SelfAttention(W, W, W)(np.ones((7, 4))),
            r"SelfAttention: x must have rows of d_model = 5, got x \(7, 4\)$",
        ),
        (lambda: SelfAttention(W, W, W)(np.ones(5)), r"SelfAttention: x must have sha"),
        (
            lambda: SelfAttention(W, W, W)(np.ones((0, 5))),
            r"SelfAttention: x must have at least one row, got x \(0, 5\)$",
        ),
        (
            lambda: SelfAttention(W, W, W)(np.ones((7, 5)), mask=np.ones((7, 6), bool)),
            r"SelfAttention: mask must .* shape \(7, 7\), got mask \(7, 6\)$",
        ),
        (
            lambda: SelfAttention(W, W, W).trace(np.ones((7, 5)), mask=np.ones(7, int)),
            r"SelfAttention.trace: mask must be boolean .* dtype int64",
        ),
        (
            lambda: SelfAttention(W, W, W).trace(np.ones((2, 5)), ["one"]),
            r"SelfAttention.trace: tokens must .* \('one',\) and x \(2, 5\)$",
        ),
        (
            lambda: SelfAttention(W, W, W).trace(np.ones((2, 5)), "ab"),
            r"SelfAttention.trace: tokens must be a list of strings",
        ),
        (
            lambda: SelfAttention(W, W, W).trace(np.ones((2, 5)), ["a", 2]),
            r"SelfAttention.trace: tokens must be a list of strings",
        ),
        (
            lambda: SelfAttention(W, W, W).project(np.ones((2, 4))),
            r"SelfAttention.project: x must have rows of d_model = 5",
        ),
        (
            lambda: SelfAttention.random(5, 3, rng=0),
            r"SelfAttention.random: rng must be a numpy.random.Generator.*, got rng 0$",
        ),
        (
            lambda: SelfAttention.random(0, 3, rng=np.random.default_rng(0)),
            r"SelfAttention.random: d_model must be .* got d_model 0$",
        ),
        (
            lambda: SelfAttention.random(5, 3, 0, rng=np.random.default_rng(0)),
            r"SelfAttention.random: d_v must be .* got d_v 0$",
        ),
        (
            lambda: SelfAttention.random(5, 3.0, rng=np.random.default_rng(0)),
            r"SelfAttention.random: d_k must be .* got d_k 3.0$",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


def test_rng_is_required():
    with pytest.raises(TypeError):
        SelfAttention.random(5, 3)
