"""rotate_pairs: rotary positions, which turn queries and keys."""

import numpy as np

from attncourse.practice.exercise import drawn, exercise
from attnlib import rotary_embedding
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw rows of even length, alone and in batches."""
    n, heads = (int(p) for p in rng.permutation([5, 7, 11])[:2])
    shapes = {
        "a few rows": (n, 6),
        "one pair": (n, 2),
        "as many rows as columns": (8, 8),
        "heads": (heads, n, 4),
        "a batch of heads": (2, 3, n, 8),
    }
    return drawn(rng, shapes, "x")


def rotary(x: np.ndarray) -> np.ndarray:
    """Attnlib's own answer."""
    return rotary_embedding(x)


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def _neighbors(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x[..., 0::2], x[..., 1::2]


def _joined(s, pairs, sign: float = 1.0) -> np.ndarray:
    a, b = pairs(s.x)
    cos, sin = np.cos(s.angle), sign * np.sin(s.angle)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def _made(s, form) -> np.ndarray:
    """Make both halves from a, b, cos and sin, and join them."""
    halves = form(*_halves(s.x), np.cos(s.angle), np.sin(s.angle))
    return np.concatenate(halves, axis=-1)


def _woven(s, pairs) -> np.ndarray:
    """Turn pairs, and put them back as neighbors."""
    halves = np.split(_joined(s, pairs), 2, axis=-1)
    return np.stack(halves, axis=-1).reshape(s.x.shape)


def _angle_by_column(s) -> np.ndarray:
    """Give the two columns of a pair frequencies of their own."""
    d = s.x.shape[-1]
    angle = s.position / 10_000.0 ** (np.arange(d) / d)
    a, b = _halves(s.x)
    return s.x * np.cos(angle) + np.concatenate([-b, a], axis=-1) * np.sin(angle)


ROTARY: Steps = {
    "position": lambda s: np.arange(s.x.shape[-2])[:, None],
    "exponent": lambda s: 2 * np.arange(s.x.shape[-1] // 2) / s.x.shape[-1],
    "angle": lambda s: s.position / 10_000.0**s.exponent,
    "output": lambda s: _joined(s, _halves),
}


def _power(s, factor: int) -> np.ndarray:
    return 10_000.0 ** (factor * np.arange(s.x.shape[-1] // 2))


TABLE = """
PAIRS = which columns make a pair: column i and column i + d/2
SIGNS = the signs of the sines: (a cos − b sin, a sin + b cos)
EXPONENT = the exponent of 10000: 2i/d for pair i
ANGLE = the angle: later pairs turn more slowly

output | pairs-interleaved | {PAIRS}
    pairing neighbors, columns 0 and 1 and so on = _woven(s, _neighbors)
    pairing neighbors and joining halves = _joined(s, _neighbors)
    turning halves and putting them back as neighbors = _woven(s, _halves)

output | half-overwritten | the second half: it is made from the old first half, not
        from the new one
    turning the second half with a first half that is turned already =
        _made(s, lambda a, b, c, s: (a * c - b * s, (a * c - b * s) * s + b * c))
    turning the first half with a second half that is turned already =
        _made(s, lambda a, b, c, s: (a * c - (a * s + b * c) * s, a * s + b * c))

output | half-forgotten | both halves: (a cos − b sin, a sin + b cos)
    leaving the second half as it was = _made(s, lambda a, b, c, s: (a * c - b * s, b))
    leaving the first half as it was = _made(s, lambda a, b, c, s: (a, a * s + b * c))
    the two halves in each other's place =
        _made(s, lambda a, b, c, s: (a * s + b * c, a * c - b * s))
    a second half like the first =
        _made(s, lambda a, b, c, s: (a * c - b * s, a * c - b * s))

output | sines-missing | the sines: a turn mixes the two numbers of a pair
    cosines without sines = _made(s, lambda a, b, c, s: (a * c, b * c))
    cosines for one half and sines for the other =
        _made(s, lambda a, b, c, s: (a * c, b * s))
    cosines for one half and sines for the other =
        _made(s, lambda a, b, c, s: (a * s, b * c))

output | sine-cosine-swapped | which is multiplied by the cosine: at position 0 nothing
        turns
    sine and cosine in each other's place =
        _made(s, lambda a, b, c, s: (a * s - b * c, a * c + b * s))

output | minus-missing | {SIGNS}
    a minus in both halves = _made(s, lambda a, b, c, s: (a * c - b * s, a * s - b * c))
    a minus in both halves = _made(s, lambda a, b, c, s: (a * c - b * s, b * c - a * s))
    a turn without a minus =
        _made(s, lambda a, b, c, s: (a * c + b * s, a * s + b * c))

output | frequency-not-shared | the angle: the two columns of a pair turn together
    a frequency of its own for each column = _angle_by_column(s)

output | joined-along-tokens | the axis along which the halves are joined: that of the
        columns
    joining the two halves along axis -2 =
        np.concatenate(np.split(_joined(s, _halves), 2, -1), axis=-2)

output | encoding-added | how a position gets in: a rotation multiplies, nothing is
        added
    adding sines and cosines = _made(s, lambda a, b, c, s: (a + s, b + c))
    adding cosines and sines = _made(s, lambda a, b, c, s: (a + c, b + s))

output | rotates-backwards | {SIGNS}
    a turn the other way = _joined(s, _halves, -1.0)

position | starts-at-one | the first row: it stands at position 0 and is not turned
    positions that start at 1 = np.arange(1, x.shape[-2] + 1)[:, None]

exponent | exponent-doubled | {EXPONENT}
    an exponent of twice the size = 4 * np.arange(x.shape[-1] // 2) / x.shape[-1]

exponent | exponent-cut-off | {EXPONENT}
    an exponent that counts pairs and is divided by their number less 1 =
        np.arange(x.shape[-1] // 2) / max(x.shape[-1] // 2 - 1, 1)

exponent | pairs-from-one | {EXPONENT}
    pairs counted from 1 = 2 * (np.arange(x.shape[-1] // 2) + 1) / x.shape[-1]

exponent | exponent-halved | {EXPONENT}
    an exponent of half the size, or 100 as the base =
        np.arange(x.shape[-1] // 2) / x.shape[-1]

angle | other-base | the base of the power: 10000
    for n in 10, 1000, 100000, 500000, 1e+06:
        {n} in place of 10000 = position / float({n}) ** exponent

angle | exponent-precedence | the order in which Python reads ** and /: the exponent
        needs brackets
    10000 ** i / d, without brackets = position / (_power(s, 1) / x.shape[-1])
    p / 10000 ** i / d, without brackets = position / _power(s, 1) / x.shape[-1]
    10000 ** i / d, without brackets = position / (_power(s, 2) / x.shape[-1])
    p / 10000 ** i / d, without brackets = position / _power(s, 2) / x.shape[-1]

angle | degrees | the unit of the angle: NumPy's sine wants radians
    angles taken for degrees = np.deg2rad(position / 10000.0**exponent)

angle | other-axis | which axis counts the positions: the one before the last
    counting positions along the first axis =
        np.arange(x.shape[0]).reshape(-1, *[1] * (x.ndim - 1)) / 10000.0**exponent

angle | same-turn-for-all | {ANGLE}
    turning all pairs by the position itself = position + 0 * exponent

angle | multiplied-by-frequency | {ANGLE}
    multiplying by the power of 10000 = position * 10000.0**exponent
"""

EXERCISE = exercise(globals(), rotary, ROTARY, has_pairs=True)
