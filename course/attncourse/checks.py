"""Input checks of the course: each error names what was wrong and what was received."""

import math
import numbers
import operator

import numpy as np


def require(condition, operation, rule, **received):
    """Raise a ValueError that names the operation, the rule and what was received."""
    if not condition:
        got = " and ".join(f"{name} {_shown(x)}" for name, x in received.items())
        raise ValueError(f"{operation}: {rule}, got {got}")


def _shown(x):
    return str(tuple(x.shape)) if hasattr(x, "shape") else repr(x)


def check_integer(operation, name, value):
    """Return an integer; NumPy's are fine, booleans are not."""
    whole = hasattr(value, "__index__") and type(value) not in (bool, np.bool_)
    require(whole, operation, f"{name} must be an integer", **{name: value})
    return operator.index(value)


def check_number(operation, name, value):
    """Return a finite real number as a float."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    finite = real and math.isfinite(value)
    require(finite, operation, f"{name} must be a finite number", **{name: value})
    return float(value)
