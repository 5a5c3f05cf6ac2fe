"""attention_gradient: what a change of the output asks of query, key and value."""

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.scale import root_d_k
from attnlib.gradients import attention_vjp
from named_mistakes.cases import normal
from named_mistakes.exercise import Case, Faded, Steps


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


TABLE = """
from attncourse.practice.mistakes import scale
from attncourse.practice.mistakes.normalization import in_place_of

SOFTMAX = the way back through softmax: a weight depends on every score of its row
SCALE = the way back through the scale: what was divided forwards is divided backwards
PRODUCTS = the products on the way back: what each array was multiplied by, transposed
ORDER = what is asked: the gradients of query, key and value, in this order

grad_scaled | softmax-jacobian-missing | {SOFTMAX}
    passing the gradient of the weights on to the scores = grad_weights
    multiplying by the weights and leaving it at that = weights * grad_weights
    using the diagonal of softmax's Jacobian alone =
        weights * (1 - weights) * grad_weights

grad_scaled | wrong-axis | the axis along which the weights add up to 1
    for axis in -2, 0, 1: a mean along axis {axis} on the way back through softmax =
        _through_softmax(s, {axis})

grad_scaled | unweighted-mean | the mean that is subtracted: each gradient counts with
        its weight
    subtracting the plain mean on the way back through softmax =
        weights * (grad_weights - grad_weights.mean(axis=-1, keepdims=True))

grad_scaled | mean-instead-of-sum | the mean that is subtracted: weights add up to 1, so
        it is a sum already
    dividing the weighted mean by the number of keys =
        weights * (grad_weights - (weights * grad_weights).mean(axis=-1, keepdims=True))

scale-missing-in-gradient | {SCALE}
    gradients of query and key without the scale = grad_scores: grad_scaled
    a gradient of query without the scale = grad_query: grad_scaled @ key
    a gradient of key without the scale = grad_key: grad_scaled.mT @ query

grad_scaled | softmax-jacobian-missing | {SOFTMAX}
    adding the weighted mean on the way back through softmax =
        weights * grad_weights + weights * np.sum(
            weights * grad_weights, -1, keepdims=True
        )
    subtracting the mean without multiplying by the weights =
        grad_weights - np.sum(weights * grad_weights, axis=-1, keepdims=True)
    subtracting the weighted mean without its weights =
        weights * grad_weights - np.sum(weights * grad_weights, axis=-1, keepdims=True)
    subtracting the sum, not the weighted mean =
        weights * (grad_weights - grad_weights.sum(axis=-1, keepdims=True))

wrong-product | {PRODUCTS}
    multiplying by query for the gradient of query = grad_query: grad_scores @ query
    multiplying by key for the gradient of key = grad_key: grad_scores.mT @ key
    a gradient of key from scores that are not transposed =
        grad_key: grad_scores @ query
    a gradient of query from scores that are transposed =
        grad_query: grad_scores.mT @ key
    a gradient of the weights from the keys, not the values =
        grad_weights: grad_output @ key.mT
    a gradient of value from the gradient of the scores =
        grad_value: grad_scores.mT @ grad_output
    a gradient of value that leaves the weights out =
        grad_value: 0 * value + grad_output.sum(axis=-2, keepdims=True)
    a gradient of value from the values = grad_value: weights.mT @ weights @ value
    a gradient of value that is scaled =
        grad_value: weights.mT @ grad_output / root_d_k(s)

grad_scaled | keepdims-forgotten | the shape of the mean: (n, 1) belongs to rows, (n,)
        to columns
    a mean that has lost its axis and so belongs to the columns =
        weights * (grad_weights - np.sum(weights * grad_weights, axis=-1))

grad_value | wrong-product | {PRODUCTS}
    a gradient of value from the values themselves = weights.mT @ value

grad_weights, grad_value | output-gradient-ignored | where `grad_output` is used
    a gradient of the output of 1 everywhere =
        np.ones_like(grad_output) @ value.mT, weights.mT @ np.ones_like(grad_output)

grad_scores | scaled-by-d_k | {SCALE}
    dividing by d_k itself on the way back = grad_scaled / query.shape[-1]

grad_scores | multiplied-by-root | {SCALE}
    multiplying by √d_k on the way back = grad_scaled * root_d_k(s)

gradients | gradients-out-of-order | {ORDER}
    for order in (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0):
        giving the right gradients in another order =
        tuple((grad_query, grad_key, grad_value)[i] for i in {order})

gradients | sign-flipped | the sign: a gradient points uphill
    gradients with the opposite sign =
        -grad_query, -grad_key, -grad_value

grad_value | weights-not-transposed | how a value reaches the outputs: down a column of
        the weights
    a gradient of value from weights that are not transposed = weights @ grad_output

grad_query, grad_key | query-key-swapped | which array a score's gradient is multiplied
        by for query, and which for key
    the gradients of query and key from each other's product =
        grad_scores @ query, grad_scores.mT @ key

include scale.MISTAKES
include in_place_of("weights", "scaled")
"""
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

EXERCISE = exercise(
    globals(),
    attention_vjp,
    GRADIENT,
    signs=(overflow,),
    returns=("grad_query", "grad_key", "grad_value"),
    faded=FADED,
    patience=40,  # two forward passes for each number, in loops
)
