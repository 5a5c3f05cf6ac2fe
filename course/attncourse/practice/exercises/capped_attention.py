"""capped_attention: causal attention whose scores are bent below a cap."""

from __future__ import annotations

from typing import Any

import numpy as np

from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises.masked_attention import soft
from attnlib import scaled_dot_product_attention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw texts whose scores reach the cap, alone, in heads and in batches."""
    n, d_k, d_v = (int(p) for p in rng.permutation([5, 7, 11]))
    counts = {"one text": (), "heads": (3,), "a batch of heads": (2, 3)}
    cases = [
        _case(rng, label, float(cap), (*batch, n), d_k, d_v)
        for (label, batch), cap in zip(counts.items(), (2, 3, 2), strict=True)
    ]
    return [*cases, _case(rng, "another cap", 5.0, (n,), d_k, d_v)]


def _case(rng, label: str, cap: float, rows: tuple[int, ...], d_k: int, d_v: int):
    arrays: dict[str, Any] = {
        "query": 3 * normal(rng, *rows, d_k),
        "key": normal(rng, *rows, d_k),
        "value": normal(rng, *rows, d_v),
    }
    return case(label, axes=3, **arrays, cap=cap)


def reference(query, key, value, cap):
    """Attnlib's own answer."""
    how = {"softcap": cap, "is_causal": True}
    return scaled_dot_product_attention(query, key, value, **how)


def _seen(s, more: int) -> np.ndarray:
    return np.tri(s.scaled.shape[-1], k=more, dtype=bool)


def _causal(s, scores: np.ndarray) -> np.ndarray:
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)


CAPPED: Steps = {
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "capped": lambda s: s.cap * np.tanh(s.scaled / s.cap),
    "hidden": lambda s: _causal(s, s.capped),
    "weights": lambda s: soft(s.hidden),
    "output": plain.ATTENTION["output"],
}


def _bent(s, x: np.ndarray) -> np.ndarray:
    return s.cap * np.tanh(x / s.cap)


MISTAKES = read_beside(__file__, globals(), CAPPED)

EXERCISES = (Exercise("capped_attention", reference, draw, CAPPED, MISTAKES),)
