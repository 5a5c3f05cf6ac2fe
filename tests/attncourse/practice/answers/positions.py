"""Right and wrong answers to the exercises of lesson 7, in several styles."""

import math

import numpy as np

from attnlib import sinusoidal_positional_encoding
from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.judging import changed, without_source

right, wrong = answers_of("positional_encoding")


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


wrong("exponent-doubled")(changed(with_slices, "/ d_model)) → * 2 / d_model))"))
wrong("halves-instead-of-interleaved")(
    lambda n, d: with_slices(n, d).reshape(n, -1, 2).mT.reshape(n, d)
)


wrong("position-and-dimension-swapped")(
    built(lambda pos, pair, d: pair / 10000 ** (2 * pos / d))
)


wrong("sine-cosine-swapped")(
    lambda n, d: with_slices(n, d).reshape(n, -1, 2)[..., ::-1].reshape(n, d)
)
wrong("position-and-dimension-swapped")(
    lambda n, d: with_slices(n, d).T,
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
wrong("starts-at-one")(lambda n, d: sinusoidal_positional_encoding(n + 1, d)[1:])
wrong("same-for-every-position")(
    lambda n, d: np.broadcast_to(np.sin(np.arange(d)), (n, d))
)
wrong("frequency-not-shared")(
    by_columns(lambda pos, column, d: pos / 10000 ** (column / d))
)
wrong("exponent-halved")(built(lambda pos, pair, d: pos / 10000 ** (pair / d)))
wrong("multiplied-by-frequency")(
    built(lambda pos, pair, d: pos * 10000 ** (2 * pair / d))
)
wrong("other-base")(lambda n, d: sinusoidal_positional_encoding(n, d, base=100_000.0))
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


wrong("position-raised")(built(lambda pos, pair, d: pos ** (2 * pair / d) / 10000))
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


@wrong("one-piece-wrong", says="which places does it fill")
def filled_twice(n_positions, d_model):
    filled = np.zeros((n_positions, d_model))
    for i in range(d_model // 2):
        angle = np.arange(n_positions) / 10_000 ** (2 * i / d_model)
        filled[:, i], filled[:, i + 1] = np.sin(angle), np.cos(angle)
    return filled


right, wrong = answers_of("shift_matrix")


def blocks(angle=true_angle, block=None):
    """Pair by pair, four numbers at a time: angle(k, pair, d_model)."""

    def turn(a):
        return (math.cos(a), -math.sin(a)), (math.sin(a), math.cos(a))

    def answer(k, d_model):
        matrix = [[0.0] * d_model for _ in range(d_model)]
        for pair in range(d_model // 2):
            (a, b), (c, d) = (block or turn)(angle(k, pair, d_model))
            matrix[2 * pair][2 * pair : 2 * pair + 2] = a, b
            matrix[2 * pair + 1][2 * pair : 2 * pair + 2] = c, d
        return matrix

    return answer


@right
def by_least_squares(k, d_model):
    """Ask the encodings themselves, with no formula at all."""
    encoding = sinusoidal_positional_encoding(4000, d_model)
    starts = np.arange(abs(k), 4000 - abs(k), 7)
    return np.linalg.lstsq(encoding[starts], encoding[starts + k])[0]


@wrong("halves-instead-of-interleaved")
def in_halves(k, d_model):
    angle = true_angle(k, np.arange(d_model // 2), d_model)
    cos, sin = np.diag(np.cos(angle)), np.diag(np.sin(angle))
    return np.block([[cos, -sin], [sin, cos]])


wrong("exponent-doubled")(blocks(lambda k, pair, d: k / 1e8 ** (2 * pair / d)))
wrong("minus-missing")(
    blocks(block=lambda a: ((math.cos(a), math.sin(a)), (math.sin(a), math.cos(a))))
)
wrong("columns-shifted")(
    lambda k, d_model: np.roll(np.eye(d_model), k, axis=1),
    lambda k, d_model: np.eye(d_model, k=k),
)
wrong("sign-of-k-lost")(lambda k, d_model: blocks()(max(k, 0), d_model))


wrong("rotates-backwards")(lambda k, d_model: blocks()(-k, d_model))
wrong("exponent-halved")(blocks(lambda k, pair, d: k / 100 ** (2 * pair / d)))
wrong("multiplied-by-frequency")(blocks(lambda k, pair, d: k * 10000 ** (2 * pair / d)))
wrong("other-base")(
    blocks(lambda k, pair, d: k * math.exp(-2 * pair / d * math.log(1e5)))
)


wrong("rotates-backwards", "halves-instead-of-interleaved")(
    lambda k, d_model: in_halves(-k, d_model)
)


@wrong("two-speeds-in-a-pair")
def every_column_its_own(k, d_model):
    turn = k / 10_000 ** (np.arange(d_model) / d_model)
    matrix = np.diag(np.cos(turn))
    for j in range(0, d_model, 2):
        matrix[j + 1, j] = np.sin(turn[j])
        matrix[j, j + 1] = -np.sin(turn[j + 1])
    return matrix


@wrong("exponent-cut-off")
def cut_off(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        a = k / 10_000 ** (i // d_model)
        turn = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        matrix[i : i + 2, i : i + 2] = turn
    return matrix


def same(k, d_model):
    turn = [[np.cos(k), -np.sin(k)], [np.sin(k), np.cos(k)]]
    return np.kron(np.eye(d_model // 2), turn)


wrong("same-turn-for-all")(same, without_source(same))  # the text decides, if any
