"""Fixtures of the unit tests."""

import importlib

import numpy as np
import pytest

from tests.attnlib import shapes

ENFORCED = shapes.enforce()


@pytest.fixture(params=["numpy", "array_api_strict"])
def xp(request):
    """NumPy, and the library that has the array API standard and nothing else."""
    return importlib.import_module(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(20170612)
