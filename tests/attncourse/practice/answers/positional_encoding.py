"""Right and wrong answers for positional_encoding, in several styles."""

import math

import numpy as np

from attnlib import sinusoidal_positional_encoding
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def built(angle, even=math.sin, odd=math.cos, first=0):
    """Number by number: angle(position, pair, d_model)."""

    def answer(n_positions, d_model):
        rows = []
        for position in range(first, n_positions + first):
            row = []
            for pair in range(d_model // 2):
                a = angle(position, pair, d_model)
                row += [even(a), odd(a)]
            rows.append(row)
        return rows

    return answer


def true_angle(position, pair, d_model):
    return position / 10000 ** (2 * pair / d_model)


@right
def with_slices(n_positions, d_model):
    encoding = np.empty((n_positions, d_model), dtype=np.float32)
    rate = np.exp(np.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    encoding[:, 0::2] = np.sin(np.arange(n_positions)[:, None] * rate)
    encoding[:, 1::2] = np.cos(np.outer(np.arange(n_positions), rate))
    return encoding


def by_columns(angle):
    """Each column for itself: sine where the column is even, else cosine."""

    def answer(n_positions, d_model):
        out = np.zeros((n_positions, d_model))
        for pos in range(n_positions):
            for column in range(d_model):
                wave = math.sin if column % 2 == 0 else math.cos
                out[pos, column] = wave(angle(pos, column, d_model))
        return out

    return answer


@wrong("exponent-doubled")
def post_style(n_positions, d_model):
    out = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(0, d_model, 2):
            out[pos, i] = np.sin(pos / 10000 ** (2 * i / d_model))
            out[pos, i + 1] = np.cos(pos / 10000 ** (2 * (i + 1) / d_model))
    return out


@wrong("exponent-doubled")
def post_style_one_rate(n_positions, d_model):
    out = np.zeros((n_positions, d_model))
    even = np.arange(0, d_model, 2)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * even / d_model)
    out[:, ::2], out[:, 1::2] = np.sin(angles), np.cos(angles)
    return out


@wrong("halves-instead-of-interleaved")
def halves(n_positions, d_model):
    angles = np.arange(n_positions)[:, None] / 10000 ** (
        2 * np.arange(d_model // 2) / d_model
    )
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


@wrong("halves-instead-of-interleaved")
def halves_by_loops(n_positions, d_model):
    pairs = range(d_model // 2)
    return [
        [math.sin(true_angle(p, i, d_model)) for i in pairs]
        + [math.cos(true_angle(p, i, d_model)) for i in pairs]
        for p in range(n_positions)
    ]


@wrong("position-and-dimension-swapped")
def roles_swapped(n_positions, d_model):
    """Position in the exponent, dimension above it."""
    out = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for pair in range(d_model // 2):
            angle = pair / 10000 ** (2 * pos / d_model)
            out[pos, 2 * pair : 2 * pair + 2] = math.sin(angle), math.cos(angle)
    return out


right(sinusoidal_positional_encoding, built(true_angle))
wrong("exponent-doubled")(
    by_columns(lambda pos, column, d: pos / 10000 ** (2 * column / d)),
    built(lambda pos, pair, d: pos / 10000 ** (4 * pair / d)),
)
wrong("sine-cosine-swapped")(
    built(true_angle, even=math.cos, odd=math.sin),
    lambda n, d: with_slices(n, d).reshape(n, -1, 2)[..., ::-1].reshape(n, d),
)
wrong("position-and-dimension-swapped")(
    lambda n, d: with_slices(n, d).T,
    lambda n, d: np.transpose(built(true_angle)(n, d)),
    by_columns(lambda pos, column, d: column / 10000 ** (2 * pos / d)),
    lambda n, d: sinusoidal_positional_encoding(d, n),
    lambda n, d: sinusoidal_positional_encoding(d, n).T,
    lambda n, d: [
        [
            (math.cos if i % 2 else math.sin)(pos / 10000 ** ((i - i % 2) / d))
            for pos in range(d)
        ]
        for i in range(n)
    ],
)
wrong("starts-at-one")(
    built(true_angle, first=1),
    lambda n, d: sinusoidal_positional_encoding(n + 1, d)[1:],
)
wrong("same-for-every-position")(
    lambda n, d: np.tile(with_slices(n, d)[-1], (n, 1)),
    lambda n, d: np.broadcast_to(np.sin(np.arange(d)), (n, d)),
)
wrong("frequency-not-shared")(
    by_columns(lambda pos, column, d: pos / 10000 ** (column / d))
)
wrong("exponent-halved")(built(lambda pos, pair, d: pos / 10000 ** (pair / d)))
wrong("multiplied-by-frequency")(
    built(lambda pos, pair, d: pos * 10000 ** (2 * pair / d))
)
wrong("other-base")(
    built(lambda pos, pair, d: pos / 1000 ** (2 * pair / d)),
    lambda n, d: sinusoidal_positional_encoding(n, d, base=100_000.0),
)
wrong("sines-only")(built(true_angle, odd=math.sin))
wrong("sine-cosine-swapped", "starts-at-one")(
    built(true_angle, even=math.cos, odd=math.sin, first=1)
)


def power_of_quotient(pos, pair, d):
    return (pos / 10000) ** (2 * pair / d)


def zeros_first(angle):
    """Leave row 0 as it was made, and fill those after it."""

    def answer(n_positions, d_model):
        out = np.array(by_columns(angle)(n_positions, d_model))
        out[0] = 0
        return out

    return answer


wrong("position-raised")(
    built(power_of_quotient),
    by_columns(lambda pos, column, d: (pos / 10000) ** (2 * (column // 2) / d)),
    built(lambda pos, pair, d: pos ** (2 * pair / d) / 10000),
)
wrong("position-raised", "exponent-doubled")(
    by_columns(lambda pos, column, d: (pos / 10000) ** (2 * column / d))
)
wrong("position-raised", "sine-cosine-swapped")(
    built(power_of_quotient, even=math.cos, odd=math.sin)
)
wrong("first-row-zeros")(
    zeros_first(lambda pos, column, d: true_angle(pos, column // 2, d))
)
wrong("first-row-zeros", "exponent-doubled")(
    zeros_first(lambda pos, column, d: pos / 10000 ** (2 * column / d))
)
