"""masked_multi_head_attention: the whole of it, with a mask or without."""

from dataclasses import replace
from functools import wraps
from types import SimpleNamespace

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import masked_attention as masks
from attncourse.practice.exercises import multi_head_attention as heads
from attncourse.practice.mistakes.overflow_and_masked_rows import (
    masked_rows,
    overflow,
    zero_times_infinity,
)
from attnlib.multi_head import MultiHeadAttention
from named_mistakes.exercise import Case, Mistake, Step, Steps

BATCH = "as many masks as heads"


def draw(rng: np.random.Generator) -> list[Case]:
    """Take the cases of multi_head_attention as they are, then some with a mask.

    Those with another number of heads get a mask only: cases are not free of charge.
    """
    *ordinary, other, other_batch, large = heads.draw(rng)
    by_label = {one.label: one for one in ordinary}
    few, batch = by_label["all sizes different"], by_label["a batch"]
    as_heads, wide = by_label["a batch of n_heads"], by_label["two axes of batches"]
    n = few.inputs["x"].shape[-2]
    padding = np.arange(n) < np.array([n - 1, 2])[:, None, None]
    hidden = _allowing(rng, (n, n))
    hidden[1] = False
    return [
        *(_with(one, None, one.label) for one in ordinary),
        _with(few, _allowing(rng, (n, n)), "a mask"),
        _with(batch, _allowing(rng, (2, n, n)), "a mask for each of a batch"),
        _with(as_heads, _allowing(rng, (len(as_heads.inputs["x"]), n, n)), BATCH),
        _with(other, np.tri(n, dtype=bool), "a causal mask"),
        _with(other_batch, np.tri(n, dtype=bool), "one causal mask for a batch"),
        _with(batch, padding, "padding in a batch"),
        _with(few, hidden, "a query that sees nothing"),
        _with(_against_itself(large), np.eye(n, dtype=bool), "large scores"),
        _with(wide, _allowing(rng, (2, 2, 3, 3)), "a mask for each of a batch"),
    ]


def _against_itself(large: Case) -> Case:
    """Turn the first head's keys around: a word scores -13,500 or less with itself.

    With itself as the only key that it sees, a hidden score of -10,000 wins in this
    head; in the others its score, 13,500 or more, is too large for an exponential.
    """
    width = large.inputs["x"].shape[-1] // large.inputs["n_heads"]
    w_key = large.inputs["w_key"].copy()
    w_key[:, :width] *= -1
    three_times = 3 * large.inputs["x"]  # scores of 1500, nine times
    return replace(large, inputs={**large.inputs, "x": three_times, "w_key": w_key})


def _with(one: Case, mask: np.ndarray | None, label: str) -> Case:
    seen = None if mask is None else np.asarray(~mask.any(axis=-1))
    nothing = seen if seen is not None and seen.any() else None
    inputs = {**one.inputs, "mask": mask}
    return replace(one, label=label, inputs=inputs, special_rows=nothing)


def _allowing(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw a mask of which every row allows some key and forbids some."""
    ranks = rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    return ((rng.random(shape) < 0.5) | (ranks == 0)) & (ranks != 1)


def reference(x, w_query, w_key, w_value, w_output, n_heads, mask=None):
    """Attnlib's own answer."""
    layer = MultiHeadAttention(w_query, w_key, w_value, w_output, n_heads=n_heads)
    return layer(x, mask=mask)


def _shared(step: Step) -> Step:
    """Show a step the mask with an axis for the heads; without a mask, skip it."""

    @wraps(step)
    def on_heads(s):
        if s.mask is None:
            return s.scaled
        mask = s.mask[..., None, :, :]
        return step(SimpleNamespace(**{**vars(s), "mask": mask}))

    return on_heads


def _hide(steps: Steps) -> Steps:
    return {n: _shared(f) if n == "hidden" else f for n, f in steps.items()}


WHOLE: Steps = {
    **{n: heads.MULTI_HEAD[n] for n in list(heads.MULTI_HEAD)[:8]},
    "scaled": heads.MULTI_HEAD["scaled"],
    **_hide({n: masks.MASKED[n] for n in ("hidden", "weights")}),
    **{n: heads.MULTI_HEAD[n] for n in ("output", "merged", "result")},
}


def _of_one_head(one: Mistake) -> Mistake:
    """Make a mistake of masked_attention in every head."""
    late = {n: _late(f) for n, f in one.steps.items() if n == "weights"}
    return replace(one, steps={**_hide(one.steps), **late})


def _late(step: Step) -> Step:
    @wraps(step)
    def on_heads(s):
        mask = np.True_ if s.mask is None else s.mask[..., None, :, :]
        return step(SimpleNamespace(**{**vars(s), "mask": mask}))

    return on_heads


def _as_it_came(s) -> np.ndarray:
    mask = np.True_ if s.mask is None else s.mask
    return np.where(mask, s.scaled, -np.inf)


def _in_first(s) -> np.ndarray:
    return np.concatenate([_hidden(s)[..., :1, :, :], s.scaled[..., 1:, :, :]], -3)


def _causal_without_mask(s) -> np.ndarray:
    allowed = np.tri(s.x.shape[-2], dtype=bool)
    return np.where(allowed, s.scaled, -np.inf) if s.mask is None else _hidden(s)


_far_below = _shared(lambda s: s.scaled - 1e9 * s.mask)
_hidden = WHOLE["hidden"]

TABLE = """
from attncourse.practice.mistakes.normalization import WITH_MASK, in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

hidden | mask-not-asked | what None means: every query may see every key
    a causal mask where `mask` is None = _causal_without_mask(s)

include map(_of_one_head, masks.MASK_MISTAKES)

hidden | mask-without-head-axis | the axes of the scores, (..., n_heads, n_queries,
        n_keys): a mask that all heads share needs an axis of length 1 where theirs is
    a batch of masks dealt out to the heads = _as_it_came(s)

# Where it hides all, a large number leaves their order: unlike −∞.
hidden | mask-inverted | what True in the mask means: may attend
    hiding the keys that may be seen = _far_below(s)

weights | softmax-missing | the step between the scores and the values
    using scores as weights = hidden
    using scores as weights = np.where(np.isneginf(hidden), 0.0, hidden)

include (m for m in heads.EXERCISE.mistakes if "weights" not in m.steps)
include after_mistakes(lambda s: masks.soft(s.hidden))
include in_place_of("weights", "hidden", WITH_MASK)

hidden | mask-in-some-heads | where the mask is used: all heads share it
    a mask for the first head alone = _in_first(s)
"""

EXERCISE = exercise(
    globals(), reference, WHOLE, signs=(zero_times_infinity, overflow, masked_rows)
)
