"""The figure of one step for many texts: counted by hand."""

import pytest

from attncourse.figures.many_readers import live
from attnlib import KVCache


def test_a_cache_costs_what_a_real_one_does():
    import numpy as np

    cache = KVCache()
    row = np.zeros((live.KV_HEADS, 3, live.HEAD_DIM), np.float16)
    cache.append(row, row)
    step = live.panel(texts=2, tokens=256).compute()
    assert step.caches / 2 / 256 * 3 == cache.n_bytes * live.LAYERS


def test_weights_are_those_of_the_matrices():
    d, width, columns, n_words = 4096, 14_336, 1024, 128_256
    layer = 2 * d * d + 2 * d * columns + 3 * d * width
    assert live.LAYERS * layer + d * n_words == live.WEIGHTS
    step = live.panel(texts=4, tokens=1024, bits=4).compute()
    assert step.weights == 2 * live.WEIGHTS
    pairs = 2 * 1024 * d * live.LAYERS  # a product for each score, one for each mix
    assert step.multiplications == 4 * (live.WEIGHTS + pairs)


def test_what_it_waits_for_is_said():
    assert "waits for memory" in repr(live.panel())
    assert "waits for multiplications" in repr(live.panel(1024, 256, 16, 150))


@pytest.mark.parametrize(
    "bad", [{"texts": 3}, {"tokens": 1000}, {"bits": 2}, {"balance": 5}]
)
def test_bad_input(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"many_readers: {name} must be"):
        live.panel(**bad)
