"""rotary_attention: queries and keys are turned by their positions, values are not."""

from __future__ import annotations

import numpy as np

from attncourse.practice.engine.cases import case, normal
from attncourse.practice.engine.exercise import Case, Exercise, Steps
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import in_place_of, stable
from attncourse.practice.mistakes.scale import after_mistakes, scale_mistakes
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

EXPONENT = "the exponent of 10000: 2i/d for pair i"
BOTH = "what is turned: queries and keys, so that only their distance counts"
WAYS = {
    "values": {
        "values-rotated": (
            "what is turned: a value should be handed over as it is",
            ("turning the values as well", lambda s: rotary_embedding(s.value)),
        ),
    },
    "output": {
        "output-rotated": (
            "what is turned, and when: queries and keys, before they meet in a score",
            (
                "attention without positions, and a turn of what it puts out",
                lambda s: rotary_embedding(_plainly(s)),
            ),
            (
                "turning what attention puts out, too",
                lambda s: rotary_embedding(s.weights @ s.values),
            ),
            (
                "turning queries and keys, and what attention puts out back",
                lambda s: _backwards(s.weights @ s.values),
            ),
            (
                "turning the values alone",
                lambda s: (
                    stable(s.query @ s.key.mT / s.query.shape[-1] ** 0.5)
                    @ rotary_embedding(s.value)
                ),
            ),
        ),
        "value-key-swapped": (
            "what is mixed: the values",
            ("a weighted sum of turned keys", lambda s: s.weights @ s.turned_key),
            ("a weighted sum of keys", lambda s: s.weights @ s.key),
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
        "rotated-twice": (
            "how often each row is turned: once",
            (
                "turning queries and keys twice",
                lambda s: (
                    rotary_embedding(s.turned_query) @ rotary_embedding(s.turned_key).mT
                ),
            ),
        ),
        "query-key-swapped": (
            "which rows are the queries: there is a row of scores for each of them",
            (
                "scoring each key against the queries",
                lambda s: s.turned_key @ s.turned_query.mT,
            ),
        ),
        "mask-not-asked": (
            "what is asked: every query may see every key",
            (
                "a causal mask",
                lambda s: np.where(
                    np.tri(s.query.shape[-2], dtype=bool),
                    s.turned_query @ s.turned_key.mT,
                    -np.inf,
                ),
            ),
        ),
        "other-base": (
            "the base of the power: 10000",
            *(
                (
                    f"{base:g} in place of 10000",
                    lambda s, base=base: _with(s, base=base),
                )
                for base in (10.0, 1000.0, 1e5, 5e5, 1e6)
            ),
        ),
        "exponent-halved": (
            EXPONENT,
            (
                "an exponent of half the size, or 100 as the base",
                lambda s: _with(s, base=100.0),
            ),
        ),
        "exponent-doubled": (
            EXPONENT,
            ("an exponent of twice the size", lambda s: _with(s, base=1e8)),
        ),
        "same-turn-for-all": (
            "the angle: later pairs turn more slowly",
            (
                "turning all pairs by the position itself",
                lambda s: _with(s, base=1.0 + 1e-12),
            ),
        ),
        "other-axis": (
            "which axis counts the positions: the one before the last",
            (
                "counting positions along the first axis",
                lambda s: _over_first(s.query) @ _over_first(s.key).mT,
            ),
        ),
        "rotates-against-each-other": (
            "the signs of the sines: queries and keys turn the same way",
            (
                "turning keys the other way",
                lambda s: s.turned_query @ _backwards(s.key).mT,
            ),
            (
                "turning queries the other way",
                lambda s: _backwards(s.query) @ s.turned_key.mT,
            ),
        ),
        "rotates-backwards": (
            "the signs of the sines: (a cos − b sin, a sin + b cos)",
            (
                "turning queries and keys the other way",
                lambda s: _backwards(s.query) @ _backwards(s.key).mT,
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
                "adding what is turned to what is not",
                lambda s: (s.query + s.turned_query) @ (s.key + s.turned_key).mT,
            ),
            (
                "adding a positional encoding to turned queries and keys",
                lambda s: _added(s.turned_query) @ _added(s.turned_key).mT,
            ),
            (
                "adding a positional encoding",
                lambda s: _added(s.query) @ _added(s.key).mT,
            ),
        ),
    },
}


def _plainly(s) -> np.ndarray:
    return stable(s.query @ s.key.mT / s.query.shape[-1] ** 0.5) @ s.value


def _with(s, **how) -> np.ndarray:
    return rotary_embedding(s.query, **how) @ rotary_embedding(s.key, **how).mT


def _over_first(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(rotary_embedding(np.swapaxes(x, 0, -2)), 0, -2)


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
    *after_mistakes(),
    *in_place_of("weights", "scaled", ("overflow",)),
)

EXERCISES = (
    Exercise("rotary_attention", reference, draw, ROTARY, MISTAKES, has_pairs=True),
)
