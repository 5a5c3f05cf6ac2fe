"""A dropped run is read under what its reader says was meant."""

import base64

import numpy as np
import pytest

from attncourse.shipped.dropped import answer
from attnlib import scaled_dot_product_attention


@pytest.mark.parametrize(
    ("n_queries", "sees", "offset", "window"),
    [
        (24, "start", 0, 0),
        (5, "start", 0, 3),
        (5, "end", 19, 0),
        (5, "end", 19, 3),
        (31, "end", -7, 0),
    ],
)
def test_a_right_run_is_right_under_what_was_meant(
    tmp_path, rng, n_queries, sees, offset, window
):
    query = rng.standard_normal((1, 2, n_queries, 16)).astype(np.float32)
    key, value = rng.standard_normal((2, 1, 2, 24, 16)).astype(np.float32)
    how = {"is_causal": True, "query_offset": offset}
    how |= {"window": (window - 1, 0)} if window else {}
    output = scaled_dot_product_attention(query, key, value, **how)
    path = tmp_path / "run.npz"
    np.savez(path, query=query, key=key, value=value, output=output)
    data = base64.b64encode(path.read_bytes()).decode()
    assert "as expected" in answer("run.npz", data, sees, window)
    assert "as expected" not in answer("run.npz", data)
