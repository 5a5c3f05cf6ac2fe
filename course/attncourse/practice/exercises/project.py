"""project: the same rows seen through a weight matrix."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.projections import project
from named_mistakes.cases import CUBE, sizes
from named_mistakes.exercise import Case

PROJECT = {"output": lambda s: s.x @ s.w}


def draw(rng: np.random.Generator) -> list[Case]:
    """Rows, and weights of several shapes."""
    n, d_in, d_out, batch = sizes(rng, 4)
    shapes = {
        "rows ≠ columns": ((n, d_in), (d_in, d_out)),
        "square weights": ((n, d_in), (d_in, d_in)),
        "all sizes equal": ((n, n), (n, n)),
        "a batch": ((batch, n, d_in), (d_in, d_out)),
        "a batch of squares": (CUBE, CUBE[1:]),
        "two axes of batches": ((2, batch, n, d_in), (d_in, d_out)),
    }
    return drawn(rng, shapes, "x", "w")


TABLE = """
from attncourse.practice.mistakes import looks
from attncourse.practice.mistakes.looks import unit
from attncourse.practice.mistakes.normalization import stable

ORDER = the shapes on both sides of the product: (n, d_in) and (d_in, d_out)

output | one-row-only | how many rows come back: one for each row of x
    the first row alone = x[..., 0, :] @ w
    the last row alone = x[..., -1, :] @ w

output | weights-transposed | {looks.SIDE}
    using the weights transposed = x @ w.T

output | order-swapped | {ORDER}
    multiplying from the other side = w @ x
    multiplying from the other side by transposed weights = w.T @ x

output | wrong-one-transposed | {ORDER}
    transposing x = x.mT @ w

output | result-transposed | what a row of the result is: one vector, as in x
    treating vectors as columns = np.swapaxes(x @ w, -1, -2)
    treating vectors as columns = w.T @ x.T

output | multiplied-elementwise | the operator: a matrix product adds up many products
    multiplying number by number = x * w
    multiplying number by number by the first column = x * w[:, 0]

output | scaled-too-soon | what is asked: the product alone; it is scores that are
        scaled
    dividing by √d_k = x @ w / np.sqrt(w.shape[-1])

output | normalized | what is asked: the product of the two as they are
    giving each column of w the length 1 first = x @ unit(w, -2)
    giving each row of w the length 1 first = x @ unit(w, -1)
    giving each row of x the length 1 first = unit(x, -1) @ w

output | inverse-used | what is asked: the product with the weights themselves
    an inverse of the weights = x @ np.linalg.pinv(w).T

include looks.sum_cut_short("output", "x", "w", "number of a row")

output | softmax-too-soon | what is asked: softmax is a step of its own, and not this
        one
    a softmax on top of it = stable(x @ w)
"""

EXERCISE = exercise(globals(), project, PROJECT)
