"""Measure how much memory a learner's function holds at once.

Python counts what it and NumPy allocate if it is asked to, wherever a notebook runs.
Memory that other array libraries allocate for themselves is not seen.
"""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def memory() -> Iterator[Callable[[], int]]:
    """Count the bytes that are held while a block runs.

    Yields
    ------
    held : function
        Called after the block, it gives the most bytes that were held at once,
        beyond those held before it.
    """
    is_ours = not tracemalloc.is_tracing()
    if is_ours:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before, most = tracemalloc.get_traced_memory()[0], 0
    try:
        yield lambda: most
    finally:
        most = max(tracemalloc.get_traced_memory()[1] - before, 0)
        if is_ours:
            tracemalloc.stop()
