"""What several exercises' tables share: words, lengths, norms, activations, a mask."""

import numpy as np

from named_mistakes.exercise import Truth

# Words for where to look that several tables share: at sums, at transposed weights.

SUMMED = "where what is added up begins and ends, and what is kept of it"
SIDE = "which axis of a weight matrix belongs to the numbers that come in: its rows"
QUERIES = "which axis of the weights counts the queries: there is a row for each"


def unit(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Give vectors the length 1."""
    return x / np.linalg.norm(x, axis=axis, keepdims=True)


def normalized(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """Bring rows to mean 0 and variance 1, with an ε of 1e-5."""
    centered = x - x.mean(axis=axis, keepdims=True)
    return centered / np.sqrt(x.var(axis=axis, keepdims=True) + 1e-5)


# Mistakes with a cut at 0: what is written in its place.

ALONG = (
    "np.max(a, 0), which takes the largest along axis 0; np.maximum(a, 0) is another"
)


def gelu(x: np.ndarray) -> np.ndarray:
    """Compute GELU as it is approximated with tanh."""
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return x * (1 + np.tanh(inner)) / 2


# Masks as answers: which pairs numbers allow, and what to say of numbers.


def allowed(mask: np.ndarray) -> np.ndarray:
    """Read a mask of numbers: 0 and −∞ if it is to be added, else 1 and 0."""
    is_added = mask.dtype.kind == "f" and not np.any(mask > 0)
    return mask > -np.inf if is_added else mask != 0


MASK = Truth(
    allowed, "A mask of numbers means something else: it is added to the scores."
)
