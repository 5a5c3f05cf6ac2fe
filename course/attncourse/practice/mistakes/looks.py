"""Helpers of several exercises' tables: words, sums, lengths, norms, cuts, a mask."""

import numpy as np

from named_mistakes.exercise import Mistake, Truth
from named_mistakes.table import read

# Words for where to look that several tables share: at transposed weights.

SIDE = "which axis of a weight matrix belongs to the numbers that come in: its rows"
QUERIES = "which axis of the weights counts the queries: there is a row for each"


def sum_cut_short(step: str, left: str, right: str, what: str) -> tuple[Mistake, ...]:
    """Make the mistakes of a step that adds up products of two arrays, and not all."""
    table = f"""
{step} | sum-cut-short | where what is added up begins and ends, and what is kept of it
    leaving out the last {what} = {left}[..., :-1] @ {right}[..., :-1, :]
    leaving out the first {what} = {left}[..., 1:] @ {right}[..., 1:, :]
    keeping the last {what} alone, as = would in place of += =
        {left}[..., -1:] @ {right}[..., -1:, :]
    keeping the first {what} alone, as a return inside a loop would =
        {left}[..., :1] @ {right}[..., :1, :]
"""
    return read(table, {}, file=__file__)


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
