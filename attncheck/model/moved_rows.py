"""Outputs whose rows are moved to another place: which queries a few of them need."""

from __future__ import annotations

import numpy as np

from attncheck.model.moves import GIVES


def sources(gives: str, n_heads: int, n: int) -> np.ndarray:
    """Return where each row of the output comes from: head · n + query, (h, n)."""
    places = np.arange(n_heads * n).reshape(n_heads, n, 1)
    return GIVES[gives](places)[..., 0]


def give_rows(gives: str, output: np.ndarray, n: int, rows: np.ndarray) -> np.ndarray:
    """Move the outputs of some queries to their places among n; elsewhere is NaN."""
    *before, _, d = output.shape
    whole = np.full((*before, n, d), np.nan)
    whole[..., rows, :] = output
    return GIVES[gives](whole)
