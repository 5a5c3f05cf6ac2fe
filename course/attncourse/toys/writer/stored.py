"""The trained writer as it is stored: a byte for each weight.

Each array is divided by a scale that makes its largest number 127, and rounded. What
is stored is what all uses of the writer compute with; `tools/train_writer.py` made it.
"""

from functools import cache
from pathlib import Path

import numpy as np

from .model import as_decoder

FILE = Path(__file__).with_name("weights.npz")


def store(params, losses, path=FILE):
    """Write parameters, rounded, and the loss before each step of their training."""
    scales = {name: _scale(array) for name, array in params.items()}
    rounded = {
        name: np.rint(array.astype(float) / scales[name]).astype(np.int8)
        for name, array in params.items()
    }
    with path.open("wb") as file:
        extra = {"scales": list(scales.values()), "losses": np.float32(losses)}
        np.savez_compressed(file, **rounded, **extra)


def _scale(array):
    return float(np.abs(array).max()) / 127


@cache
def bytes_and_scales(path=FILE):
    """Read what is stored: the arrays of int8 by name, and a scale for each."""
    with np.load(path, allow_pickle=False) as stored:
        names = [name for name in stored.files if name not in ("scales", "losses")]
        arrays = {name: stored[name] for name in names}
        return arrays, dict(zip(names, stored["scales"].tolist(), strict=True))


def stored_losses(path=FILE):
    """Return the loss before each step of the training, (N_STEPS,)."""
    with np.load(path, allow_pickle=False) as stored:
        return stored["losses"].astype(float)


@cache
def writer(path=FILE):
    """Return the trained writer, an `attnlib.Decoder` in float64."""
    return as_decoder(parameters(path))


def parameters(path=FILE):
    """Return the writer's parameters by name, in float64."""
    arrays, scales = bytes_and_scales(path)
    return {name: x * scales[name] for name, x in arrays.items()}
