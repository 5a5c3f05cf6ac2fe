"""A plugin of pytest: what tests compare with NumPy is brought to the host first.

CuPy and PyTorch refuse `np.asarray` of an array on a GPU, as they should. In the
modules of tests, and nowhere else, `np` is a NumPy that copies such arrays itself.
"""

from __future__ import annotations

import functools
import sys
import types
from pathlib import Path

import numpy as np


def home(x):
    """Copy an array of any library, and those in a list or tuple, to NumPy."""
    if isinstance(x, list | tuple):
        return type(x)(map(home, x)) if type(x) in (list, tuple) else x
    if hasattr(x, "detach"):
        return x.detach().cpu().numpy()
    return x.get() if type(x).__module__.startswith("cupy") else x


def brought(function):
    """Bring the arguments of a function to the host."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        kwargs = {name: home(x) for name, x in kwargs.items()}
        return function(*map(home, args), **kwargs)

    return call


def numpy_for_tests():
    """Return NumPy with the functions that tests bring results to."""
    numpy = types.ModuleType("numpy")
    numpy.__dict__.update(np.__dict__)
    names = [name for name in np.testing.__all__ if name.startswith("assert_")]
    testing = {name: brought(getattr(np.testing, name)) for name in names}
    numpy.testing = types.SimpleNamespace(**testing)
    for name in ("asarray", "array_equal", "allclose", "isnan", "all", "any"):
        setattr(numpy, name, brought(getattr(np, name)))
    return numpy


def pytest_collection_modifyitems(items):
    """Give the modules of attnlib's tests, and what they import, that NumPy."""
    numpy = numpy_for_tests()
    for module in [*sys.modules.values()]:
        here = str(Path(getattr(module, "__file__", None) or "").parent)
        if here.endswith("tests/attnlib") and getattr(module, "np", None) is np:
            module.np = numpy
