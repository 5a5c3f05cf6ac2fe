"""attention_gradient: what a change of the output asks of query, key and value."""

from __future__ import annotations

import numpy as np

from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import root_d_k
from attnlib.gradients import attention_vjp
from named_mistakes.cases import normal
from named_mistakes.exercise import Case, Exercise, Faded, Steps
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Take the cases of attention, each with a gradient of its output."""
    return [_with_gradient(rng, one) for one in plain.draw_ordinary(rng)]


def _with_gradient(rng: np.random.Generator, one: Case) -> Case:
    query, value = one.inputs["query"], one.inputs["value"]
    grad_output = normal(rng, *query.shape[:-1], value.shape[-1])
    more = {"is_large": one.is_large}
    return plain.case(one.label, **one.inputs, grad_output=grad_output, **more)


GRADIENT: Steps = {
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "weights": plain.ATTENTION["weights"],
    "grad_weights": lambda s: s.grad_output @ s.value.mT,
    "grad_scaled": lambda s: _through_softmax(s, -1),
    "grad_scores": lambda s: s.grad_scaled / root_d_k(s),
    "grad_query": lambda s: s.grad_scores @ s.key,
    "grad_key": lambda s: s.grad_scores.mT @ s.query,
    "grad_value": lambda s: s.weights.mT @ s.grad_output,
    "gradients": lambda s: (s.grad_query, s.grad_key, s.grad_value),
}


def _through_softmax(s, axis: int) -> np.ndarray:
    mean = np.sum(s.weights * s.grad_weights, axis=axis, keepdims=True)
    return s.weights * (s.grad_weights - mean)


def _summed_output(s) -> np.ndarray:
    return s.grad_output.sum(axis=-2, keepdims=True)


MISTAKES = read_beside(__file__, globals(), GRADIENT)
FADED = Faded(
    """
def my_filled(query, key, value, grad_output):
    root = np.sqrt(query.shape[-1])
    weights = softmax(query @ key.mT / root)
    grad_weights = ...
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)
    grad_scores = ...
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output
""",
    (
        (
            "grad_output @ value.mT",
            "what one weight does: it multiplies a row of value, so its gradient is a "
            "row of grad_output times that row, added up",
        ),
        (
            "weights * (grad_weights - mean) / root",
            "how a gradient goes back through softmax, less its mean and times the "
            "weights, and at the root, which divides here as it did before",
        ),
    ),
)

EXERCISES = (
    Exercise(
        "attention_gradient",
        attention_vjp,
        draw,
        GRADIENT,
        MISTAKES,
        signs=(overflow,),
        returns=("grad_query", "grad_key", "grad_value"),
        faded=FADED,
        patience=40,  # two forward passes for each number, in loops
    ),
)
