"""rotary_attention: queries and keys are turned by their positions, values are not."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import stable
from attncourse.practice.mistakes.scale import scale_mistakes
from attncourse.practice.mistakes.tables import mistakes_in
from attnlib import (
    rotary_embedding,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of even length, alone, in heads and in batches."""
    n, more = (int(p) for p in rng.permutation([5, 7, 11])[:2])
    sizes = {
        "one text": ((n,), 8, 6),
        "another text, d_v = d_k": ((more,), 6, 6),
        "heads": ((3, n), 4, 8),
        "a batch of heads": ((2, 3, n), 6, 4),
    }
    return [
        case(
            label,
            axes=3,
            query=normal(rng, *rows, d_k),
            key=normal(rng, *rows, d_k),
            value=normal(rng, *rows, d_v),
        )
        for label, (rows, d_k, d_v) in sizes.items()
    ]


def reference(query, key, value):
    """Attnlib's own answer."""
    turned = rotary_embedding(query), rotary_embedding(key)
    return scaled_dot_product_attention(*turned, value)


def _neighbours(x: np.ndarray) -> np.ndarray:
    return rotary_embedding(x, interleaved=True)


ROTARY: Steps = {
    "turned_query": lambda s: rotary_embedding(s.query),
    "turned_key": lambda s: rotary_embedding(s.key),
    "values": lambda s: s.value,
    "scores": lambda s: s.turned_query @ s.turned_key.mT,
    "scaled": plain.ATTENTION["scaled"],
    "weights": lambda s: stable(s.scaled),
    "output": lambda s: s.weights @ s.values,
}

BOTH = "what is turned: queries and keys, so that only their distance counts"
WAYS = {
    "values": {
        "values-rotated": (
            "what is turned: a value should be handed over as it is",
            ("turning the values as well", lambda s: rotary_embedding(s.value)),
        ),
    },
    "scores": {
        "not-rotated": (
            BOTH,
            ("attention that knows no positions", lambda s: s.query @ s.key.mT),
            ("turning the queries only", lambda s: s.turned_query @ s.key.mT),
            ("turning the keys only", lambda s: s.query @ s.turned_key.mT),
        ),
        "pairs-interleaved": (
            "which columns make a pair: column i and column i + d/2",
            (
                "pairing neighbors, columns 0 and 1 and so on",
                lambda s: _neighbours(s.query) @ _neighbours(s.key).mT,
            ),
        ),
        "rotates-against-each-other": (
            "the signs of the sines: queries and keys turn the same way",
            (
                "turning keys the other way",
                lambda s: s.turned_query @ _backwards(s.key).mT,
            ),
        ),
        "positions-shifted": (
            "the positions: queries and keys of one text count from the same place",
            ("queries that stand one further than keys", lambda s: _apart(s, 1)),
            ("queries that stand one before keys", lambda s: _apart(s, -1)),
        ),
        "added-instead-of-turned": (
            "how a position gets in: a rotation multiplies, nothing is added",
            (
                "adding a positional encoding",
                lambda s: _added(s.query) @ _added(s.key).mT,
            ),
        ),
    },
}


def _backwards(x: np.ndarray) -> np.ndarray:
    return rotary_embedding(x, positions=-np.arange(x.shape[-2]))


def _apart(s, step: int) -> np.ndarray:
    places = np.arange(s.query.shape[-2]) + step
    return rotary_embedding(s.query, positions=places) @ s.turned_key.mT


def _added(x: np.ndarray) -> np.ndarray:
    return x + sinusoidal_positional_encoding(*x.shape[-2:])


MISTAKES = (
    *(one for step, ways in WAYS.items() for one in mistakes_in(step, ways)),
    *scale_mistakes(),
)

EXERCISES = (Exercise("rotary_attention", reference, draw, ROTARY, MISTAKES),)
