"""positional_encoding: sines and cosines that tell positions apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.exercise import Case, Exercise, Steps, mistake
from attncourse.practice.engine.report import Finding
from attnlib.positions import sinusoidal_positional_encoding


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


def _waves(even, odd):
    return lambda s: np.where(_columns(s) % 2 == 0, even(s.angle), odd(s.angle))


# An angle is position / base ** exponent; exponent is 2i/d_model for pair i.
ENCODING: Steps = {
    "position": lambda s: np.arange(s.n_positions)[:, None],
    "exponent": lambda s: 2 * _pairs(s) / s.d_model,
    "base": lambda s: 10_000.0,
    "angle": lambda s: s.position / s.base**s.exponent,
    "waves": _waves(np.sin, np.cos),
    "encoding": lambda s: s.waves,
}

EXPONENT = "the exponent of 10000: what i counts, and where the 2 comes from"
LAYOUT = "the columns: which hold sines and which cosines"
BRACKETS = "the order in which Python reads ** and /: the whole exponent needs brackets"
ANGLE = "the angle: position / 10000^(2i/d_model), and nothing else"
ROLES = "what counts rows and what counts columns"


def _by_rows(s, size: int) -> np.ndarray:
    """Let rows be the dimensions, of which there are so many, and columns positions."""
    row = np.arange(s.n_positions)[:, None]
    angle = _columns(s) / s.base ** (2 * (row // 2) / size)
    return np.where(row % 2 == 0, np.sin(angle), np.cos(angle))


def _half(s) -> int:
    return s.d_model // 2


MISTAKES = (
    *(
        mistake("exponent-doubled", cause, EXPONENT, exponent=exponent)
        for cause, exponent in (
            (
                "an i that steps by 2 and is doubled once more",
                lambda s: 4 * _pairs(s) / s.d_model,
            ),
            (
                "doubling the number of the column",
                lambda s: 2 * _columns(s) / s.d_model,
            ),
        )
    ),
    *(
        mistake("exponent-precedence", cause, BRACKETS, angle=angle)
        for what, i in (("", _pairs), (", where i steps by 2", lambda s: 2 * _pairs(s)))
        for cause, angle in (
            (
                f"10000 ** i / d_model, without brackets{what}",
                lambda s, i=i: s.position / (s.base ** i(s) / s.d_model),
            ),
            (
                f"position / 10000 ** i / d_model, without brackets{what}",
                lambda s, i=i: s.position / s.base ** i(s) / s.d_model,
            ),
            (
                f"position / 10000 ** 2 * i / d_model, without brackets{what}",
                lambda s, i=i: s.position / s.base**2 * i(s) / s.d_model,
            ),
        )
    ),
    mistake(
        "pairs-from-one",
        "pairs that are counted from 1",
        "what i counts: the first pair is pair 0",
        exponent=lambda s: 2 * (_pairs(s) + 1) / s.d_model,
    ),
    mistake(
        "cosines-only",
        "cosines in all columns",
        LAYOUT,
        waves=_waves(np.cos, np.cos),
    ),
    mistake(
        "halves-instead-of-interleaved",
        "all the cosines first and then all the sines",
        LAYOUT,
        exponent=lambda s: 2 * (_columns(s) % _half(s)) / s.d_model,
        waves=lambda s: np.where(
            _columns(s) < _half(s), np.cos(s.angle), np.sin(s.angle)
        ),
    ),
    mistake(
        "rescaled",
        "numbers from 0 to 1",
        "what is asked: sines and cosines, from −1 to 1",
        encoding=lambda s: (s.waves + 1) / 2,
    ),
    *(
        mistake("angle-changed", cause, ANGLE, angle=angle)
        for cause, angle in (
            (
                "an angle with a minus",
                lambda s: -s.position / s.base**s.exponent,
            ),
            (
                "an angle times 2π",
                lambda s: 2 * np.pi * s.position / s.base**s.exponent,
            ),
            ("an angle times π", lambda s: np.pi * s.position / s.base**s.exponent),
            (
                "positions that are divided by their number",
                lambda s: s.position / s.n_positions / s.base**s.exponent,
            ),
            (
                "multiplying by 2i/d_model where a power was expected",
                lambda s: s.position / s.base * s.exponent,
            ),
            (
                "dividing by 10000 · 2i/d_model where a power was expected",
                lambda s: s.position / np.maximum(s.base * s.exponent, 1e-9),
            ),
        )
    ),
    mistake(
        "exponent-cut-off",
        "no exponent, or one divided with //",
        "the division in the exponent",
        exponent=lambda s: 2 * _pairs(s) // s.d_model,
    ),
    mistake(
        "other-denominator",
        "dividing the exponent by d_model − 2",
        EXPONENT,
        exponent=lambda s: 2 * _pairs(s) / (s.d_model - 2),
    ),
    mistake(
        "degrees",
        "angles taken for degrees",
        "the unit of the angle: NumPy's sine wants radians",
        angle=lambda s: np.deg2rad(s.position / s.base**s.exponent),
    ),
    mistake(
        "frequency-not-shared",
        "a frequency of its own for each column",
        "what the two columns of a pair have in common",
        exponent=lambda s: _columns(s) / s.d_model,
    ),
    mistake(
        "exponent-halved",
        "an exponent of half the size, or 100 as the base",
        EXPONENT,
        exponent=lambda s: _pairs(s) / s.d_model,
    ),
    mistake(
        "sine-cosine-swapped",
        "cosines in the even columns and sines in the odd ones",
        LAYOUT,
        waves=_waves(np.cos, np.sin),
    ),
    mistake("sines-only", "sines in all columns", LAYOUT, waves=_waves(np.sin, np.sin)),
    mistake(
        "halves-instead-of-interleaved",
        "all the sines first and then all the cosines",
        LAYOUT,
        exponent=lambda s: 2 * (_columns(s) % _half(s)) / s.d_model,
        waves=lambda s: np.where(
            _columns(s) < _half(s), np.sin(s.angle), np.cos(s.angle)
        ),
    ),
    *(
        mistake(
            "position-and-dimension-swapped",
            "exchanging the numbers of position and column in the angle",
            ROLES,
            position=lambda s, count=count: count(s)[None],
            exponent=lambda s: 2 * np.arange(s.n_positions)[:, None] / s.d_model,
        )
        for count in (_pairs, _columns, lambda s: 2 * _pairs(s))
    ),
    *(
        mistake("position-and-dimension-swapped", cause, ROLES, encoding=encoding)
        for cause, encoding in (
            (
                "a column for each position and a row for each dimension",
                lambda s: s.waves.T,
            ),
            (
                "taking the number of positions for d_model and d_model for it",
                lambda s: _by_rows(s, s.n_positions).T,
            ),
            (
                "counting positions along the row and dimensions down the column",
                lambda s: _by_rows(s, s.n_positions),
            ),
            (
                "counting positions along the row and dimensions down the column",
                lambda s: _by_rows(s, s.d_model),
            ),
            (
                "sines of all positions above their cosines, reshaped",
                lambda s: np.stack(
                    [np.sin(s.angle)[:, ::2], np.cos(s.angle)[:, ::2]]
                ).reshape(s.n_positions, s.d_model),
            ),
        )
    ),
    mistake(
        "starts-at-one",
        "positions that start at 1",
        "the first row: it belongs to position 0",
        position=lambda s: np.arange(1, s.n_positions + 1)[:, None],
    ),
    mistake(
        "multiplied-by-frequency",
        "multiplying by the power of 10000",
        "what the position is divided by: later pairs turn more slowly",
        angle=lambda s: s.position * s.base**s.exponent,
    ),
    *(
        mistake(
            "other-base",
            f"{base:g} in place of 10000",
            "the base of the power",
            base=lambda s, base=base: base,
        )
        for base in (10.0, 1000.0, 1e5, 1e6)
    ),
    *(
        mistake(
            "other-base",
            f"a logarithm of base {what} of 10000 where exp undoes the natural one",
            "the logarithm and the power: each has to undo the other",
            base=lambda s, base=base: base,
        )
        for what, base in (("10", np.exp(4.0)), ("2", np.exp(np.log2(1e4))))
    ),
)


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
