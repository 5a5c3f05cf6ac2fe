"""multi_head_attention: project, split, attend, merge, project."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises import split_heads as heads
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attnlib.multi_head import MultiHeadAttention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Exercise, Step, Steps
from named_mistakes.table import read_beside

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


THREE = ("query", "key", "value")


def _split_by(way: Callable) -> Steps:
    def step(name: str) -> Step:
        return lambda s: way(getattr(s, f"all_{name}"), s.n_heads)

    return {name: step(name) for name in THREE}


def _projected(name: str) -> Step:
    return lambda s: s.x @ getattr(s, f"w_{name}")


MULTI_HEAD: Steps = {
    **{f"all_{name}": _projected(name) for name in THREE},
    **_split_by(split),
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


def _only(x: np.ndarray, head: int) -> np.ndarray:
    return np.broadcast_to(x[..., [head], :, :], x.shape)


def _without_last(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[..., :-1, :, :], 0 * x[..., -1:, :, :]], axis=-3)


MISTAKES = read_beside(__file__, globals(), MULTI_HEAD)

EXERCISES = (
    Exercise(
        "multi_head_attention",
        reference,
        draw,
        MULTI_HEAD,
        MISTAKES,
        signs=(overflow,),
    ),
)
