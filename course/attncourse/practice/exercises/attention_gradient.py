"""attention_gradient: what a change of the output asks of query, key and value."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from attncourse.practice.engine.cases import normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import root_d_k, scale_mistakes
from attnlib.gradients import attention_vjp


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


SOFTMAX = "the way back through softmax: a weight depends on every score of its row"
SCALE = "the way back through the scale: what was divided forwards is divided backwards"
PRODUCTS = "the products on the way back: what each array was multiplied by, transposed"
ORDER = "what is asked: the gradients of query, key and value, in this order"


def _summed_output(s) -> np.ndarray:
    return s.grad_output.sum(axis=-2, keepdims=True)


def _ordered(order: tuple[int, ...], sign: int = 1):
    return lambda s: tuple(
        sign * (s.grad_query, s.grad_key, s.grad_value)[i] for i in order
    )


MISTAKES = (
    *(
        mistake("softmax-jacobian-missing", cause, SOFTMAX, grad_scaled=step)
        for cause, step in (
            (
                "passing the gradient of the weights on to the scores",
                lambda s: s.grad_weights,
            ),
            (
                "multiplying by the weights and leaving it at that",
                lambda s: s.weights * s.grad_weights,
            ),
            (
                "using the diagonal of softmax's Jacobian alone",
                lambda s: s.weights * (1 - s.weights) * s.grad_weights,
            ),
        )
    ),
    *(
        mistake(
            "wrong-axis",
            f"a mean along axis {axis} on the way back through softmax",
            "the axis along which the weights add up to 1",
            grad_scaled=lambda s, axis=axis: _through_softmax(s, axis),
        )
        for axis in (-2, 0, 1)
    ),
    mistake(
        "unweighted-mean",
        "subtracting the plain mean on the way back through softmax",
        "the mean that is subtracted: each gradient counts with its weight",
        grad_scaled=lambda s: (
            s.weights * (s.grad_weights - s.grad_weights.mean(axis=-1, keepdims=True))
        ),
    ),
    mistake(
        "mean-instead-of-sum",
        "dividing the weighted mean by the number of keys",
        "the mean that is subtracted: weights add up to 1, so it is a sum already",
        grad_scaled=lambda s: (
            s.weights
            * (
                s.grad_weights
                - (s.weights * s.grad_weights).mean(axis=-1, keepdims=True)
            )
        ),
    ),
    *(
        mistake("scale-missing-in-gradient", cause, SCALE, **steps)
        for cause, steps in (
            (
                "gradients of query and key without the scale",
                {"grad_scores": lambda s: s.grad_scaled},
            ),
            (
                "a gradient of query without the scale",
                {"grad_query": lambda s: s.grad_scaled @ s.key},
            ),
            (
                "a gradient of key without the scale",
                {"grad_key": lambda s: s.grad_scaled.mT @ s.query},
            ),
        )
    ),
    *(
        mistake("softmax-jacobian-missing", cause, SOFTMAX, grad_scaled=step)
        for cause, step in (
            (
                "adding the weighted mean on the way back through softmax",
                lambda s: (
                    s.weights * s.grad_weights
                    + s.weights * np.sum(s.weights * s.grad_weights, -1, keepdims=True)
                ),
            ),
            (
                "subtracting the mean without multiplying by the weights",
                lambda s: (
                    s.grad_weights
                    - np.sum(s.weights * s.grad_weights, axis=-1, keepdims=True)
                ),
            ),
            (
                "subtracting the weighted mean without its weights",
                lambda s: (
                    s.weights * s.grad_weights
                    - np.sum(s.weights * s.grad_weights, axis=-1, keepdims=True)
                ),
            ),
            (
                "subtracting the sum, not the weighted mean",
                lambda s: (
                    s.weights
                    * (s.grad_weights - s.grad_weights.sum(axis=-1, keepdims=True))
                ),
            ),
        )
    ),
    *(
        mistake("wrong-product", cause, PRODUCTS, **steps)
        for cause, steps in (
            (
                "multiplying by query for the gradient of query",
                {"grad_query": lambda s: s.grad_scores @ s.query},
            ),
            (
                "multiplying by key for the gradient of key",
                {"grad_key": lambda s: s.grad_scores.mT @ s.key},
            ),
            (
                "a gradient of key from scores that are not transposed",
                {"grad_key": lambda s: s.grad_scores @ s.query},
            ),
            (
                "a gradient of query from scores that are transposed",
                {"grad_query": lambda s: s.grad_scores.mT @ s.key},
            ),
            (
                "a gradient of the weights from the keys, not the values",
                {"grad_weights": lambda s: s.grad_output @ s.key.mT},
            ),
            (
                "a gradient of value from the gradient of the scores",
                {"grad_value": lambda s: s.grad_scores.mT @ s.grad_output},
            ),
            (
                "a gradient of value that leaves the weights out",
                {"grad_value": lambda s: 0 * s.value + _summed_output(s)},
            ),
            (
                "a gradient of value from the values",
                {"grad_value": lambda s: s.weights.mT @ s.weights @ s.value},
            ),
            (
                "a gradient of value that is scaled",
                {"grad_value": lambda s: s.weights.mT @ s.grad_output / root_d_k(s)},
            ),
        )
    ),
    mistake(
        "keepdims-forgotten",
        "a mean that has lost its axis and so belongs to the columns",
        "the shape of the mean: (n, 1) belongs to rows, (n,) to columns",
        grad_scaled=lambda s: (
            s.weights * (s.grad_weights - np.sum(s.weights * s.grad_weights, axis=-1))
        ),
    ),
    mistake(
        "wrong-product",
        "a gradient of value from the values themselves",
        PRODUCTS,
        grad_value=lambda s: s.weights.mT @ s.value,
    ),
    mistake(
        "output-gradient-ignored",
        "a gradient of the output of 1 everywhere",
        "where `grad_output` is used",
        grad_weights=lambda s: np.ones_like(s.grad_output) @ s.value.mT,
        grad_value=lambda s: s.weights.mT @ np.ones_like(s.grad_output),
    ),
    mistake(
        "scaled-by-d_k",
        "dividing by d_k itself on the way back",
        SCALE,
        grad_scores=lambda s: s.grad_scaled / s.query.shape[-1],
    ),
    mistake(
        "multiplied-by-root",
        "multiplying by √d_k on the way back",
        SCALE,
        grad_scores=lambda s: s.grad_scaled * root_d_k(s),
    ),
    *(
        mistake(
            "gradients-out-of-order",
            "giving the right gradients in another order",
            ORDER,
            gradients=_ordered(order),
        )
        for order in permutations(range(3))
        if order != (0, 1, 2)
    ),
    mistake(
        "sign-flipped",
        "gradients with the opposite sign",
        "the sign: a gradient points uphill",
        gradients=_ordered((0, 1, 2), -1),
    ),
    mistake(
        "weights-not-transposed",
        "a gradient of value from weights that are not transposed",
        "how a value reaches the outputs: down a column of the weights",
        grad_value=lambda s: s.weights @ s.grad_output,
    ),
    mistake(
        "query-key-swapped",
        "the gradients of query and key from each other's product",
        "which array a score's gradient is multiplied by for query, and which for key",
        grad_query=lambda s: s.grad_scores @ s.query,
        grad_key=lambda s: s.grad_scores.mT @ s.key,
    ),
    *scale_mistakes(),
    *in_place_of("weights", "scaled"),
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
        patience=40,  # two forward passes for each number, in loops
    ),
)
