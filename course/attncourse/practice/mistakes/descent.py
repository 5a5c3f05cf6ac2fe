"""What goes wrong on the way down a loss: masks, shifts, means, signs, steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.mistakes.tables import mistakes_in
from attnlib.attention import scaled_dot_product_attention
from attnlib.probabilities import softmax


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
                lambda s: descend(s, stale=True),
            ),
        ),
        "wrong-number-of-steps": (
            "how often the loop runs",
            ("one step", lambda s: descend(s, 1)),
            ("one step too many", lambda s: descend(s, s.n_steps + 1)),
            ("one step too few", lambda s: descend(s, s.n_steps - 1)),
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
