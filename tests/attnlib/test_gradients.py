from functools import partial

import numpy as np
import pytest

from attnlib import (
    attention_vjp,
    scaled_dot_product_attention,
    softmax,
    softmax_vjp,
)
from tests.attnlib.differences import by_differences, relative_error
from tests.attnlib.gradient_cases import BATCHES, MASK, QKV, WAYS


@pytest.mark.parametrize("axis", [-1, 0, 1, 2])
def test_softmax_against_differences(xp, rng, axis):
    scores, grad = rng.standard_normal((2, 3, 5, 7))
    (slopes,) = by_differences(lambda s: softmax(s, axis=axis), [scores], grad)
    weights = xp.asarray(softmax(scores, axis=axis))
    found = softmax_vjp(weights, xp.asarray(grad), axis=axis)
    assert relative_error(found, slopes) < 1e-6


def test_softmax_against_its_jacobian(rng):
    weights, grad = softmax(rng.standard_normal(7)), rng.standard_normal(7)
    jacobian = np.diag(weights) - np.outer(weights, weights)
    np.testing.assert_allclose(softmax_vjp(weights, grad), jacobian @ grad, rtol=1e-13)


def test_gradient_of_scores_sums_to_zero(rng):
    weights = softmax(rng.standard_normal((5, 7)))
    grad = softmax_vjp(weights, rng.standard_normal((5, 7)))
    np.testing.assert_allclose(grad.sum(axis=-1), 0, atol=1e-15)


def draw(rng, query=QKV[0], key=QKV[1], value=QKV[2]):
    """Draw queries, keys, values, and the gradient of what attention returns."""
    inputs = [rng.standard_normal(shape) for shape in (query, key, value)]
    return [*inputs, rng.standard_normal(scaled_dot_product_attention(*inputs).shape)]


def check_all(inputs, grad, **how):
    """Compare each of the three gradients with differences."""
    found = attention_vjp(*inputs, grad, **how)
    attend = partial(scaled_dot_product_attention, **how)
    for got, slopes in zip(found, by_differences(attend, inputs, grad), strict=True):
        assert relative_error(got, slopes) < 1e-6


@pytest.mark.parametrize("how", WAYS.values(), ids=WAYS.keys())
def test_attention_against_differences(rng, how):
    *inputs, grad = draw(rng)
    check_all(inputs, grad, **how)


@pytest.mark.parametrize("shapes", BATCHES.values(), ids=BATCHES.keys())
def test_batches_against_differences(rng, shapes):
    *inputs, grad = draw(rng, *shapes)
    check_all(inputs, grad)


def test_other_libraries_and_dtypes(xp, rng):
    inputs = [xp.asarray(x, dtype=xp.float32) for x in draw(rng)]
    wide = attention_vjp(*(np.asarray(x, dtype=float) for x in inputs))
    for got, expected, x in zip(attention_vjp(*inputs), wide, inputs, strict=False):
        assert got.dtype == xp.float32
        assert got.shape == x.shape
        np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("scale", [np.float32(0.7), np.float64(0.7), 1])
def test_every_kind_of_scale(xp, rng, scale):
    """A NumPy scalar beside arrays of another library, or wider than they are."""
    inputs = [xp.asarray(x, dtype=xp.float32) for x in draw(rng)]
    plain = attention_vjp(*inputs, scale=float(scale))
    for got, expected in zip(attention_vjp(*inputs, scale=scale), plain, strict=True):
        assert got.dtype == xp.float32
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))


def test_a_masked_query_gets_no_gradient(rng):
    grad_query, grad_key, grad_value = attention_vjp(*draw(rng), mask=MASK)
    assert np.all(grad_query[1] == 0)
    keys_seen_by_all_but_row_1 = MASK[0] | MASK[2]
    assert np.all(np.any(grad_key != 0, axis=-1) == keys_seen_by_all_but_row_1)
    assert np.all(np.isfinite(grad_value))


def test_large_scores_stay_finite(rng):
    query, key, value, grad = draw(rng)
    found = attention_vjp(1e4 * query, 1e4 * key, value, grad)
    assert all(np.all(np.isfinite(g)) for g in found)


def test_an_empty_batch_gives_empty_gradients():
    shapes = ((0, 3, 5), (0, 7, 5), (0, 7, 11), (0, 3, 11))
    found = attention_vjp(*(np.zeros(shape) for shape in shapes))
    assert [g.shape for g in found] == [*shapes[:3]]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"grad_output": np.ones((3, 5))}, r"\(3, 11\), got grad_output \(3, 5\)"),
        ({"key": np.ones((7, 3))}, "same d_k"),
        ({"value": np.ones((5, 11))}, "same n_keys"),
        ({"mask": np.ones((3, 7), dtype=int)}, "mask must be boolean"),
        ({"mask": np.ones((5, 7), dtype=bool)}, "mask"),
        ({"scale": "1"}, "scale must be a finite number"),
    ],
)
def test_attention_refuses(rng, wrong, said):
    names = ("query", "key", "value", "grad_output")
    inputs = dict(zip(names, draw(rng), strict=True)) | wrong
    with pytest.raises(ValueError, match=rf"attention_vjp: .*{said}"):
        attention_vjp(**inputs)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([1.0], [1.0, 2.0]), r"same shape, got weights \(1,\) and .* \(2,\)"),
        (([1.0], [1.0], 1), r"no axis 1, got weights \(1,\)"),
        (([1.0], [1.0], 0.5), "axis must be an integer"),
        (([True], [1.0]), "real numbers"),
    ],
)
def test_softmax_refuses(arguments, said):
    with pytest.raises(ValueError, match=f"softmax_vjp: .*{said}"):
        softmax_vjp(*arguments)
