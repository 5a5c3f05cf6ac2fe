"""capped_attention: causal attention whose scores are bent below a cap."""

from typing import Any

import numpy as np

from attncourse.practice.exercise import exercise
from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises.masked_attention import soft
from attnlib import scaled_dot_product_attention
from named_mistakes.cases import case, normal
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw texts whose scores reach the cap, alone, in heads and in batches."""
    n, d_k, d_v = (int(p) for p in rng.permutation([5, 7, 11]))
    counts = {"one text": (), "heads": (3,), "a batch of heads": (2, 3)}
    cases = [
        _case(rng, label, float(cap), (*batch, n), d_k, d_v)
        for (label, batch), cap in zip(counts.items(), (2, 3, 2), strict=True)
    ]
    return [*cases, _case(rng, "another cap", 5.0, (n,), d_k, d_v)]


def _case(rng, label: str, cap: float, rows: tuple[int, ...], d_k: int, d_v: int):
    arrays: dict[str, Any] = {
        "query": 3 * normal(rng, *rows, d_k),
        "key": normal(rng, *rows, d_k),
        "value": normal(rng, *rows, d_v),
    }
    return case(label, axes=3, **arrays, cap=cap)


def reference(query, key, value, cap):
    """Attnlib's own answer."""
    how = {"softcap": cap, "is_causal": True}
    return scaled_dot_product_attention(query, key, value, **how)


def _seen(s, more: int) -> np.ndarray:
    return np.tri(s.scaled.shape[-1], k=more, dtype=bool)


def _causal(s, scores: np.ndarray) -> np.ndarray:
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)


CAPPED: Steps = {
    "scores": plain.ATTENTION["scores"],
    "scaled": plain.ATTENTION["scaled"],
    "capped": lambda s: s.cap * np.tanh(s.scaled / s.cap),
    "hidden": lambda s: _causal(s, s.capped),
    "weights": lambda s: soft(s.hidden),
    "output": plain.ATTENTION["output"],
}


def _bent(s, x: np.ndarray) -> np.ndarray:
    return s.cap * np.tanh(x / s.cap)


TABLE = """
from attncourse.practice.mistakes import scale
from attncourse.practice.mistakes.normalization import WITH_MASK, in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

NAMES = which of the three arrays stands where: scores from two, output from the third
ORDER = the scores of hidden pairs: softmax has to see −∞, so the mask comes after the
        cap
HIDDEN = the weight that a hidden score still gets: whose exponential is 0?
FUTURE = the mask: no query may see a later key
FORMULA = the formula of the cap: cap · tanh(score / cap)

weights | mask-after-softmax | the step at which the mask comes in: softmax should share
        among the rest
    setting weights to 0 after softmax = np.tril(soft(capped))

weights | cap-after-softmax | what is capped: the scores, before softmax
    capping the weights = cap * np.tanh(soft(_causal(s, scaled)) / cap)

hidden | cap-after-mask | {ORDER}
    hidden scores of −cap, which is what a cap makes of −∞ =
        cap * np.tanh(_causal(s, scaled) / cap)

hidden | score-zero-instead-of-minus-infinity | {HIDDEN}
    giving hidden pairs a score of 0 = np.tril(capped)
    giving hidden pairs a score of 0 before the cap =
        cap * np.tanh(np.tril(scaled) / cap)

hidden | hides-itself | the mask: a query may see its own key
    hiding each token from itself = np.where(_seen(s, -1), capped, -np.inf)

hidden | looks-ahead | {FUTURE}
    a mask the wrong way round = np.where(_seen(s, 0).T, capped, -np.inf)
    hiding what may be seen and showing the future =
        np.where(_seen(s, 0), -np.inf, capped)
    a mask that lets each token see one ahead = np.where(_seen(s, 1), capped, -np.inf)

hidden | mask-too-weak | {HIDDEN}
    for n in -1, -10: giving hidden pairs a score of {n} =
        np.where(_seen(s, 0), capped, {n})

hidden | mask-ignored | {FUTURE}
    letting every query see the future = capped

capped | cap-ignored | where the cap is used
    attention without any cap = scaled

capped | cap-not-multiplied | {FORMULA}
    tanh(score / cap), which is at most 1 = np.tanh(scaled / cap)

capped | cap-not-divided | {FORMULA}
    cap · tanh(score) = cap * np.tanh(scaled)

capped | clipped-instead-of-bent | {FORMULA}
    cutting scores off at the cap = np.clip(scaled, -cap, cap)

capped | cap-turned-round | {FORMULA}
    tanh(score · cap) / cap = np.tanh(scaled * cap) / cap
    tanh(score · cap) = np.tanh(scaled * cap)
    cap · tanh(score · cap) = cap * np.tanh(scaled * cap)
    tanh(score) = np.tanh(scaled)
    dividing the scores by the cap = scaled / cap
    for what in tan, sin, arctan: cap · {what}(score / cap) =
        cap * np.{what}(scaled / cap)
    cutting off above alone = np.minimum(scaled, cap)
    score / (1 + |score| / cap) = scaled / (1 + np.abs(scaled) / cap)
    a sigmoid in place of tanh = cap / (1 + np.exp(-scaled / cap))

capped | capped-on-one-side | which scores are bent: those far below 0, too
    bending what is above 0 alone =
        np.where(scaled > 0, cap * np.tanh(scaled / cap), scaled)

capped | other-cap | how large a score may get: the cap itself
    a cap of twice the size = 2 * cap * np.tanh(scaled / (2 * cap))
    a cap of half the size = cap / 2 * np.tanh(2 * scaled / cap)

capped | constant-cap | where `cap` is used: it is given
    for n in 50, 30: a cap of {n}, whatever `cap` is = {n} * np.tanh(scaled / {n})

scores, capped | capped-too-soon | what is capped: the scores, once they are scaled
    capping queries and keys in place of the scores = _bent(s, query) @ _bent(s,
        key).mT, scaled

scores | capped-too-soon | what is capped: the scores, and nothing before them
    capping queries and keys, too = _bent(s, query) @ _bent(s, key).mT

capped | capped-twice | how often the scores are capped: once
    a cap on top of the cap = cap * np.tanh(np.tanh(scaled / cap))

capped | cap-before-scale | the order of scale and cap: the cap bends scaled scores
    capping first and dividing by √d_k after it =
        cap * np.tanh(scores / cap) / query.shape[-1] ** 0.5

include scale.MISTAKES

output | value-key-swapped | {NAMES}
    a weighted sum of keys = weights @ key

include only(plain.EXERCISE.mistakes, "query-as-value", "weights-transposed")
include after_mistakes(lambda s: soft(s.hidden))
include in_place_of("weights", "hidden", (*WITH_MASK, "overflow"))

output | cap-on-output | what is capped: the scores, before softmax
    capping what comes out = cap * np.tanh(soft(_causal(s, scaled)) @ value / cap)
"""

EXERCISE = exercise(globals(), reference, CAPPED)
