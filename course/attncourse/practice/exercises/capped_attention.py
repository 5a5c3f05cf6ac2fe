"""capped_attention: causal attention whose scores are bent below a cap."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.exercises import attention as plain
from attncourse.practice.exercises.masked_attention import soft
from attncourse.practice.mistakes.normalization import WITH_MASK, in_place_of
from attncourse.practice.mistakes.scale import after_mistakes, scale_mistakes
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib import scaled_dot_product_attention


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
    arrays = {
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

ORDER = "the order of cap and mask: tanh makes a number of −∞"
FORMULA = "the formula of the cap: cap · tanh(score / cap)"
FUTURE = "the mask: no query may see a later key"
WAYS = {
    "hidden": {
        "cap-after-mask": (
            ORDER,
            (
                "a cap after the mask, which turns −∞ into −cap",
                lambda s: s.cap * np.tanh(_causal(s, s.scaled) / s.cap),
            ),
        ),
        "score-zero-instead-of-minus-infinity": (
            "the weight that a hidden score still gets: whose exponential is 0?",
            (
                "giving hidden pairs a score of 0",
                lambda s: np.tril(s.capped),
            ),
            (
                "giving hidden pairs a score of 0 before the cap",
                lambda s: s.cap * np.tanh(np.tril(s.scaled) / s.cap),
            ),
        ),
        "hides-itself": (
            "the mask: a query may see its own key",
            (
                "hiding each token from itself",
                lambda s: np.where(_seen(s, -1), s.capped, -np.inf),
            ),
        ),
        "looks-ahead": (
            FUTURE,
            (
                "a mask the wrong way round",
                lambda s: np.where(_seen(s, 0).T, s.capped, -np.inf),
            ),
            (
                "hiding what may be seen and showing the future",
                lambda s: np.where(_seen(s, 0), -np.inf, s.capped),
            ),
            (
                "a mask that lets each token see one ahead",
                lambda s: np.where(_seen(s, 1), s.capped, -np.inf),
            ),
        ),
        "mask-too-weak": (
            "the weight that a hidden score still gets: whose exponential is 0?",
            *(
                (
                    f"giving hidden pairs a score of {number:g}",
                    lambda s, number=number: np.where(_seen(s, 0), s.capped, number),
                )
                for number in (-1.0, -10.0)
            ),
        ),
        "mask-ignored": (
            FUTURE,
            ("letting every query see the future", lambda s: s.capped),
        ),
    },
    "capped": {
        "cap-ignored": (
            "where the cap is used",
            ("attention without any cap", lambda s: s.scaled),
        ),
        "cap-not-multiplied": (
            FORMULA,
            (
                "tanh(score / cap), which is at most 1",
                lambda s: np.tanh(s.scaled / s.cap),
            ),
        ),
        "cap-not-divided": (
            FORMULA,
            ("cap · tanh(score)", lambda s: s.cap * np.tanh(s.scaled)),
        ),
        "clipped-instead-of-bent": (
            FORMULA,
            (
                "cutting scores off at the cap",
                lambda s: np.clip(s.scaled, -s.cap, s.cap),
            ),
        ),
        "cap-turned-round": (
            FORMULA,
            (
                "tanh(score · cap) / cap",
                lambda s: np.tanh(s.scaled * s.cap) / s.cap,
            ),
            ("tanh(score · cap)", lambda s: np.tanh(s.scaled * s.cap)),
            (
                "cap · tanh(score · cap)",
                lambda s: s.cap * np.tanh(s.scaled * s.cap),
            ),
            ("tanh(score)", lambda s: np.tanh(s.scaled)),
            (
                "dividing the scores by the cap",
                lambda s: s.scaled / s.cap,
            ),
            ("cap · tan(score / cap)", lambda s: s.cap * np.tan(s.scaled / s.cap)),
            ("cap · sin(score / cap)", lambda s: s.cap * np.sin(s.scaled / s.cap)),
            (
                "cap · arctan(score / cap)",
                lambda s: s.cap * np.arctan(s.scaled / s.cap),
            ),
            ("cutting off above alone", lambda s: np.minimum(s.scaled, s.cap)),
            (
                "score / (1 + |score| / cap)",
                lambda s: s.scaled / (1 + np.abs(s.scaled) / s.cap),
            ),
            (
                "a sigmoid in place of tanh",
                lambda s: s.cap / (1 + np.exp(-s.scaled / s.cap)),
            ),
        ),
        "capped-twice": (
            "how often the scores are capped: once",
            (
                "a cap on top of the cap",
                lambda s: s.cap * np.tanh(np.tanh(s.scaled / s.cap)),
            ),
        ),
        "cap-before-scale": (
            "the order of scale and cap: the cap bends scaled scores",
            (
                "capping first and dividing by √d_k after it",
                lambda s: s.cap * np.tanh(s.scores / s.cap) / s.query.shape[-1] ** 0.5,
            ),
        ),
    },
}
LATE = {
    "mask-after-softmax": (
        "the step at which the mask comes in: softmax should share among the rest",
        (
            "setting weights to 0 after softmax",
            lambda s: np.tril(soft(s.capped)),
        ),
    ),
    "cap-after-softmax": (
        "what is capped: the scores, before softmax",
        (
            "capping the weights",
            lambda s: s.cap * np.tanh(soft(_causal(s, s.scaled)) / s.cap),
        ),
    ),
}
MISTAKES = (
    *mistakes_in("weights", LATE),
    *(one for step, ways in WAYS.items() for one in mistakes_in(step, ways)),
    *scale_mistakes(),
    *(plain.VALUES[i] for i in (0, 3, 4)),
    *after_mistakes(lambda s: soft(s.hidden)),
    *in_place_of("weights", "hidden", (*WITH_MASK, "overflow")),
)

EXERCISES = (Exercise("capped_attention", reference, draw, CAPPED, MISTAKES),)
