"""shift_matrix: a step along the sentence turns every pair of an encoding."""

import numpy as np

from attncourse.practice.exercise import exercise
from named_mistakes.exercise import Case, Steps


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw steps ahead, back and on the spot."""
    near, far = int(rng.integers(1, 4)), int(rng.integers(4, 30))
    back = -int(rng.integers(1, 12))
    few, more = int(rng.choice([4, 6])), int(rng.choice([8, 10, 12]))
    sizes = {
        "a short step": (near, few),
        "a long step": (far, more),
        "a step back": (back, few),
        "no step": (0, more),
    }
    return [Case(label, {"k": k, "d_model": d}) for label, (k, d) in sizes.items()]


def _turns(angle: np.ndarray, *, sign: float = -1.0) -> np.ndarray:
    """Write each turn as a block, for rows (sin a, cos a): (2, 2, n_pairs)."""
    return np.array(
        [[np.cos(angle), sign * np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    )


def _laid_out(blocks: np.ndarray, order: str = "iajb") -> np.ndarray:
    """Put the blocks on the diagonal of one matrix, two columns side by side."""
    n = blocks.shape[-1]
    return np.einsum(f"abi,ij->{order}", blocks, np.eye(n)).reshape(2 * n, 2 * n)


def _encoded(s, position: int) -> np.ndarray:
    """Encode one position, as a matrix of one row."""
    angle = position / s.base**s.exponent
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(1, -1)


def _speeds(s, first: int) -> np.ndarray:
    """Turn each pair with the speed that its first or its second column would have."""
    columns = np.arange(first, s.d_model, 2)
    return _laid_out(_turns(s.k / s.base ** (columns / s.d_model)))


def _overlapping(s) -> np.ndarray:
    matrix = np.zeros((s.d_model, s.d_model))
    for i in range(s.d_model // 2):
        matrix[i : i + 2, i : i + 2] = s.blocks[..., i]
    return matrix


def _first(s, rest: float) -> np.ndarray:
    matrix = rest * np.eye(s.d_model)
    matrix[:2, :2] = s.blocks[..., 0]
    return matrix


# A pair turns by k / base ** exponent; exponent is 2i/d_model for pair i.
SHIFT: Steps = {
    "pair": lambda s: np.arange(s.d_model // 2),
    "exponent": lambda s: 2 * s.pair / s.d_model,
    "base": lambda s: 10_000.0,
    "angle": lambda s: s.k / s.base**s.exponent,
    "blocks": lambda s: _turns(s.angle),
    "matrix": lambda s: _laid_out(s.blocks),
}


def shift_matrix(k: int, d_model: int) -> np.ndarray:
    """Turn pair i by k / 10000^(2i/d_model): encoding[p] @ M is encoding[p + k]."""
    angle = k / 10_000.0 ** (2 * np.arange(d_model // 2) / d_model)
    return _laid_out(_turns(angle))


TABLE = """
SIGNS = the sines of a block: position 0 has (0, 1) in each pair, and that row times M
        has to be position k
EXPONENT = the exponent of 10000: what i counts, and where the 2 comes from
ANGLE = by how much each pair turns when you go one word on

blocks | rotates-backwards | {SIGNS}
    a turn the other way = _turns(-angle)

blocks | sign-of-k-lost | a step back: it turns the other way
    turning by the size of k = _turns(np.abs(angle))
    staying on the spot for a k below 0, as a loop over range(k) does =
        _turns(np.maximum(angle, 0))

blocks | sines-missing | the sines of a block: a turn mixes the two numbers of a pair
    cosines without sines = _turns(angle) * np.eye(2)[..., None]

blocks | sine-cosine-swapped | where the sines of a block stand: for k = 0 it is 1 on
        the diagonal
    for n in 1, -1: sines on the diagonal and cosines beside it =
        _turns({n} * (angle - np.pi / 2))
    sines on the diagonal and cosines beside it = _turns(angle)[::-1]

blocks | cosines-missing | the diagonal of a block: a turn mixes the two numbers of a
        pair
    sines without cosines = _turns(angle) * (1 - np.eye(2))[..., None]

