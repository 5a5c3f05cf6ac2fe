"""multi_head_attention: project, split, attend, merge, project."""

from __future__ import annotations

import math

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Step, Steps, mistake
from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises import split_heads as heads
from attncourse.practice.mistakes import scale as scaling
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.overflow_and_masked_rows import overflow
from attncourse.practice.mistakes.transposed import projection_transposed
from attnlib.multi_head import MultiHeadAttention

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


def _split_by(way) -> Steps:
    return {n: lambda s, n=n: way(getattr(s, f"all_{n}"), s.n_heads) for n in THREE}


MULTI_HEAD: Steps = {
    **{f"all_{n}": lambda s, n=n: s.x @ getattr(s, f"w_{n}") for n in THREE},
    **_split_by(split),
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "weights": plain.ATTENTION["weights"],
    "output": plain.ATTENTION["output"],
    "merged": lambda s: merge(s.output),
    "result": lambda s: s.merged @ s.w_output,
}


def _transposed(*names: str) -> Steps:
    steps = {
        f"all_{n}": lambda s, n=n: s.x @ getattr(s, f"w_{n}").T
        for n in names
        if n != "output"
    }
    if "output" in names:
        steps["result"] = lambda s: s.merged @ s.w_output.T
    return steps


def _one_head(x: np.ndarray, _n_heads: int) -> np.ndarray:
    return x[..., None, :, :]


def _slices(s, name: str) -> np.ndarray:
    """Multiply a head's slice of x by the block of weights on the diagonal alone."""
    d_head = s.x.shape[-1] // s.n_heads
    parts = [slice(h * d_head, (h + 1) * d_head) for h in range(s.n_heads)]
    weight = getattr(s, f"w_{name}")
    return np.concatenate([s.x[..., p] @ weight[p, p] for p in parts], axis=-1)


def _joined_by(s, way) -> np.ndarray:
    one = way(s.output, axis=-3)
    return one @ s.w_output[: one.shape[-1]]


def _only(x: np.ndarray, head: int) -> np.ndarray:
    return np.broadcast_to(x[..., [head], :, :], x.shape)


def _without_last(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[..., :-1, :, :], 0 * x[..., -1:, :, :]], axis=-3)


DEAL = heads.LOST
WEIGHT_NAMES = (*THREE, "output")
OUTPUT = "what follows the merge: one product with w_output, from the right"
EVERY = "what each head gives, and where it is put: side by side, in order"
SCALES: tuple[tuple[str, str, Step], ...] = (
    *(scale for scale in scaling.SCALES if scale[0] != "scaled-by-d_v"),
    *(
        ("scaled-by-d_model", cause, factor)
        for cause, factor in scaling.by(lambda s: s.x.shape[-1], "d_model").items()
    ),
    *(
        ("scaled-by-n_heads", cause, factor)
        for cause, factor in scaling.by(lambda s: s.n_heads, "n_heads").items()
    ),
)
STRAIGHT = {"merged": lambda s: heads.straight_back(s.output)}

