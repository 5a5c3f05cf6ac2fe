"""next_token_loss: how unexpected each next token of a text was, on average."""

from __future__ import annotations

import numpy as np

from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.probabilities import cross_entropy
from named_mistakes.cases import case, large, normal
from named_mistakes.exercise import Case, Exercise
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """One text and several, each with a score for every symbol at every place."""
    n, v, batch = (int(p) for p in rng.permutation([3, 5, 7]))
    shapes = {
        "a text": ((n,), v),
        "a long text": ((11,), v),
        "as many tokens as symbols": ((v,), v),
        "a batch of texts": ((batch, n), v),
        "a batch of squares": ((3, 3), 3),
    }
    cases = [
        case(
            label,
            axes=2,
            logits=2 * normal(rng, *text, size),
            token_ids=_ids(rng, text, size),
        )
        for label, (text, size) in shapes.items()
    ]
    scores, ids = 30 * large(rng, 5, 7), _ids(rng, (5,), 7)
    ids[1] = scores[0].argmin()  # whose probability is stored as 0
    return [*cases, case("large", is_large=True, axes=2, logits=scores, token_ids=ids)]


def _ids(rng: np.random.Generator, text: tuple, size: int) -> np.ndarray:
    return rng.integers(0, size, text, np.intp)


def next_token_loss(logits: np.ndarray, token_ids: np.ndarray) -> np.ndarray:
    """Average −log softmax(logits)[next id]; the last place has no next."""
    return cross_entropy(logits[..., :-1, :], token_ids[..., 1:]).mean()


def _logs(x: np.ndarray, axis: int | tuple[int, ...] = -1) -> np.ndarray:
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _picked(s, logs: np.ndarray) -> np.ndarray:
    return np.take_along_axis(logs, s.targets[..., None], axis=-1)[..., 0]


def _mean(x: np.ndarray) -> float:
    return x.sum() / max(x.size, 1)


RECIPE = {
    "seen": lambda s: s.logits[..., :-1, :],
    "targets": lambda s: s.token_ids[..., 1:],
    "logs": lambda s: _logs(s.seen),
    "each": lambda s: -_picked(s, s.logs),
    "loss": lambda s: s.each.mean(),
}

AXIS = "the axis of softmax: one place shares 1 among the symbols"


MISTAKES = read_beside(__file__, globals(), RECIPE)

EXERCISES = (
    Exercise(
        "next_token_loss",
        next_token_loss,
        draw,
        RECIPE,
        MISTAKES,
        signs=(overflow,),
        returns=("loss",),
    ),
)