blocks | minus-missing | a block applied to (1, 0) and to (0, 1): both keep their length
    sines without a minus = _turns(angle, sign=1.0)
    a minus before both sines = _turns(-angle, sign=1.0)

matrix | one-row-only | what M has to do: take every position p to p + k, not only one
        of them
    a matrix that takes position 0 to k and is fitted to no other =
        np.linalg.pinv(_encoded(s, 0)) @ _encoded(s, k)
    adding the rows of 0 and k up, each with each = _encoded(s, 0).T @ _encoded(s, k)

matrix | multiplied-by-k | what M has to do: turn each pair, so that no number grows
    a number times the identity = k * np.eye(d_model)
    adding k = np.eye(d_model) + k
    k times the matrix of one step = k * _laid_out(_turns(1 / base**exponent))

matrix | k-ignored | where k is used: it says how far each pair turns
    the identity, which moves nothing = np.eye(d_model)
    one step, whatever k is = _laid_out(_turns(1 / base**exponent))

matrix | one-pair-only | how many pairs turn: d_model / 2, each in a block of its own
    the block of the first pair, and no others = _turns(np.array(float(k)))

matrix | blocks-overlap | where a block begins: a pair takes two rows and two columns
    blocks that begin one row after another = _overlapping(s)

matrix | one-pair-only | how many pairs turn: d_model / 2 of them, each with its own
        block
    a block for the first pair and 0 elsewhere = _first(s, 0.0)
    a block for the first pair and 1 elsewhere = _first(s, 1.0)

matrix | halves-instead-of-interleaved | the columns of the encoding: where does the
        cosine of a sine stand?
    taking all sines first and then all cosines = _laid_out(blocks, "aibj")

matrix | columns-shifted | what M does to one row: numbers turn in pairs, none of them
        moves away
    moving columns by k = np.eye(d_model, k=k)
    moving columns by k = np.eye(d_model, k=-k)
    for n in 1, 0: moving columns by k = np.roll(np.eye(d_model), k, {n})

matrix | two-speeds-in-a-pair | the speed of a pair: its sine and its cosine turn
        together
    a speed for every column, of odd number too =
        np.where(np.arange(d_model) % 2, _speeds(s, 1), _speeds(s, 0))
    a speed for every row, of odd number too =
        np.where(np.arange(d_model)[:, None] % 2, _speeds(s, 1), _speeds(s, 0))

exponent | exponent-doubled | {EXPONENT}
    an exponent of twice the size = 4 * pair / d_model

# It is 0 for every pair: the code tells it from a turn that all share.
exponent | exponent-cut-off | the division in the exponent | hides: same-turn-for-all |
        written: // d_model
    an exponent divided with // = 2 * pair // d_model + 0.0

exponent | pairs-from-one | what i counts: the first pair is pair 0
    pairs counted from 1 = 2 * (pair + 1) / d_model

exponent | exponent-halved | {EXPONENT}
    an exponent of half the size, or 100 as the base = pair / d_model

angle | same-turn-for-all | {ANGLE}
    turning all pairs by k = k + 0 * exponent

angle | exponent-precedence | the order in which Python reads ** and /: the exponent
        needs brackets
    10000 ** i / d_model, without brackets = k / (base ** pair / d_model)
    k / 10000 ** i / d_model, without brackets = k / base ** pair / d_model
    10000 ** i / d_model, without brackets = k / (base ** (2 * pair) / d_model)
    k / 10000 ** i / d_model, without brackets = k / base ** (2 * pair) / d_model

angle | degrees | the unit of the angle: NumPy's sine wants radians
    angles taken for degrees = np.deg2rad(k / base**exponent)

angle | off-by-one | how far a step of k goes: for k = 0 nothing turns
    a step of k + 1 = (k + 1) / base**exponent
    a step of k − 1 = (k - 1) / base**exponent

angle | multiplied-by-frequency | {ANGLE}
    multiplying by the power of 10000 = k * base**exponent

base | other-base | the base of the power
    for n in 1000, 100000, 1e+06: {n} in place of 10000 = float({n})
"""

EXERCISE = exercise(globals(), shift_matrix, SHIFT, returns=("matrix",), has_pairs=True)
