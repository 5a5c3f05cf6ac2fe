"""The pictures of the one-minute puzzles say what they show."""

import numpy as np

from attncourse.figures.puzzles import still
from attnlib.heads import split_heads


def test_the_line_names_every_point():
    picture = still.beside_the_line([[4, 0], [0, 4]], [1, 3], [[2, 1.5]])
    assert picture.alt == (
        "The values (4, 0), (0, 4) lie on one line, and so does every mixture of them, "
        "such as (1, 3). The printed (2, 1.5) lie beside it."
    )
    assert "[2, 1.5]" in picture.svg


def test_cut_rightly_is_what_attnlib_cuts():
    words = ["a", "b", "c"]
    owner = np.repeat(np.arange(3.0), 6).reshape(3, 6)
    alt = still.two_ways_to_cut(words, n_heads=2, width=6).alt
    for h, head in enumerate(split_heads(owner, 2), 1):
        rows = ", ".join(words[int(i)] for i in head[:, 0])
        assert f"head {h}, moved: {rows}" in alt
    assert "head 1, reshaped: a, a, b" in alt
    assert "head 2, reshaped: b, c, c." in alt
