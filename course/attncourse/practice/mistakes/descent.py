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
            (
                "attention without a causal mask, among all tokens but the last",
                lambda s: _with_last(
                    scaled_dot_product_attention(*[s.x[:-1]] * 3),
                ),
            ),
        ),
        "mask-after-softmax": (
            "the step at which the mask comes in: softmax should share among the rest",
            (
                "setting weights to 0 after softmax",
                lambda s: np.tril(softmax(s.x @ s.x.T / _root(s))) @ s.x,
            ),
        ),
        "hides-itself": (
            "whom a row may look at: its own token, and all that come before it",
            (
                "hiding each token from itself",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, mask=np.tri(len(s.x), k=-1, dtype=bool)
                ),
            ),
        ),
        "looks-ahead": (
            "whom a row may look at: its own token, and all that come before it",
            (
                "a mask the wrong way round",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, mask=np.tri(len(s.x), dtype=bool).T
                ),
            ),
            (
                "hiding what should be seen and showing what should be hidden",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, mask=~np.tri(len(s.x), dtype=bool)
                ),
            ),
            (
                "a mask that lets each token see one ahead",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, mask=np.tri(len(s.x), k=1, dtype=bool)
                ),
            ),
        ),
        "score-zero-instead-of-minus-infinity": (
            "the weight that a hidden score still gets: whose exponential is 0?",
            (
                "giving hidden pairs a score of 0",
                lambda s: softmax(np.tril(s.x @ s.x.T / _root(s))) @ s.x,
            ),
        ),
        "missing-scale": (
            "what the scores are divided by",
            (
                "leaving the scores unscaled",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, is_causal=True, scale=1.0
                ),
            ),
        ),
        "scaled-by-d_k": (
            "what the scores are divided by",
            (
                "dividing by d_model itself",
                lambda s: scaled_dot_product_attention(
                    s.x, s.x, s.x, is_causal=True, scale=1 / s.x.shape[-1]
                ),
            ),
        ),
        "attention-forgotten": (
            "what the logits are made from: what attention puts out",
            ("using x where the output of attention was expected", lambda s: s.x),
        ),
    },
    "asked": {
        "targets-not-shifted": (
            SHIFT,
            ("leaving out the first row, not the last", lambda s: s.heads[1:]),
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
            (
                "taking 1 from the columns of all targets, at every place",
                _from_all_places,
            ),
            (
                "adding 1 at the target",
                lambda logits, at: softmax(logits) + np.eye(logits.shape[-1])[at],
            ),
            (
                "probabilities at the target alone",
                lambda logits, at: error(logits, at) * np.eye(logits.shape[-1])[at],
            ),
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
        "learning-rate-changed": (
            "how long a step is: the learning rate times the gradient",
            (
                "dividing by the learning rate",
                lambda s: -1 / s.learning_rate,
            ),
            (
                "dividing the learning rate by the number of steps",
                lambda s: -s.learning_rate / s.n_steps,
            ),
            (
                "using the learning rate twice",
                lambda s: -(s.learning_rate**2),
            ),
            ("steps of twice the length", lambda s: -2 * s.learning_rate),
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
        "gradients-collected": (
            LOOP,
            (
                "steps along the sum of all gradients so far",
                lambda s: _by_steps(s, lambda g, i, old: (g + old, 1.0)),
            ),
            (
                "steps along the mean of a gradient and the one before",
                lambda s: _by_steps(s, lambda g, i, old: (g, 1.0), half=True),
            ),
        ),
        "learning-rate-changed": (
            "how long a step is: the learning rate times the gradient, in every step",
            *(
                (
                    f"a learning rate that becomes {rate:g} of itself in each step",
                    lambda s, rate=rate: _by_steps(s, lambda g, i, old: (g, rate**i)),
                )
                for rate in (0.5, 0.9, 0.95)
            ),
            (
                "a learning rate divided by the number of the step",
                lambda s: _by_steps(s, lambda g, i, old: (g, 1 / (i + 1))),
            ),
            (
                "gradients that are brought to length 1",
                lambda s: _by_steps(s, lambda g, i, old: (g / np.linalg.norm(g), 1.0)),
            ),
        ),
        "weights-not-returned": (
            "what is returned: the weights after all steps",
            ("returning the gradient", lambda s: _summed(s, "gradient")),
            ("returning the change of the weights", lambda s: _summed(s, "change")),
            ("returning the logits", lambda s: _summed(s, "logits")),
            ("returning the weights as they were", lambda s: _summed(s, "first")),
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
