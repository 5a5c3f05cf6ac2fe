"""Mistakes on the way down a loss: masks, shifts, means, signs, steps."""

from __future__ import annotations

import numpy as np

from attnlib.probabilities import cross_entropy, softmax
from named_mistakes.table import read_beside


def error(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Differentiate the sum of −log p of the targets with respect to the logits."""
    return softmax(logits) - np.eye(logits.shape[-1])[targets]


def descend(s, n_steps: int | None = None, *, stale: bool = False) -> np.ndarray:
    """Take the steps; if stale, each with the gradient at the first weights."""
    w, first = s.w_output, s.w_output
    for _ in range(s.n_steps if n_steps is None else n_steps):
        gap = s.error(s.asked @ (first if stale else w), s.targets)
        w = w + s.length * s.share * s.asked.T @ gap
    return w


def _root(s) -> float:
    return s.x.shape[-1] ** 0.5


def _by_steps(s, how, *, half: bool = False) -> np.ndarray:
    """Take the steps, with another gradient or another length in each."""
    w, old = s.w_output, 0.0 * s.w_output
    for i in range(s.n_steps):
        gradient = s.asked.T @ s.error(s.asked @ w, s.targets) * s.share
        step, length = how(gradient, i, old)
        w = w + s.length * length * ((step + old) / 2 if half and i else step)
        old = step
    return w


def _summed(s, wanted: str) -> np.ndarray:
    """Return a gradient, or a change, in place of the weights."""
    gap = s.error(s.asked @ s.w_output, s.targets) * s.share
    return {
        "gradient": s.asked.T @ gap,
        "change": descend(s) - s.w_output,
        "logits": s.asked @ descend(s),
        "first": s.w_output,
        "loss": np.mean(cross_entropy(s.asked @ descend(s, s.n_steps - 1), s.targets)),
    }[wanted]


def _along_places(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    return softmax(logits, 0) - np.eye(logits.shape[-1])[targets]


def _from_all_places(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    gap = softmax(logits)
    gap[:, targets] -= 1
    return gap


def _over_all(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    chances = softmax(logits.reshape(-1)).reshape(logits.shape)
    return chances - np.eye(logits.shape[-1])[targets]


def _with_last(heads: np.ndarray) -> np.ndarray:
    """Add a row for the last token, which is asked for nothing."""
    return np.concatenate([heads, heads[-1:]])


MISTAKES = read_beside(__file__, globals())
