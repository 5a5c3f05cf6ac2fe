"""multi_head_attention: project, split, attend, merge, project."""

import math

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises import split_heads as heads
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.multi_head import MultiHeadAttention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Steps

WEIGHTS = ("w_query", "w_key", "w_value", "w_output")
# Heads, their width, tokens. Different, but for the cases that say what is equal.
SIZES = ((2, 3, 7), (3, 2, 5), (5, 2, 3), (2, 5, 3))


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw inputs and weights, with sizes that differ and sizes that agree."""
    n_heads, d_head, n = SIZES[rng.integers(len(SIZES))]
    d_model = n_heads * d_head
    shapes = {
        "all sizes different": (n, d_model),
        "n_tokens = d_head": (d_head, d_model),
        "n_tokens = n_heads": (n_heads, d_model),
        "n_tokens = d_model": (d_model, d_model),
        "a batch": (2, n, d_model),
        "a batch of n_heads": (n_heads, n, d_model),
        "two axes of batches": (2, 2, 3, d_model),
    }
    cases = [_case(rng, label, s, n_heads) for label, s in shapes.items()]
    large = _large(_case(rng, "large scores", (n, d_model), n_heads))
    others = [heads.other_number(cases[i], d_head) for i in (0, 4)]
    return [*cases, *others, large]


def _case(rng: np.random.Generator, label: str, shape: tuple, n_heads: int) -> Case:
    d_model = shape[-1]
    weights = {w: normal(rng, d_model, d_model) / d_model**0.5 for w in WEIGHTS}
    return case(label, x=normal(rng, *shape), **weights, n_heads=n_heads)


def _large(one: Case) -> Case:
    """Stretch x until each score of a word with itself is 1500 or more, scaled.

    The weights of query and key are the same, so these scores are squares.
    """
    inputs = {**one.inputs, "w_key": one.inputs["w_query"].copy()}
    query = heads.cut(inputs["x"] @ inputs["w_query"], inputs["n_heads"])
    least = np.min(np.sum(query**2, axis=-1)) / math.sqrt(query.shape[-1])
    inputs["x"] = inputs["x"] * math.sqrt(1500 / least)
    return case(one.label, is_large=True, **inputs)


def reference(x, w_query, w_key, w_value, w_output, n_heads):
    """Attnlib's own answer."""
    weights = (w_query, w_key, w_value, w_output)
    return MultiHeadAttention(*weights, n_heads=n_heads)(x)


