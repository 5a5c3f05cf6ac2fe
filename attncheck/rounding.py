"""What rounding alone may do to an output."""

import numpy as np

from attncheck.formats import FORMATS, Format
from attncheck.model import Attended


def shares(
    output: np.ndarray, found: Attended, fmt: Format, most: float = np.inf
) -> np.ndarray:
    """Return |output − expected| as a share of what rounding may do."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(output - found.output)
        share = off / tolerance(found, fmt, most)
    same = np.isnan(output) & np.isnan(found.output)
    same |= np.isinf(output) & (output == found.output)
    return np.where(same, 0.0, np.where(np.isfinite(share), share, np.inf))


def tolerance(found: Attended, fmt: Format, most: float = np.inf) -> np.ndarray:
    """Bound what rounding alone may do to an output.

    A score whose terms have the size s may be wrong by eps · s, and so its weight by
    that share; a weight is rounded once or twice, and so is the output. Sums are kept
    in float32 at least: those of scores, those over m keys, and those of blocks that
    are merged, which may be as large as the values though the output is small.
    """
    m, fine = found.weights.shape[-1], min(fmt.eps, FORMATS["float32"].eps)
    largest = np.abs(found.value).max(initial=0)
    sums = fine * (2 * found.terms + m**0.5)
    share = np.minimum(fmt.eps * (4 + 2 * found.terms) + sums, most)
    least = max(1e-2 * fmt.eps, 2 * fine) * largest + fmt.smallest * fmt.eps + 1e-300
    return np.asarray(share * found.spread + least)
