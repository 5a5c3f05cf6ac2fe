"""One known mistake: attention with one convention changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attncheck.model import Model, reach


class Sizes(NamedTuple):
    """The sizes of a run."""

    n_heads: int
    n_kv_heads: int
    n: int
    m: int
    d: int
    d_v: int


@dataclass(frozen=True)
class Mistake:
    """One convention changed.

    Attributes
    ----------
    code : str
    group : str
        Two mistakes of a group exclude each other.
    sentence : str
    change : function of a Model and Sizes
        Returns the changed model, or None where it makes no sense or no difference.
    alone : bool
        Too rare to be looked for together with another.
    few : bool
        Looked for in runs of few keys alone.
    """

    code: str
    group: str
    sentence: str
    change: Callable[[Model, Sizes], Model | None]
    alone: bool = False
    few: bool = False


def unless_same(model: Model, changed: Model, s: Sizes) -> Model | None:
    """Return the changed model, or None if the same keys are seen."""
    sides = zip(reach(s.n, s.m, model), reach(s.n, s.m, changed), strict=True)
    return None if all(np.array_equal(*both) for both in sides) else changed
