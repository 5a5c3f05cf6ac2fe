"""masked_attention: attention in which some pairs are forbidden."""

from dataclasses import replace

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.blocks import first_keys_hidden, not_rescaled
from attncourse.practice.mistakes.overflow_and_masked_rows import (
    masked_rows,
    overflow,
    zero_times_infinity,
)
from attnlib.attention import scaled_dot_product_attention
from named_mistakes.cases import normal, sizes
from named_mistakes.exercise import Case, Steps
from named_mistakes.table import read


def draw(rng: np.random.Generator) -> list[Case]:
    """Take the cases of attention, each with a mask; in two, a query sees nothing."""
    kept = [c for c in plain.draw_ordinary(rng) if c.label != plain.SHARES]
    cases = [_masked(rng, one) for one in kept]
    n_q, n_k, d_k, d_v = sizes(rng, 4)
    one = plain.attend(
        "one row of mask for all queries",
        *(normal(rng, *shape) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v))),
    )
    mask = np.arange(n_k) != rng.integers(n_k)
    cases.append(replace(one, inputs={**one.inputs, "mask": mask}))
    for label, batch in (("a query that sees nothing", ()), ("one in a batch", (2,))):
        shapes = ((*batch, n_q, d_k), (*batch, n_k, d_k), (*batch, n_k, d_v))
        one = plain.attend(label, *(normal(rng, *shape) for shape in shapes))
        cases.append(_masked(rng, one, hide_a_row=True))
    return cases


def _masked(rng: np.random.Generator, one: Case, hide_a_row: bool = False) -> Case:
    query, key = one.inputs["query"], one.inputs["key"]
    mask = rng.random((*query.shape[:-1], key.shape[-2])) < 0.5
    # Every row allows some pairs and forbids some.
    first = rng.permuted(
        np.broadcast_to(np.arange(mask.shape[-1]), mask.shape), axis=-1
    )
    mask = (mask | (first == 0)) & (first != 1)
    if one.is_large:
        # Only the key that agrees least is left to the first query: with its score
        # far below -10,000, no hidden score of that size is low enough.
        query *= 20
        scores = query[0] @ key.T
        mask[0] = scores == scores.min()
    if hide_a_row:
        mask[..., 1, :] = False
    nothing_seen = ~np.any(mask, axis=-1) if hide_a_row else None
    inputs = {**one.inputs, "mask": mask}
    return replace(one, inputs=inputs, special_rows=nothing_seen)


def reference(query, key, value, mask):
    """Attnlib's own answer."""
    return scaled_dot_product_attention(query, key, value, mask=mask)


def soft(x: np.ndarray) -> np.ndarray:
    """Softmax with zeros for a row of nothing but −∞."""
    largest = x.max(axis=-1, keepdims=True)
    powers = np.exp(x - np.where(np.isneginf(largest), 0.0, largest))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


MASKED: Steps = {
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "hidden": lambda s: np.where(s.mask, s.scaled, -np.inf),
    "weights": lambda s: soft(s.hidden),
    "output": plain.ATTENTION["output"],
}


def _summed_by_columns(x: np.ndarray) -> np.ndarray:
    largest = x.max(axis=-1, keepdims=True)
    powers = np.exp(x - np.where(np.isneginf(largest), 0.0, largest))
    total = powers.sum(axis=-2, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


# Those of the mask alone: an exercise that has heads has them as well.
OF_MASKS = """
from attncourse.practice.mistakes import normalization

SENSE = what True in the mask means: may attend
AXES = the axes of the mask: a row for each query, a column for each key
WHEN = the step at which the mask comes in: softmax should share among the rest
FORBIDDEN = the weight that this score still gets: which number has the exponential 0?

hidden | mask-ignored | where the mask is used
    attention without any mask = scaled
    a causal mask in the place of the one that is given =
        np.where(np.tri(*scaled.shape[-2:], dtype=bool), scaled, -np.inf)

hidden | mask-not-asked | what is asked: the mask that is given, and no other
    a causal mask on top of the one that is given =
        np.where(mask & np.tri(*scaled.shape[-2:], dtype=bool), scaled, -np.inf)

hidden | mask-inverted | {SENSE}
    hiding the keys that may be seen = np.where(mask, -np.inf, scaled)
    taking a large number from the scores of keys that may be seen = scaled - 1e9 * mask

weights | wrong-axis | {normalization.AXIS}
    making what is left of the weights add up to 1 along axis -2 =
        np.swapaxes(soft(np.swapaxes(hidden, -1, -2)), -1, -2)
    making the exponentials add up to 1 along axis -2 = _summed_by_columns(hidden)

hidden | mask-multiplied | {SENSE}
    multiplying the scores by a mask that is 1 where a key is hidden = scaled * ~mask

hidden | mask-on-output | {AXES}
    hiding a key from every query if it is hidden from one =
        np.where(mask.all(axis=-2, keepdims=True), scaled, -np.inf)
    hiding a key only if it is hidden from every query =
        np.where(mask.any(axis=-2, keepdims=True), scaled, -np.inf)

weights | one-row-for-all | what is asked about a row: each query is judged by its own
    zeros for every query as soon as one may attend to nothing =
        soft(hidden) * np.atleast_1d(mask).any(axis=-1).all()

hidden, weights | mask-after-softmax | {WHEN}
    setting weights to 0 after softmax = scaled, soft(scaled) * mask

hidden | score-zero-instead-of-minus-infinity | {FORBIDDEN}
    giving hidden pairs a score of 0 = np.where(mask, scaled, 0.0)

hidden | mask-too-weak | {FORBIDDEN}
    for n in -1, -2, -5, -10: giving hidden pairs a score of {n} =
        np.where(mask, scaled, {n})
    for n in -1000, -10000, -100: giving hidden pairs a score that is too near, such as
        {n} = np.where(mask, scaled, {n})
    for n in 5, 10: lowering hidden scores by {n} = np.where(mask, scaled, scaled - {n})

hidden | mask-added | what the mask does to a score: True and False decide, nothing is
        added
    adding True as 1 to the scores, or lowering hidden ones by 1 = scaled + mask

hidden, weights | mask-renormalized | {WHEN}
    softmax over all keys and a division to mend it =
        scaled,
        soft(scaled) * mask / ((soft(scaled) * mask).sum(-1, keepdims=True) + 1e-12)

hidden | mask-transposed | {AXES}
    a mask with rows and columns exchanged = np.where(mask.mT, scaled, -np.inf)
"""
MASK_MISTAKES = read(OF_MASKS, globals(), MASKED, file=__file__)
TABLE = """
from attncourse.practice.exercises import dot_product_scores
from attncourse.practice.mistakes import scale
from attncourse.practice.mistakes.normalization import WITH_MASK, in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

include MASK_MISTAKES
include scale.MISTAKES
include only(dot_product_scores.EXERCISE.mistakes, "reshaped-instead-of-transposed",
        "key-not-transposed", "wrong-one-transposed", "query-key-swapped")
include only(plain.EXERCISE.mistakes, "value-key-swapped", "query-as-value",
        "weights-transposed")
include after_mistakes(lambda s: soft(s.hidden))
include only(plain.EXERCISE.mistakes, "weights-returned", "all-axes-transposed",
        "softmax-missing")
include in_place_of("weights", "hidden", WITH_MASK)
"""

EXERCISE = exercise(
    globals(),
    reference,
    MASKED,
    signs=(zero_times_infinity, first_keys_hidden, overflow, not_rescaled, masked_rows),
)