def split(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Cut and move: (..., n_heads, n, d_head)."""
    return np.swapaxes(heads.cut(x, n_heads), -2, -3)


def merge(x: np.ndarray) -> np.ndarray:
    """Move back and join: (..., n, d_model)."""
    beside = np.swapaxes(x, -3, -2)
    return beside.reshape(*beside.shape[:-2], -1)


# To split is a function: what is wrong with it is wrong of all three.
MULTI_HEAD: Steps = {
    "all_query": lambda s: s.x @ s.w_query,
    "all_key": lambda s: s.x @ s.w_key,
    "all_value": lambda s: s.x @ s.w_value,
    "split": lambda s: split,
    "query": lambda s: s.split(s.all_query, s.n_heads),
    "key": lambda s: s.split(s.all_key, s.n_heads),
    "value": lambda s: s.split(s.all_value, s.n_heads),
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "weights": plain.ATTENTION["weights"],
    "output": plain.ATTENTION["output"],
    "merged": lambda s: merge(s.output),
    "result": lambda s: s.merged @ s.w_output,
}


def _slices(s, name: str) -> np.ndarray:
    """Multiply a head's slice of x by the block of weights on the diagonal alone."""
    d_head = s.x.shape[-1] // s.n_heads
    parts = [slice(h * d_head, (h + 1) * d_head) for h in range(s.n_heads)]
    weight = getattr(s, f"w_{name}")
    return np.concatenate([s.x[..., p] @ weight[p, p] for p in parts], axis=-1)


def _joined_by(s, way) -> np.ndarray:
    one = way(s.output, axis=-3)
    return one @ s.w_output[: one.shape[-1]]


def _with_all_values(s) -> np.ndarray:
    heads = s.weights @ s.all_value[..., None, :, :]
    return heads.sum(axis=-3) @ s.w_output


TABLE = """
from attncourse.practice.exercises import dot_product_scores
from attncourse.practice.mistakes import looks, scale
from attncourse.practice.mistakes.normalization import in_place_of, stable
from attncourse.practice.mistakes.scale import after_mistakes

WHICH = which weights make queries, which keys and which values
OUTPUT = what follows the merge: one product with w_output, from the right
EVERY = what each head gives, and where it is put: side by side, in order
DEAL = where a reshape puts the numbers: it fills the new shape in reading order
HEADS = where n_heads is used: every head has weights of its own

weights-transposed | {looks.SIDE}
    using the weights transposed =
        all_query: x @ w_query.T,
        all_key: x @ w_key.T,
        all_value: x @ w_value.T,
        result: merged @ w_output.T
    using the weights transposed =
        all_query: x @ w_query.T, all_key: x @ w_key.T, all_value: x @ w_value.T
    for what in query, key, value:
        using the weights transposed = all_{what}: x @ w_{what}.T
    using the weights transposed = result: merged @ w_output.T

result | missing-output-projection | what follows the merge: one more matrix lets the
        heads talk to each other
    heads put side by side and left at that = merged

all_value | value-not-projected | where w_value is used
    using x itself as the values = x

wrong-weights | {WHICH}
    for what in w_key, w_value, w_output: making the queries with {what} =
        all_query: x @ {what}
    for what in w_query, w_value, w_output: making the keys with {what} =
        all_key: x @ {what}
    for what in w_query, w_key, w_output: making the values with {what} =
        all_value: x @ {what}

result | output-projection-twice | {OUTPUT}
    using w_output twice = merged @ w_output @ w_output

result | order-swapped | which stands first: each row of the heads meets the columns of
        w_output
    multiplying by w_output from the other side = w_output @ merged

result | heads-added-up | {EVERY}
    the mean of the heads, and the first rows of w_output = _joined_by(s, np.mean)
    the sum of the heads, and the first rows of w_output = _joined_by(s, np.sum)

result | input-added | what is asked: attention alone; the sum around it is another move
    adding x to the result = x + merged @ w_output

merged | heads-not-all-used | {EVERY}
    giving every head what the first one gives =
        merge(np.broadcast_to(output[..., :1, :, :], output.shape))
    giving every head what the last one gives =
        merge(np.broadcast_to(output[..., -1:, :, :], output.shape))
    leaving the last head at 0 =
        merge(np.concatenate([output[..., :-1, :, :], 0 * output[..., -1:, :, :]], -3))
    the heads in reverse order = merge(output[..., ::-1, :, :])
    the values of the first head in every head = merge(weights @ value[..., :1, :, :])
    the weights of the first head in every head = merge(weights[..., :1, :, :] @ value)
    for what in sum, mean: the {what} of all heads in the place of each =
        merge(0 * output + output.{what}(axis=-3, keepdims=True))

all_query, all_key, all_value | cut-before-projecting | what a head sees: all of x; only
        its columns of the weights are its own
    giving each head a slice of x and the same slice of the weights =
        _slices(s, "query"), _slices(s, "key"), _slices(s, "value")

include (m for m in scale.MISTAKES
        if m.code not in ("scaled-by-d_v", "floor-division"))

scaled | scaled-by-d_model | {scale.DIVISOR}
    dividing by the root of d_model = scores * x.shape[-1] ** -0.5
    dividing by d_model = scores * (1 / x.shape[-1])

scaled | scaled-by-n_heads | {scale.DIVISOR}
    dividing by the root of n_heads = scores * n_heads**-0.5
    dividing by n_heads = scores * (1 / n_heads)

include only(scale.MISTAKES, "floor-division")

heads-without-transpose | {DEAL}
    a reshape alone into heads and back =
        split: heads.straight, merged: heads.straight_back(output)
    a reshape alone into heads = split: heads.straight
    a reshape alone back from heads = merged: heads.straight_back(output)
    a reshape alone that makes heads attend to heads =
        split: heads.cut, merged: output.reshape(*output.shape[:-2], -1)

split | wrong-axis | which columns belong together: neighbors, d_k of them
    giving a head every n_heads-th column = heads.every_nth

merged | wrong-axis | which columns belong together: all of one head, then all of the
        next
    taking a column of each head by turns = heads.shuffled_back(output)

one-head-only | {HEADS}
    attention by a single head as wide as d_model =
        split: lambda rows, n_heads: rows[..., None, :, :]
    attention by a single head as wide as d_model, scaled as if it were narrow =
        split: lambda rows, n_heads: rows[..., None, :, :],
        scaled: scores / (x.shape[-1] / n_heads) ** 0.5

include only(plain.EXERCISE.mistakes, "mask-not-asked")
include only(dot_product_scores.EXERCISE.mistakes, "reshaped-instead-of-transposed",
        "key-not-transposed", "wrong-one-transposed", "query-key-swapped")
include only(plain.EXERCISE.mistakes, "value-key-swapped", "query-as-value",
        "weights-transposed")
include after_mistakes()
include only(plain.EXERCISE.mistakes, "softmax-missing")
include in_place_of("weights", "scaled")

weights | normalized-over-everything | {HEADS}
    one softmax over the keys of all heads = stable(scaled, (-3, -1))

result | heads-added-up | {EVERY}
    adding up heads that each mix all columns of the values = _with_all_values(s)
    the mean of heads that each mix all columns of the values =
        _with_all_values(s) / n_heads

all_key, all_value | input-overwritten | what `x` holds when keys and values are made
    keys and values made of the queries = all_query @ w_key, all_query @ w_value
"""

EXERCISE = exercise(globals(), reference, MULTI_HEAD, signs=(overflow,))
