"""Lesson 14's live figure: its bytes are those of a real cache."""

import pytest

from attncourse.figures.cache_size import live
from attnlib import KVCache


def test_a_token_costs_what_a_cache_says_it_does():
    """The formula, against the bytes of a real cache of one layer in float16."""
    import numpy as np

    cache = KVCache()
    row = np.zeros((8, 3, live.HEAD_DIM), np.float16)  # heads, tokens, columns
    cache.append(row, row)
    size = live.panel(tokens=1024, heads=8).compute()
    assert size.per_token * 3 == cache.n_bytes * live.LAYERS


@pytest.mark.parametrize("bad", [{"tokens": 1000}, {"heads": 3}, {"window": "12"}])
def test_bad_input(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"cache_size: {name} must be one of"):
        live.panel(**bad)
