"""Fixtures of the unit tests."""

import importlib
import os

import numpy as np
import pytest

from tests.attnlib import shapes

ENFORCED = shapes.enforce()
LIBRARIES = os.environ.get("ATTNLIB_ARRAYS", "numpy array_api_strict").split()


@pytest.fixture(params=LIBRARIES)
def xp(request):
    """NumPy, and the library that has the array API standard and nothing else.

    ATTNLIB_ARRAYS names others: `make gpu` has modules of this kind in `tests/gpu`.
    """
    return importlib.import_module(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(20170612)
