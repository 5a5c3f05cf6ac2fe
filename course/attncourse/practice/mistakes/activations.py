"""Mistakes with a cut at 0: what is written in its place."""

from __future__ import annotations

import numpy as np

ALONG = (
    "np.max(a, 0), which takes the largest along axis 0; np.maximum(a, 0) is another"
)


def gelu(x: np.ndarray) -> np.ndarray:
    """Compute GELU as it is approximated with tanh."""
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return x * (1 + np.tanh(inner)) / 2
