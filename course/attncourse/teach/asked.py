"""Inputs to judge answers by: drawn once for a class, before any answer runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attncourse.practice.catalogue import EXERCISES, named
from attncourse.teach.worker import encoded
from named_mistakes.exercise import Case


@dataclass(frozen=True)
class Asked:
    """The inputs of one exercise, and the same as they are sent: as JSON holds them."""

    cases: tuple[Case, ...]
    sent: list[dict[str, Any]]


def drawn(names: Iterable[str]) -> dict[str, Asked]:
    """Draw inputs for exercises, from a seed that nobody knows.

    Whoever grades in several threads draws here, before the first of them begins: what
    is sent to an answer and what it is judged by are then one thing.

    Parameters
    ----------
    names : iterable of str
        What is no exercise gets no inputs.
    """
    rng = np.random.default_rng()
    return {
        name: _asked(tuple(named(name).draw(rng)))
        for name in dict.fromkeys(names)
        if name in EXERCISES
    }


def _asked(cases: tuple[Case, ...]) -> Asked:
    sent = [
        {
            "label": case.label,
            "is_large": case.is_large,
            "inputs": {k: encoded(x) for k, x in case.inputs.items()},
        }
        for case in cases
    ]
    return Asked(cases, sent)
