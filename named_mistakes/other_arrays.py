"""Convert arrays of other libraries, none of which has to be installed."""

from __future__ import annotations

from typing import Any

import numpy as np


def to_numpy(x: Any) -> np.ndarray:
    """Convert lists, and arrays of PyTorch, JAX or CuPy, to NumPy."""
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        x = x.detach().cpu()
        x = x.float() if "bfloat16" in str(x.dtype) else x
    return np.asarray(x.get() if library == "cupy" else x)
