"""Right and wrong answers to the exercises of lessons 12 and 13, in several styles."""

from functools import partial

import numpy as np

from attncourse.practice.exercises.head_effect import head_effect
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, soft

right, wrong = answers_of("head_effect")


@right
def by_difference(weights, it, a, b):
    change = -np.diff(weights[..., it, :], axis=-3)[..., 0, :, :]
    return change[..., a] - change[..., b]


def column(weights, it, a, b):
    return by_difference(weights.mT, it, a, b)


wrong("column-instead-of-row")(column)


@wrong("wrong-axis")
def heads_compared(weights, it, a, b):
    preference = weights[..., it, a] - weights[..., it, b]
    return preference[..., 0] - preference[..., :2][..., -1]


wrong("sign-flipped")(lambda w, it, a, b: head_effect(w, it, b, a))
wrong("one-noun-only")(lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 1, :, it, a])
wrong("one-sentence-only")(
    lambda w, it, a, b: w[..., 0, :, it, a] - w[..., 0, :, it, b]
)
wrong("nouns-added")(
    lambda w, it, a, b: (
        head_effect(w, it, a, b) + 2 * (w[..., 0, :, it, b] - w[..., 1, :, it, b])
    )
)
wrong("averaged-over-heads")(lambda *four: head_effect(*four).mean(axis=-1))


@wrong("input-ignored")
def places_written_down(weights, it, a, b):
    preference = weights[..., 3, 0] - weights[..., 3, 2]
    return preference[..., 0, :] - preference[..., 1, :]


@wrong("ratio-instead-of-difference")
def relative_preference(weights, it, a, b):
    first, second = weights[..., it, a], weights[..., it, b]
    preference = (first - second) / (first + second)
    return preference[..., 0, :] - preference[..., 1, :]


wrong("column-instead-of-row", "sign-flipped")(lambda w, it, a, b: column(w, it, b, a))


right, wrong = answers_of("one_pass_attention")


def root(x):
    return x.shape[-1] ** 0.5


def one_pass(
    query, key, value, size=2, *, lowest=-np.inf, rescale=True, divide_early=False
):
    """Attention with running maxima, sums and outputs."""
    largest = np.full((*query.shape[:-1], 1), lowest)
    total = mixed = np.zeros_like(largest)
    for start in range(0, key.shape[-2], size):
        block = slice(start, start + size)
        scores = query @ key[..., block, :].mT / root(query)
        before = largest
        largest = np.maximum(before, scores.max(axis=-1, keepdims=True))
        factor = np.exp(before - largest) if rescale else 1.0
        powers = np.exp(scores - largest)
        total = total * factor + powers.sum(axis=-1, keepdims=True)
        mixed = mixed * factor + powers @ value[..., block, :]
        if divide_early:
            mixed = mixed / total
    return mixed if divide_early else mixed / total


right(lambda q, k, v: one_pass(q, k, v, size=1))


@wrong("blocks-averaged")
def averaged(query, key, value, size=4):
    blocks = [slice(i, i + size) for i in range(0, key.shape[-2], size)]
    return sum(
        soft(query @ key[..., block, :].mT / root(query)) @ value[..., block, :]
        for block in blocks
    ) / len(blocks)


wrong("not-rescaled")(lambda q, k, v: one_pass(q, k, v, rescale=False))
wrong("divided-too-early")(lambda q, k, v: one_pass(q, k, v, divide_early=True))
wrong("underflow")(lambda q, k, v: one_pass(q, k, v, size=16, lowest=0.0))


wrong("last-keys-lost")(
    lambda q, k, v, n=16: one_pass(
        q, *(x[..., : max(1, x.shape[-2] // n) * n, :] for x in (k, v)), size=n
    )
)


wrong("one-piece-wrong")(changed(one_pass, "before - largest → largest - before"))


right(*(partial(one_pass, size=size) for size in (128, 240, 256)))


def maximum_of(choose):
    """Keep another maximum than the larger of the old one and that of the block."""

    def answer(query, key, value):
        largest = None
        total = mixed = np.zeros((*query.shape[:-1], 1))
        for start in range(0, key.shape[-2], 16):
            block = slice(start, start + 16)
            scores = query @ key[..., block, :].mT / query.shape[-1] ** 0.5
            here = scores.max(-1, keepdims=True)
            before = here if largest is None else largest
            largest = choose(before, here)
            powers, factor = np.exp(scores - largest), np.exp(before - largest)
            total = total * factor + powers.sum(-1, keepdims=True)
            mixed = mixed * factor + powers @ value[..., block, :]
        return mixed / total

    return answer


wrong("overflow", says="let it rise from the old")(maximum_of(lambda old, new: old))
wrong("overflow", says="keep the larger of the old")(maximum_of(lambda old, new: new))


held = wrong("all-scores-held", says="32 × 2048 scores takes 524 kB", seeds=(0, 1))


@held
def two_passes(query, key, value):
    """Blocks of scores, all kept until the maximum is known."""
    starts = range(0, key.shape[-2], 8)
    parts = [query @ key[..., i : i + 8, :].mT / root(query) for i in starts]
    largest = np.max([part.max(-1) for part in parts], axis=0)[..., None]
    powers = [np.exp(part - largest) for part in parts]
    total = sum(part.sum(-1, keepdims=True) for part in powers)
    blocks = zip(starts, powers, strict=True)
    return sum(part @ value[..., i : i + 8, :] for i, part in blocks) / total


@held
def in_place(query, key, value):
    """One table of scores, and no other array of its size."""
    scores = query @ key.mT
    scores /= root(query)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    return scores @ value / scores.sum(axis=-1, keepdims=True)
