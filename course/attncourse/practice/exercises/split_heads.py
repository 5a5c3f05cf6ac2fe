"""split_heads: columns cut into groups, one for each head."""

from dataclasses import replace

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib.heads import split_heads
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case


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
    cases = drawn(rng, shapes, "x", n_heads=n_heads)
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


SPLIT = {"heads": lambda s: np.moveaxis(cut(s.x, s.n_heads), -2, -3)}


TABLE = """
LOST = where a reshape puts the numbers: it fills the new shape in reading order
AXIS = which axis each size stands on before and after: print the shapes

heads | heads-without-transpose | {LOST}
    a reshape straight to the final shape = straight(x, n_heads)
    a transpose, and then a reshape to the final shape =
        np.swapaxes(x, -1, -2).reshape(straight(x, n_heads).shape)
    a reshape straight to the final shape, with no place for a batch =
        x.reshape(n_heads, -1, x.shape[-1] // n_heads)

heads | sizes-swapped | which of the two sizes is the number of heads
    making d_model / n_heads heads, each n_heads wide =
        np.moveaxis(cut(x, x.shape[-1] // n_heads), -2, -3)

heads | heads-without-transpose | the order of the axes: heads come before tokens
    a reshape that nothing follows = cut(x, n_heads)

heads | wrong-axis | {AXIS}
    exchanging axes -1 and -2 = np.swapaxes(cut(x, n_heads), -1, -2)
    exchanging axes -1 and -3 = np.swapaxes(cut(x, n_heads), -1, -3)
    exchanging axes 0 and 1 = np.swapaxes(cut(x, n_heads), 0, 1)
    exchanging axes 1 and 2 = np.swapaxes(cut(x, n_heads), 1, 2)
    heads on the very first axis = np.moveaxis(cut(x, n_heads), -2, 0)

heads | wrong-axis | what a head gets: every token, and a part of its columns
    cutting the tokens into groups = np.stack(np.split(x, n_heads, axis=-2), axis=-3)
    cutting the tokens into groups = np.stack(np.split(x, n_heads, axis=-2), axis=0)

heads | all-axes-transposed | which axes change places: those of tokens and heads alone
    a transpose that reverses all axes = cut(x, n_heads).T

heads | heads-not-all-there | how many heads come back: all of them, on an axis of their
        own
    the first head alone = x[..., : x.shape[-1] // n_heads]

heads | heads-not-all-there | how many heads come back, and how wide each is
    leaving the last head out = np.moveaxis(cut(x, n_heads), -2, -3)[..., :-1, :, :]
    giving every head all the columns = np.stack([x] * n_heads, axis=-3)
    parts that begin one column after another, not one width =
        np.stack(
            [x[..., h : h + x.shape[-1] // n_heads] for h in range(n_heads)], axis=-3
        )

heads | wrong-axis | which columns belong together: neighbors, d_k of them
    giving a head every n_heads-th column = every_nth(x, n_heads)
"""

EXERCISE = exercise(globals(), split_heads, SPLIT, returns=("heads",))
