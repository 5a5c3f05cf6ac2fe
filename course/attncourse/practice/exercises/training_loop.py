"""training_loop: steps downhill on the loss of the next word."""

from __future__ import annotations

import numpy as np

from attncourse.practice.mistakes.descent import MISTAKES, descend, error
from attnlib.attention import scaled_dot_product_attention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw texts, weights and numbers of steps."""
    n, d, v = (int(p) for p in rng.permutation([5, 7, 11]))
    sizes = {
        "one step": (n, d, v, 0.5, 1),
        "three steps": (n, d, v, 0.7, 3),
        "a long text": (13, d, v, 0.3, 4),
        "as many tokens as words": (7, 5, 7, 0.5, 2),
        "all sizes equal": (5, 5, 5, 0.4, 3),
    }
    return [_case(rng, label, *five) for label, five in sizes.items()]


def _case(
    rng: np.random.Generator,
    label: str,
    n: int,
    d: int,
    v: int,
    rate: float,
    steps: int,
) -> Case:
    return case(
        label,
        axes=2,
        x=normal(rng, n, d),
        w_output=normal(rng, d, v),
        token_ids=rng.integers(0, v, n, np.intp),
        learning_rate=rate,
        n_steps=steps,
    )


# What is read, whom it is compared with, the weight of a place; then the descent.
TRAINING: Steps = {
    "heads": lambda s: scaled_dot_product_attention(s.x, s.x, s.x, is_causal=True),
    "asked": lambda s: s.heads[:-1],
    "targets": lambda s: s.token_ids[1:],
    "share": lambda s: 1 / len(s.targets),
    "error": lambda s: error,
    "length": lambda s: -s.learning_rate,
    "result": lambda s: descend(s),
}


def training_loop(
    x: np.ndarray,
    w_output: np.ndarray,
    token_ids: np.ndarray,
    learning_rate: float,
    n_steps: int,
) -> np.ndarray:
    """Take n_steps steps down the gradient of the mean loss; return w_output then."""
    asked = scaled_dot_product_attention(x, x, x, is_causal=True)[:-1]
    for _ in range(n_steps):
        gap = error(asked @ w_output, token_ids[1:]) / len(asked)
        w_output = w_output - learning_rate * asked.T @ gap
    return w_output


EXERCISES = (
    Exercise(
        "training_loop",
        training_loop,
        draw,
        TRAINING,
        MISTAKES,
        returns=("w_output",),
        patience=10,
    ),
)
