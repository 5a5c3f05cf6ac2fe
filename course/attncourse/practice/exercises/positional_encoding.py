"""positional_encoding: sines and cosines that tell positions apart."""

from collections.abc import Iterator

import numpy as np

from attncourse.practice.exercise import exercise
from attnlib.positions import sinusoidal_positional_encoding
from named_mistakes.compare import Judged
from named_mistakes.exercise import Case, Exercise, Steps
from named_mistakes.report import Finding


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


# An angle is position / base ** exponent; exponent is 2i/d_model for pair i.
ENCODING: Steps = {
    "column": lambda s: np.arange(s.d_model),
    "pair": lambda s: s.column // 2,
    "position": lambda s: np.arange(s.n_positions)[:, None],
    "exponent": lambda s: 2 * s.pair / s.d_model,
    "base": lambda s: 10_000.0,
    "angle": lambda s: s.position / s.base**s.exponent,
    "waves": lambda s: np.where(s.column % 2 == 0, np.sin(s.angle), np.cos(s.angle)),
    "encoding": lambda s: s.waves,
}


def _by_rows(s, size: int) -> np.ndarray:
    """Let rows be the dimensions, of which there are so many, and columns positions."""
    row = np.arange(s.n_positions)[:, None]
    angle = s.column / s.base ** (2 * (row // 2) / size)
    return np.where(row % 2 == 0, np.sin(angle), np.cos(angle))


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


TABLE = """
EXPONENT = the exponent of 10000: what i counts, and where the 2 comes from
BRACKETS = the order in which Python reads ** and /: the whole exponent needs brackets
LAYOUT = the columns: which hold sines and which cosines
ANGLE = the angle: position / 10000^(2i/d_model), and nothing else
ROLES = what counts rows and what counts columns

exponent | exponent-doubled | {EXPONENT}
    an i that steps by 2 and is doubled once more = 4 * pair / d_model
    doubling the number of the column = 2 * column / d_model

angle | exponent-precedence | {BRACKETS}
    10000 ** i / d_model, without brackets = position / (base ** pair / d_model)
    position / 10000 ** i / d_model, without brackets =
        position / base ** pair / d_model
    position / 10000 ** 2 * i / d_model, without brackets =
        position / base**2 * pair / d_model
    10000 ** i / d_model, without brackets, where i steps by 2 =
        position / (base ** (2 * pair) / d_model)
    position / 10000 ** i / d_model, without brackets, where i steps by 2 =
        position / base ** (2 * pair) / d_model
    position / 10000 ** 2 * i / d_model, without brackets, where i steps by 2 =
        position / base**2 * (2 * pair) / d_model

angle | position-raised | what is raised to the power 2i/d_model: 10000 alone
    the power of position / 10000 = (position / base) ** exponent
    the power of the position = position**exponent / base

encoding | first-row-zeros | the first row: the sine of 0 is 0, and the cosine is 1
    a row of zeros for position 0 = np.where(position == 0, 0.0, waves)

exponent | pairs-from-one | what i counts: the first pair is pair 0
    pairs that are counted from 1 = 2 * (pair + 1) / d_model

waves | cosines-only | {LAYOUT}
    cosines in all columns =
        np.where(column % 2 == 0, np.cos(angle), np.cos(angle))

exponent, waves | halves-instead-of-interleaved | {LAYOUT}
    all the cosines first and then all the sines =
        2 * (column % (d_model // 2)) / d_model,
        np.where(column < d_model // 2, np.cos(angle), np.sin(angle))

encoding | rescaled | what is asked: sines and cosines, from −1 to 1
    numbers from 0 to 1 = (waves + 1) / 2

angle | angle-changed | {ANGLE}
    an angle with a minus = -position / base**exponent
    an angle times 2π = 2 * np.pi * position / base**exponent
    an angle times π = np.pi * position / base**exponent
    positions that are divided by their number = position / n_positions / base**exponent
    multiplying by 2i/d_model where a power was expected = position / base * exponent
    dividing by 10000 · 2i/d_model where a power was expected =
        position / np.maximum(base * exponent, 1e-9)

exponent | exponent-cut-off | the division in the exponent
    no exponent, or one divided with // = 2 * pair // d_model

exponent | other-denominator | {EXPONENT}
    dividing the exponent by d_model − 2 = 2 * pair / (d_model - 2)

angle | degrees | the unit of the angle: NumPy's sine wants radians
    angles taken for degrees = np.deg2rad(position / base**exponent)

exponent | frequency-not-shared | what the two columns of a pair have in common
    a frequency of its own for each column = column / d_model

exponent | exponent-halved | {EXPONENT}
    an exponent of half the size, or 100 as the base = pair / d_model

waves | sine-cosine-swapped | {LAYOUT}
    cosines in the even columns and sines in the odd ones =
        np.where(column % 2 == 0, np.cos(angle), np.sin(angle))

waves | sines-only | {LAYOUT}
    sines in all columns = np.where(column % 2 == 0, np.sin(angle), np.sin(angle))

exponent, waves | halves-instead-of-interleaved | {LAYOUT}
    all the sines first and then all the cosines =
        2 * (column % (d_model // 2)) / d_model,
        np.where(column < d_model // 2, np.sin(angle), np.cos(angle))

position, exponent | position-and-dimension-swapped | {ROLES}
    for what in pair, column, 2 * pair:
        exchanging the numbers of position and column in the angle =
        ({what})[None], 2 * np.arange(n_positions)[:, None] / d_model

encoding | position-and-dimension-swapped | {ROLES}
    a column for each position and a row for each dimension = waves.T
    taking the number of positions for d_model and d_model for it =
        _by_rows(s, n_positions).T
    for what in n_positions, d_model:
        counting positions along the row and dimensions down the column =
        _by_rows(s, {what})
    sines of all positions above their cosines, reshaped =
        np.stack([np.sin(angle)[:, ::2], np.cos(angle)[:, ::2]]).reshape(
            n_positions, d_model
        )

position | starts-at-one | the first row: it belongs to position 0
    positions that start at 1 = np.arange(1, n_positions + 1)[:, None]

encoding | waves-missing | the last step: the sine and the cosine of each angle
    the angles themselves = angle

angle | multiplied-by-frequency | what the position is divided by: later pairs turn more
        slowly
    multiplying by the power of 10000 = position * base**exponent

base | other-base | the base of the power
    for n in 10, 1000, 100000, 1e+06: {n} in place of 10000 = float({n})

base | other-base | the logarithm and the power: each has to undo the other
    a logarithm of base 10 of 10000 where exp undoes the natural one =
        np.exp(4.0)
    a logarithm of base 2 of 10000 where exp undoes the natural one =
        np.exp(np.log2(1e4))
"""

EXERCISE = exercise(
    globals(),
    sinusoidal_positional_encoding,
    ENCODING,
    signs=(same_rows,),
    returns=("encoding",),
    has_pairs=True,
)
