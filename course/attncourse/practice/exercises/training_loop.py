"""training_loop: steps downhill on the loss of the next word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib.attention import scaled_dot_product_attention
from attnlib.probabilities import softmax


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
    "error": lambda s: _error,
    "length": lambda s: -s.learning_rate,
    "result": lambda s: _descend(s),
}


def _error(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Differentiate the sum of −log p of the targets with respect to the logits."""
    return softmax(logits) - np.eye(logits.shape[-1])[targets]


def _descend(s, n_steps: int | None = None, *, stale: bool = False) -> np.ndarray:
    w, first = s.w_output, s.w_output
    for _ in range(s.n_steps if n_steps is None else n_steps):
        error = s.error(s.asked @ (first if stale else w), s.targets)
        w = w + s.length * s.share * s.asked.T @ error
    return w


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
        error = _error(asked @ w_output, token_ids[1:]) / len(asked)
        w_output = w_output - learning_rate * asked.T @ error
    return w_output


def _along_places(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    return softmax(logits, 0) - np.eye(logits.shape[-1])[targets]


def _over_all(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    chances = softmax(logits.reshape(-1)).reshape(logits.shape)
    return chances - np.eye(logits.shape[-1])[targets]


SHIFT = "which token row i is about: the one that comes next"
MEAN = "the loss: the mean over all places that have a next token"
LOOP = "what changes from one step to the next: the weights, and so the gradient"

WAYS = {
    "heads": {
        "mask-forgotten": (
            "whom a row may look at: with the text's own future in view, it can cheat",
            (
                "attention without a causal mask",
                lambda s: scaled_dot_product_attention(s.x, s.x, s.x),
            ),
        ),
        "attention-forgotten": (
            "what the logits are made from: what attention puts out",
            ("using x where the output of attention was expected", lambda s: s.x),
        ),
    },
    "targets": {
        "targets-not-shifted": (
            SHIFT,
            ("comparing each place with its own token", lambda s: s.token_ids[:-1]),
        ),
    },
    "share": {
        "gradient-not-averaged": (
            MEAN,
            ("adding the gradients up where their mean was expected", lambda s: 1.0),
        ),
        "averaged-over-everything": (
            MEAN,
            (
                "dividing by the number of logits",
                lambda s: 1 / (len(s.targets) * s.w_output.shape[1]),
            ),
            (
                "dividing by the number of tokens, the last included",
                lambda s: 1 / len(s.token_ids),
            ),
        ),
    },
    "error": {
        "wrong-axis": (
            "the axis of softmax: one place shares 1 among the words",
            ("a softmax along axis 0", _along_places),
            ("one softmax over all places", _over_all),
        ),
        "softmax-missing": (
            "the gradient of the loss: probabilities, less 1 at the target",
            (
                "logits in place of probabilities",
                lambda logits, at: logits - np.eye(logits.shape[-1])[at],
            ),
        ),
        "target-not-subtracted": (
            "the gradient of the loss: probabilities, less 1 at the target",
            ("probabilities alone", lambda logits, at: softmax(logits)),
        ),
    },
    "length": {
        "uphill": (
            "the sign of a step: the gradient points to where the loss rises",
            ("adding the gradient", lambda s: s.learning_rate),
        ),
        "learning-rate-ignored": (
            "where `learning_rate` is used",
            ("steps as long as the gradient", lambda s: -1.0),
        ),
    },
    "result": {
        "gradient-computed-once": (
            LOOP,
            (
                "taking every step with the first gradient",
                lambda s: _descend(s, stale=True),
            ),
        ),
        "wrong-number-of-steps": (
            "how often the loop runs",
            ("one step", lambda s: _descend(s, 1)),
            ("one step too many", lambda s: _descend(s, s.n_steps + 1)),
            ("one step too few", lambda s: _descend(s, s.n_steps - 1)),
        ),
    },
}
AS_STEP = {"error": lambda way: lambda s: way}
MISTAKES = tuple(
    one
    for step, ways in WAYS.items()
    for one in mistakes_in(step, ways, AS_STEP.get(step, lambda way: way))
)
BOTH = {
    "targets-not-shifted": (
        SHIFT,
        ("comparing all places with their own tokens", lambda s: s.token_ids),
    ),
    "wraps-around": (
        "the last place: nothing comes after it, so nothing is asked there",
        (
            "asking the last place for the first token",
            lambda s: np.roll(s.token_ids, -1),
        ),
    ),
}
MISTAKES += tuple(
    replace(one, steps={**one.steps, "asked": lambda s: s.heads})
    for one in mistakes_in("targets", BOTH)
)

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
