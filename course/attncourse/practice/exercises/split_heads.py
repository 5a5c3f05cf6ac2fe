"""split_heads: columns cut into groups, one for each head."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, mistake
from attnlib.heads import split_heads


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows whose columns can be cut, and whose tokens sometimes could."""
    n_heads, d_head = (int(p) for p in rng.permutation([2, 3, 5])[:2])
    n, batch = 7, 11
    d_model = n_heads * d_head
    shapes = {
        "a few rows": (n, d_model),
        "as many rows as heads": (n_heads, d_model),
        "as many rows as columns": (d_model, d_model),
        "a batch": (batch, n, d_model),
        "a batch of n_heads": (n_heads, d_head, d_model),
        "two axes of batches": (2, 3, n, d_model),
    }
    cases = [
        case(label, x=normal(rng, *shape), n_heads=n_heads)
        for label, shape in shapes.items()
    ]
    one_token = case("one token", x=normal(rng, 1, d_model), n_heads=n_heads)
    one_head = replace(other_number(cases[0], 1), label="one head")
    others = (other_number(cases[i], d_head) for i in (0, 3))
    return [*cases, one_token, one_head, *others]


def other_number(one: Case, n_heads: int) -> Case:
    """Cut the same columns into another number of heads: no number fits by chance."""
    inputs = {**one.inputs, "n_heads": n_heads}
    return replace(one, label="another number of heads", inputs=inputs)


def cut(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Reshape only: (..., n, n_heads, d_head)."""
    return x.reshape(*x.shape[:-1], n_heads, -1)


def straight(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Reshape straight to the shape of the heads, which deals the numbers wrongly."""
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def straight_back(x: np.ndarray) -> np.ndarray:
    """Reshape straight to (..., n, d_model)."""
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def every_nth(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Give head h the columns h, h + n_heads and so on."""
    parts = x.reshape(*x.shape[:-1], -1, n_heads)
    return np.moveaxis(parts, -1, -3)


def shuffled_back(x: np.ndarray) -> np.ndarray:
    """Deal the columns out by turns."""
    moved = np.moveaxis(x, -3, -1)
    return moved.reshape(*moved.shape[:-2], -1)


LOST = "where a reshape puts the numbers: it fills the new shape in reading order"
WITHOUT = "heads-without-transpose"
AXIS = "which axis each size stands on before and after: print the shapes"
SWAPS = ((-1, -2), (-1, -3), (0, 1), (1, 2))

SPLIT_MISTAKES = (
    mistake(
        WITHOUT,
        "a reshape straight to the final shape",
        LOST,
        heads=lambda s: straight(s.x, s.n_heads),
    ),
    mistake(
        WITHOUT,
        "a reshape straight to the final shape, with no place for a batch",
        LOST,
        heads=lambda s: s.x.reshape(s.n_heads, -1, s.x.shape[-1] // s.n_heads),
    ),
    mistake(
        "sizes-swapped",
        "making d_model / n_heads heads, each n_heads wide",
        "which of the two sizes is the number of heads",
        heads=lambda s: np.moveaxis(cut(s.x, s.x.shape[-1] // s.n_heads), -2, -3),
    ),
    mistake(
        WITHOUT,
        "a reshape that nothing follows",
        "the order of the axes: heads come before tokens",
        heads=lambda s: cut(s.x, s.n_heads),
    ),
    *(
        mistake(
            "wrong-axis",
            f"exchanging axes {i} and {j}",
            AXIS,
            heads=lambda s, i=i, j=j: np.swapaxes(cut(s.x, s.n_heads), i, j),
        )
        for i, j in SWAPS
    ),
    mistake(
        "wrong-axis",
        "heads on the very first axis",
        AXIS,
        heads=lambda s: np.moveaxis(cut(s.x, s.n_heads), -2, 0),
    ),
    *(
        mistake(
            "wrong-axis",
            "cutting the tokens into groups",
            "what a head gets: every token, and a part of its columns",
            heads=lambda s, axis=axis: np.stack(
                np.split(s.x, s.n_heads, axis=-2), axis=axis
            ),
        )
        for axis in (-3, 0)
    ),
    *(
        mistake(
            "heads-not-all-there",
            cause,
            "how many heads come back, and how wide each is",
            heads=step,
        )
        for cause, step in (
            (
                "leaving the last head out",
                lambda s: np.moveaxis(cut(s.x, s.n_heads), -2, -3)[..., :-1, :, :],
            ),
            (
                "giving every head all the columns",
                lambda s: np.stack([s.x] * s.n_heads, axis=-3),
            ),
            (
                "parts that begin one column after another, not one width",
                lambda s: np.stack(
                    [
                        s.x[..., h : h + s.x.shape[-1] // s.n_heads]
                        for h in range(s.n_heads)
                    ],
                    axis=-3,
                ),
            ),
        )
    ),
    mistake(
        "wrong-axis",
        "giving a head every n_heads-th column",
        "which columns belong together: neighbors, d_head of them",
        heads=lambda s: every_nth(s.x, s.n_heads),
    ),
)

SPLIT = {"heads": lambda s: np.moveaxis(cut(s.x, s.n_heads), -2, -3)}


EXERCISES = (
    Exercise(
        "split_heads",
        split_heads,
        draw,
        SPLIT,
        SPLIT_MISTAKES,
        returns=("heads",),
    ),
)
