"""shift_matrix: a step along the sentence turns every pair of an encoding."""

from __future__ import annotations

import numpy as np

from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.table import read_beside


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


def _pairs(s) -> np.ndarray:
    return np.arange(s.d_model // 2)


def _turns(angle: np.ndarray, *, sign: float = -1.0) -> np.ndarray:
    """Write each turn as a block, for rows (sin a, cos a): (2, 2, n_pairs)."""
    return np.array(
        [[np.cos(angle), sign * np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    )


def _laid_out(blocks: np.ndarray, order: str = "iajb") -> np.ndarray:
    """Put the blocks on the diagonal of one matrix, two columns side by side."""
    n = blocks.shape[-1]
    return np.einsum(f"abi,ij->{order}", blocks, np.eye(n)).reshape(2 * n, 2 * n)


def _mirror(angle: np.ndarray) -> np.ndarray:
    sin, cos = np.sin(angle), np.cos(angle)
    return np.array([[sin, cos], [cos, -sin]])


def _swapped(angle: np.ndarray, sign: int) -> np.ndarray:
    sin, cos = np.sin(angle), np.cos(angle)
    return np.array([[sin, sign * cos], [-sign * cos, sin]])


def _encoded(s, position: int) -> np.ndarray:
    """Encode one position, as a matrix of one row."""
    angle = position / s.base**s.exponent
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(1, -1)


def _one(s) -> np.ndarray:
    return _turns(1 / s.base**s.exponent)


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
    "exponent": lambda s: 2 * _pairs(s) / s.d_model,
    "base": lambda s: 10_000.0,
    "angle": lambda s: s.k / s.base**s.exponent,
    "blocks": lambda s: _turns(s.angle),
    "matrix": lambda s: _laid_out(s.blocks),
}


def shift_matrix(k: int, d_model: int) -> np.ndarray:
    """Turn pair i by k / 10000^(2i/d_model): encoding[p] @ M is encoding[p + k]."""
    angle = k / 10_000.0 ** (2 * np.arange(d_model // 2) / d_model)
    return _laid_out(_turns(angle))


MISTAKES = read_beside(__file__, globals(), SHIFT)

EXERCISES = (
    Exercise(
        "shift_matrix",
        shift_matrix,
        draw,
        SHIFT,
        MISTAKES,
        returns=("matrix",),
        has_pairs=True,
    ),
)
