"""The gradients of attention, a block of queries at a time."""

import tracemalloc

import numpy as np
import pytest

from attnlib import attention_vjp, blockwise_attention
from tests.attnlib.keywords import CASES, N_QUERIES, draw

SIZES = {name: (how, 2) for name, how in CASES.items()}
SIZES |= {f"all, {size}": (CASES["all"], size) for size in (1, 4, 7)}


@pytest.mark.parametrize(("how", "block_size"), SIZES.values(), ids=SIZES)
def test_equal_to_all_at_once(xp, rng, how, block_size):
    arrays = [*draw(rng, **how), rng.normal(size=(6, N_QUERIES, 3))]
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
