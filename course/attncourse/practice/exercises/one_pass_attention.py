"""one_pass_attention: attention that never holds the scores of all keys at once."""

from dataclasses import replace
from functools import partial

import numpy as np

from attncourse.practice.exercises import attention
from attncourse.practice.mistakes.blocks import (
    all_scores_held,
    joined_wrongly,
    maximum_not_kept,
)
from attnlib.blockwise import blockwise_attention
from named_mistakes.cases import normal
from named_mistakes.exercise import Case, Faded

# A text so long that its scores take more memory than all the rest. Four arrays for
# an eighth of the keys fit into the room, and so do keys and values as lists; all
# scores at once do not.
N_QUERIES, N_KEYS, D_K, D_V = 32, 2048, 2, 1
ROOM = int(0.95 * N_QUERIES * N_KEYS * 8)  # bytes


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw the cases of attention, and two long texts; of one, memory is measured."""
    shapes = (N_QUERIES, D_K), (N_KEYS, D_K), (N_KEYS, D_V)
    three = (normal(rng, *shape) for shape in shapes)
    long = replace(attention.attend("a long text", *three), room=ROOM)
    cases = attention.draw(rng)
    # No power of 2, and no multiple of one: blocks of most sizes leave a rest.
    middle = (normal(rng, *shape) for shape in ((3, 5), (307, 5), (307, 2)))
    cases += [long, attention.attend("a long text", *middle)]
    # Scores that overflow come below: here are some of which none does.
    at = next(i for i, one in enumerate(cases) if one.is_large)
    cases[at] = _falling(rng)
    apart = (_apart(rng, reverse=reverse) for reverse in (False, True))
    return [*cases, *apart]


def _falling(rng: np.random.Generator) -> Case:
    """Draw scores from 640 down to -640: no exponential of one of them overflows."""
    query, key = np.full((3, 5), 5**0.5), np.linspace(128, -128, 61)[:, None]
    three = query, key * np.ones(5), normal(rng, 61, 2)
    return attention.attend("large scores", *three, is_large=True)


def _apart(rng: np.random.Generator, *, reverse: bool) -> Case:
    """Draw keys whose scores fall from the first on, or rise; after 100, steeply."""
    size = np.where((np.arange(307) < 100) != reverse, 60.0, 1.0)[:, None]
    ends = (1.0, 2.0) if reverse else (2.0, 1.0)
    steps = np.linspace(*ends, 307)[:, None]  # one key wins clearly
    query = rng.uniform(30, 60, (3, 5))
    three = query, size * steps * np.ones(5), normal(rng, 307, 2)
    return attention.attend("large scores", *three, is_large=True)


WHOLE = attention.EXERCISE
FADED = Faded(
    """
def my_filled(query, key, value, size=2):
    largest = np.full((*query.shape[:-1], 1), -np.inf)
    total = mixed = np.zeros_like(largest)
    for start in range(0, key.shape[-2], size):
        block = slice(start, start + size)
        scores = query @ key[..., block, :].mT / query.shape[-1] ** 0.5
        before = largest
        largest = np.maximum(before, scores.max(axis=-1, keepdims=True))
        factor, powers = np.exp(before - largest), np.exp(scores - largest)
        total = ...
        mixed = ...
    return mixed / total
""",
    (
        (
            "total * factor + powers.sum(axis=-1, keepdims=True)",
            "what this sum holds after a block: the old sum, rescaled to the new "
            "maximum, and this block's powers, one sum for each query",
        ),
        (
            "mixed * factor + powers @ value[..., block, :]",
            "what this mixture holds after a block: the old one, rescaled to the new "
            "maximum, and this block's values, weighted with its powers",
        ),
    ),
)
EXERCISE = replace(
    WHOLE,
    name="one_pass_attention",
    reference=partial(blockwise_attention, block_size=4),
    draw=draw,
    signs=(maximum_not_kept, joined_wrongly, *WHOLE.signs, all_scores_held),
    faded=FADED,
    patience=10,
)
