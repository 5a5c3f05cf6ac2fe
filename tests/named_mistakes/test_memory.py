"""Memory that a call holds at once."""

import tracemalloc

import numpy as np

from named_mistakes.limit import memory


def test_the_most_that_was_held_is_measured_and_tracing_left_as_it_was():
    with memory() as held:
        np.zeros(100_000)  # gone at once, and counted
        kept = np.zeros(1000)
    assert 800_000 <= held() < 900_000
    assert not tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        with memory() as held:
            kept = np.zeros(1000)
        assert kept.nbytes <= held() < 100_000
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()
