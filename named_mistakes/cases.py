"""Fresh inputs. Sizes are prime and differ, so that nothing fits by accident.

Some cases do the opposite: with equal sizes, a wrong transpose or swap still computes,
and the numbers reveal it.
"""

from typing import Any

import numpy as np

from named_mistakes.exercise import Case

PRIMES = (3, 5, 7, 11)
CUBE = (3, 3, 3)  # where even a transpose of all axes still computes


def sizes(rng: np.random.Generator, count: int) -> list[int]:
    """Choose different primes; no size is 2, which could pass for a pair or a batch."""
    return [int(p) for p in rng.permutation(PRIMES)[:count]]


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw numbers from a normal distribution of variance 1."""
    return rng.standard_normal(shape)


def large(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw whole numbers from 30 to 60 in size, exact even in short dtypes."""
    return rng.integers(30, 61, shape) * rng.choice([-1.0, 1.0], shape)


def case(label: str, *, is_large: bool = False, axes: int = 2, **inputs: Any) -> Case:
    """Make a case: a batch if its first input has more than `axes` axes."""
    is_batch = np.ndim(next(iter(inputs.values()))) > axes
    return Case(label, inputs, is_batch=is_batch, is_large=is_large)
