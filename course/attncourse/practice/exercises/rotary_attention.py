"""rotary_attention: queries and keys are turned by their positions, values are not."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attncourse.practice.exercises import attention as plain
from attncourse.practice.mistakes.normalization import stable
from attnlib import (
    rotary_embedding,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of even length, alone, in heads and in batches."""
    n, more = (int(p) for p in rng.permutation([5, 7, 11])[:2])
    sizes = {
        "one text": ((n,), 8, 6),
        "another text, d_v = d_k": ((more,), 6, 6),
        "heads": ((3, n), 4, 8),
        "a batch of heads": ((2, 3, n), 6, 4),
    }
    shapes = {
        label: ((*rows, d_k), (*rows, d_k), (*rows, d_v))
        for label, (rows, d_k, d_v) in sizes.items()
    }
    return drawn(rng, shapes, "query", "key", "value", axes=3)


def reference(query, key, value):
    """Attnlib's own answer."""
    turned = rotary_embedding(query), rotary_embedding(key)
    return scaled_dot_product_attention(*turned, value)


ROTARY: Steps = {
    "turned_query": lambda s: rotary_embedding(s.query),
    "turned_key": lambda s: rotary_embedding(s.key),
    "values": lambda s: s.value,
    "scores": lambda s: s.turned_query @ s.turned_key.mT,
    "scaled": plain.ATTENTION["scaled"],
    "weights": lambda s: stable(s.scaled),
    "output": lambda s: s.weights @ s.values,
}


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


TABLE = """
from attncourse.practice.mistakes import scale
from attncourse.practice.mistakes.normalization import in_place_of
from attncourse.practice.mistakes.scale import after_mistakes

BOTH = what is turned: queries and keys, so that only their distance counts
EXPONENT = the exponent of 10000: 2i/d for pair i

values | values-rotated | what is turned: a value should be handed over as it is
    turning the values as well = rotary_embedding(value)

output | output-rotated | what is turned, and when: queries and keys, before they meet
        in a score
    attention without positions, and a turn of what it puts out =
        rotary_embedding(stable(query @ key.mT / query.shape[-1] ** 0.5) @ value)
    turning what attention puts out, too = rotary_embedding(weights @ values)
    turning queries and keys, and what attention puts out back =
        _backwards(weights @ values)
    turning the values alone =
        stable(query @ key.mT / query.shape[-1] ** 0.5) @ rotary_embedding(value)

output | value-key-swapped | what is mixed: the values
    a weighted sum of turned keys = weights @ turned_key
    a weighted sum of keys = weights @ key

scores | not-rotated | {BOTH}
    attention that knows no positions = query @ key.mT
    turning the queries only = turned_query @ key.mT
    turning the keys only = query @ turned_key.mT

scores | pairs-interleaved | which columns make a pair: column i and column i + d/2
    pairing neighbors, columns 0 and 1 and so on = _with(s, interleaved=True)

scores | rotated-twice | how often each row is turned: once
    turning queries and keys twice =
        rotary_embedding(turned_query) @ rotary_embedding(turned_key).mT
    turning queries twice and keys once = rotary_embedding(turned_query) @ turned_key.mT
    turning keys twice and queries once = turned_query @ rotary_embedding(turned_key).mT

scores | query-key-swapped | which rows are the queries: there is a row of scores for
        each of them
    scoring each key against the queries = turned_key @ turned_query.mT

scores | mask-not-asked | what is asked: every query may see every key
    a causal mask =
        np.where(
            np.tri(query.shape[-2], dtype=bool), turned_query @ turned_key.mT, -np.inf
        )

scores | other-base | the base of the power: 10000
    for n in 10, 1000, 100000, 500000, 1e+06:
        {n} in place of 10000 = _with(s, base=float({n}))

scores | exponent-halved | {EXPONENT}
    an exponent of half the size, or 100 as the base = _with(s, base=100.0)

scores | exponent-doubled | {EXPONENT}
    an exponent of twice the size = _with(s, base=100000000.0)

scores | same-turn-for-all | the angle: later pairs turn more slowly
    turning all pairs by the position itself = _with(s, base=1.0 + 1e-12)

scores | other-axis | which axis counts the positions: the one before the last
    counting positions along the first axis = _over_first(query) @ _over_first(key).mT

scores | rotates-against-each-other | the signs of the sines: queries and keys turn the
        same way
    turning keys the other way = turned_query @ _backwards(key).mT
    turning queries the other way = _backwards(query) @ turned_key.mT

scores | rotates-against-each-other | the sign of the imaginary part: a dot product of
        complex numbers conjugates one of them
    multiplying complex numbers with no conjugate =
        turned_query @ (turned_key * np.repeat([1, -1], key.shape[-1] // 2)).mT

scores | rotates-backwards | the signs of the sines: (a cos − b sin, a sin + b cos)
    turning queries and keys the other way = _backwards(query) @ _backwards(key).mT

scores | positions-shifted | the positions: queries and keys of one text count from the
        same place
    queries that stand one further than keys = _apart(s, 1)
    queries that stand one before keys = _apart(s, -1)

scores | added-instead-of-turned | how a position gets in: a rotation multiplies,
        nothing is added
    adding what is turned to what is not =
        (query + turned_query) @ (key + turned_key).mT
    adding a positional encoding to turned queries and keys =
        _added(turned_query) @ _added(turned_key).mT
    adding a positional encoding = _added(query) @ _added(key).mT

scores | added-instead-of-turned | how a position gets in: each pair of columns turns,
        before there are scores
    scores times the cosine of the distance =
        query @ key.mT * np.cos(np.subtract.outer(*[np.arange(query.shape[-2])] * 2))

include only(plain.EXERCISE.mistakes, "weights-returned", "softmax-missing")
include scale.MISTAKES
include after_mistakes()
include in_place_of("weights", "scaled", ("overflow",))
"""

EXERCISE = exercise(globals(), reference, ROTARY, has_pairs=True)
