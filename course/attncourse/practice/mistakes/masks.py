"""Masks as answers: which pairs numbers allow, and what to say of numbers."""

import numpy as np

from named_mistakes.exercise import Truth


def allowed(mask: np.ndarray) -> np.ndarray:
    """Read a mask of numbers: 0 and −∞ if it is to be added, else 1 and 0."""
    is_added = mask.dtype.kind == "f" and not np.any(mask > 0)
    return mask > -np.inf if is_added else mask != 0


MASK = Truth(
    allowed, "A mask of numbers means something else: it is added to the scores."
)