MISTAKES = (
    *(
        projection_transposed(**_transposed(*w))
        for w in (
            (*THREE, "output"),
            THREE,
            *((name,) for name in (*THREE, "output")),
        )
    ),
    mistake(
        "missing-output-projection",
        "heads put side by side and left at that",
        "what follows the merge: one more matrix lets the heads talk to each other",
        result=lambda s: s.merged,
    ),
    mistake(
        "value-not-projected",
        "using x itself as the values",
        "where w_value is used",
        all_value=lambda s: s.x,
    ),
    *(
        mistake(
            "wrong-weights",
            f"making the {name} with w_{other}",
            "which weights make queries, which keys and which values",
            **{f"all_{n}": lambda s, o=other: s.x @ getattr(s, f"w_{o}")},
        )
        for n, name in (("query", "queries"), ("key", "keys"), ("value", "values"))
        for other in WEIGHT_NAMES
        if other != n
    ),
    *(
        mistake("output-projection-twice", cause, OUTPUT, result=step)
        for cause, step in (
            ("using w_output twice", lambda s: s.merged @ s.w_output @ s.w_output),
            (
                "multiplying by w_output from the other side",
                lambda s: s.w_output @ s.merged,
            ),
        )
    ),
    *(
        mistake(
            "heads-added-up",
            f"the {what} of the heads, and the first rows of w_output",
            EVERY,
            result=lambda s, way=way: _joined_by(s, way),
        )
        for what, way in (("mean", np.mean), ("sum", np.sum))
    ),
    mistake(
        "input-added",
        "adding x to the result",
        "what is asked: attention alone; the sum around it is another move",
        result=lambda s: s.x + s.merged @ s.w_output,
    ),
    *(
        mistake(
            "heads-not-all-used",
            cause,
            EVERY,
            merged=lambda s, step=step: merge(step(s)),
        )
        for cause, step in (
            (
                "giving every head what the first one gives",
                lambda s: _only(s.output, 0),
            ),
            (
                "giving every head what the last one gives",
                lambda s: _only(s.output, -1),
            ),
            (
                "leaving the last head at 0",
                lambda s: _without_last(s.output),
            ),
            (
                "the heads in reverse order",
                lambda s: s.output[..., ::-1, :, :],
            ),
            (
                "the values of the first head in every head",
                lambda s: s.weights @ s.value[..., :1, :, :],
            ),
            (
                "the weights of the first head in every head",
                lambda s: s.weights[..., :1, :, :] @ s.value,
            ),
            (
                "the sum of all heads in the place of each",
                lambda s: 0 * s.output + s.output.sum(axis=-3, keepdims=True),
            ),
            (
                "the mean of all heads in the place of each",
                lambda s: 0 * s.output + s.output.mean(axis=-3, keepdims=True),
            ),
        )
    ),
    mistake(
        "cut-before-projecting",
        "giving each head a slice of x and the same slice of the weights",
        "what a head sees: all of x; only its columns of the weights are its own",
        **{f"all_{n}": lambda s, n=n: _slices(s, n) for n in THREE},
    ),
    *scaling.scale_mistakes(SCALES),
    *(
        mistake(heads.WITHOUT, f"a reshape alone {where}", DEAL, **steps)
        for where, steps in (
            ("into heads and back", {**_split_by(heads.straight), **STRAIGHT}),
            ("into heads", _split_by(heads.straight)),
            ("back from heads", STRAIGHT),
            (
                "that makes heads attend to heads",
                {**_split_by(heads.cut), "merged": lambda s: _joined(s.output)},
            ),
        )
    ),
    mistake(
        "wrong-axis",
        "giving a head every n_heads-th column",
        "which columns belong together: neighbors, d_head of them",
        **_split_by(heads.every_nth),
    ),
    mistake(
        "wrong-axis",
        "taking a column of each head by turns",
        "which columns belong together: all of one head, then all of the next",
        merged=lambda s: heads.shuffled_back(s.output),
    ),
    mistake(
        "one-head-only",
        "attention by a single head as wide as d_model",
        "where n_heads is used: every head has weights of its own",
        **_split_by(_one_head),
    ),
    mistake(
        "one-head-only",
        "attention by a single head as wide as d_model, scaled as if it were narrow",
        "where n_heads is used: every head has weights of its own",
        **_split_by(_one_head),
        scaled=lambda s: s.scores / (s.x.shape[-1] / s.n_heads) ** 0.5,
    ),
    *(one for one in plain.MASKED_AWAY if one.code == "mask-not-asked"),
    *plain.SCORES_MISTAKES,
    *plain.VALUES,
    *scaling.after_mistakes(),
    plain.SKIPPED,
    *in_place_of("weights", "scaled"),
)


def _joined(x: np.ndarray) -> np.ndarray:
    return x.reshape(*x.shape[:-2], -1)


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
