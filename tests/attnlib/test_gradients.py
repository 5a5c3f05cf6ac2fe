""""""

import tracemalloc
from functools import partial

import numpy as np
import pytest

from attnlib import (
    attention_vjp,
    blockwise_attention,
    scaled_dot_product_attention,
    softmax,
    softmax_vjp,
)
from tests.attnlib.differences import by_differences, relative_error
from tests.attnlib.keywords import BATCHES, CASES, MASK, N_QUERIES, QKV
from tests.attnlib.keywords import draw as gradients_by_blocks_draw


@pytest.mark.parametrize("axis", [-1, 0, 1, 2])
def test_softmax_against_differences(xp, rng, axis):
    scores, grad = rng.standard_normal((2, 3, 5, 7))
    (slopes,) = by_differences(lambda s: softmax(s, axis=axis), [scores], grad)
    weights = xp.asarray(softmax(scores, axis=axis))
    found = softmax_vjp(weights, xp.asarray(grad), axis=axis)
    assert relative_error(found, slopes) < 1e-6


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
    ],
)
def test_softmax_refuses(arguments, said):
    with pytest.raises(ValueError, match=f"softmax_vjp: .*{said}"):
        softmax_vjp(*arguments)


SIZES = {name: (how, 2) for name, how in CASES.items()}
SIZES |= {f"all, {size}": (CASES["all"], size) for size in (1, 4, 7)}


@pytest.mark.parametrize(("how", "block_size"), SIZES.values(), ids=SIZES)
def test_equal_to_all_at_once(xp, rng, how, block_size):
    arrays = [*gradients_by_blocks_draw(rng, **how), rng.normal(size=(6, N_QUERIES, 3))]
    expected = attention_vjp(*arrays, **how)
    given = [xp.asarray(a) for a in arrays]
    found = attention_vjp(*given, **how, block_size=block_size)
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-11, atol=1e-13)


def test_inputs_are_left_as_they_were(rng):
    arrays = [rng.normal(size=(5, 3)) for _ in range(4)]
    for a in arrays:
        a.flags.writeable = False
    found = attention_vjp(*arrays, block_size=2)
    assert not any(np.shares_memory(x, y) for x in found for y in arrays)


def test_batches_broadcast_by_blocks(rng):
    shapes = [(2, 1, 5, 3), (3, 7, 3), (7, 4), (2, 3, 5, 4)]
    arrays = [rng.normal(size=shape) for shape in shapes]
    found = attention_vjp(*arrays, block_size=2)
    assert [g.shape for g in found] == shapes[:3]
    for got, wanted in zip(found, attention_vjp(*arrays), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-13)


def peak(n, block_size, **how):
    x = np.ones((n, 2), np.float32)
    tracemalloc.start()
    attention_vjp(x, x, x, x, block_size=block_size, **how)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_memory_grows_with_the_block_and_not_with_the_square():
    whole, in_blocks = peak(2048, 2048), peak(2048, 64)
    assert whole > 4 * 2048**2  # in bytes: one table of float32, and more
    assert in_blocks < whole / 16
    assert peak(4096, 64) < 2.5 * in_blocks
    assert peak(4096, 64, window=(63, 0)) < 4 * 2 * 4096 * 16


def test_a_block_size_is_kept_to_where_all_at_once_would_do():
    assert peak(90, 4) < peak(90, None) / 2  # 8,100 scores are few


@pytest.mark.parametrize("block_size", [0, -1, 2.0, True, "2"])
def test_block_size_must_be_a_count(block_size):
    x = np.ones((3, 5))
    message = r"^attention_vjp: block_size must be an integer of at least 1, got"
    with pytest.raises(ValueError, match=message):
        attention_vjp(x, x, x, x, block_size=block_size)


def test_memory_is_a_few_times_that_of_the_way_forward(rng):
    """As the docstring says: two to four times, what is returned left aside."""
    x, block_size = rng.normal(size=(2048, 16)).astype(np.float32), 256
    found = []
    for function, inputs in ((blockwise_attention, 3), (attention_vjp, 4)):
        function(*[x] * inputs, block_size=block_size)
        tracemalloc.start()
        result = function(*[x] * inputs, block_size=block_size)
        found.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        found[-1] -= sum(a.nbytes for a in result) if inputs == 4 else result.nbytes
    assert 1.5 < found[1] / found[0] < 4
