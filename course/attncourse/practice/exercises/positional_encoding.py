"""positional_encoding: sines and cosines that tell positions apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attnlib.positions import sinusoidal_positional_encoding
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.report import Finding
from named_mistakes.table import read_beside


def draw(rng: np.random.Generator) -> list[Case]:
    """Prime numbers of positions, and a square."""
    few, more = rng.choice([5, 7, 11]), rng.choice([13, 17, 19])
    sizes = {
        "a few positions": (few, rng.choice([4, 6])),
        "more positions": (more, rng.choice([8, 10, 12])),
        "a square": (6, 6),
    }
    return [
        Case(label, {"n_positions": int(n), "d_model": int(d)})
        for label, (n, d) in sizes.items()
    ]


def _columns(s) -> np.ndarray:
    return np.arange(s.d_model)


def _pairs(s) -> np.ndarray:
    return _columns(s) // 2


# An angle is position / base ** exponent; exponent is 2i/d_model for pair i.
ENCODING: Steps = {
    "position": lambda s: np.arange(s.n_positions)[:, None],
    "exponent": lambda s: 2 * _pairs(s) / s.d_model,
    "base": lambda s: 10_000.0,
    "angle": lambda s: s.position / s.base**s.exponent,
    "waves": lambda s: np.where(_columns(s) % 2 == 0, np.sin(s.angle), np.cos(s.angle)),
    "encoding": lambda s: s.waves,
}


def _by_rows(s, size: int) -> np.ndarray:
    """Let rows be the dimensions, of which there are so many, and columns positions."""
    row = np.arange(s.n_positions)[:, None]
    angle = _columns(s) / s.base ** (2 * (row // 2) / size)
    return np.where(row % 2 == 0, np.sin(angle), np.cos(angle))


def _half(s) -> int:
    return s.d_model // 2


def same_rows(exercise: Exercise, judged: list[Judged], named: list[str]) -> Iterator:
    """All rows equal: no word could tell where it stands."""
    fitting = [j for j in judged if j.fits]
    if fitting and all(np.all(j.close(j.got[0], j.got[0][:1])) for j in fitting):
        yield Finding(
            "same-for-every-position",
            f"For {fitting[0].case.described()} all rows of your encoding are equal, "
            "so every word gets the same position. Look at where the position enters "
            "the angle.",
        )


MISTAKES = read_beside(__file__, globals(), ENCODING)

EXERCISES = (
    Exercise(
        "positional_encoding",
        sinusoidal_positional_encoding,
        draw,
        ENCODING,
        MISTAKES,
        signs=(same_rows,),
        returns=("encoding",),
        has_pairs=True,
    ),
)
