"""A scale that is a rule of sizes: 0.5/d_k, log(n_keys)/√d_k and their like."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from attncheck.guess.scales import rounder
from attncheck.model import Sizes

OF: dict[str, Callable[[Sizes], int]] = {
    "d_k": lambda s: s.d,
    "d_v": lambda s: s.d_v,
    "(d_k + d_v)": lambda s: s.d + s.d_v,
    "min(d_k, d_v)": lambda s: min(s.d, s.d_v),
    "n_keys": lambda s: s.m,
    "n_queries": lambda s: s.n,
    "n_heads": lambda s: s.n_heads,
    "n_key_heads": lambda s: s.n_kv_heads,
    "min(n_queries, n_keys)": lambda s: min(s.n, s.m),
    "min(d_k, 128)": lambda s: min(s.d, 128),
    "min(d_k, 64)": lambda s: min(s.d, 64),
}
POWERS = (-0.5, -1.0, 0.5, 1.0, -0.25)
LOG = math.inf  # stands for a logarithm among the powers


@dataclass(frozen=True)
class PerSize:
    """A power of sizes times a constant; a power of LOG is a logarithm."""

    c: float
    powers: dict[str, float] = field(default_factory=dict)

    def __call__(self, sizes: Sizes) -> float:
        """Return the scale for these sizes."""
        x = self.c
        for name, power in self.powers.items():
            size = OF[name](sizes)
            x *= math.log(max(size, 1)) if power == LOG else float(size) ** power
        return float(x)

    def __str__(self) -> str:
        above = [_power(name, p) for name, p in self.powers.items() if p > 0]
        below = [_power(name, -p) for name, p in self.powers.items() if p < 0]
        number = [f"{self.c:.4g}"] if self.c != 1 or not above else []
        return "/".join([" · ".join([*number, *above]), *below])


def _power(name: str, power: float) -> str:
    if power == LOG:
        return f"log({name})"
    return {0.5: f"√{name}", 0.25: f"∜{name}", 1.0: name}[power]


def _powers() -> list[dict[str, float]]:
    one = [{name: p} for name in OF for p in POWERS]
    two = [
        {"d_k": p, name: q}
        for p in (-0.5, -1.0)
        for name in list(OF)[1:]
        for q in (-0.5, -1.0, 0.5, 1.0, LOG)
    ]
    return [{}, *one, *two]


def scale_rule(found: dict[Sizes, float], near: float = 4e-5) -> PerSize | None:
    """Return the rule that gives the scale at all sizes it was found at."""
    for powers in _powers():
        rule = PerSize(1.0, powers)
        c = [x / (rule(s) or 1e-300) for s, x in found.items()]
        if np.ptp(c) < near * abs(np.mean(c)) + 1e-300:
            return PerSize(_rounded(float(np.median(c)), near / 2), powers)
    return None


def _rounded(x: float, near: float) -> float:
    return rounder(x, lambda y: abs(y / x - 1) < near)
