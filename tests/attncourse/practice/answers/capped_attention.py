"""Right and wrong answers for capped_attention, in several styles."""

import numpy as np

from attnlib import scaled_dot_product_attention as attend
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


@right
def capped(query, key, value, cap, after=False):
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    future = np.triu(np.ones(scores.shape[-2:], bool), k=1)
    if not after:
        scores = cap * np.tanh(scores / cap)
    scores = np.where(future, -np.inf, scores)
    return soft(cap * np.tanh(scores / cap) if after else scores) @ value


wrong("cap-after-mask")(lambda *four: capped(*four, after=True))


@wrong("cap-after-mask")
def hidden_are_minus_cap(query, key, value, cap):
    scores = cap * np.tanh(query @ key.mT / query.shape[-1] ** 0.5 / cap)
    return soft(np.where(np.tri(scores.shape[-1], dtype=bool), scores, -cap)) @ value


wrong("cap-on-output")(
    lambda query, key, value, cap: (
        cap * np.tanh(attend(query, key, value, is_causal=True) / cap)
    )
)
