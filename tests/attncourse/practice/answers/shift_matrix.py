"""Right and wrong answers for shift_matrix, in several styles."""

import math

import numpy as np

from attnlib import sinusoidal_positional_encoding
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


def true_angle(k, pair, d_model):
    return k / 10000 ** (2 * pair / d_model)


def built(angle=true_angle, block=None):
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
def turned_rows(k, d_model):
    """Turn the rows of the identity, by slices."""
    eye = np.eye(d_model, dtype=np.float32)
    sines, cosines = eye[:, 0::2], eye[:, 1::2]
    angle = true_angle(k, np.arange(d_model // 2), d_model)
    matrix = np.empty_like(eye)
    matrix[:, 0::2] = sines * np.cos(angle) + cosines * np.sin(angle)
    matrix[:, 1::2] = cosines * np.cos(angle) - sines * np.sin(angle)
    return matrix


@right
def by_complex_numbers(k, d_model):
    """A pair is the number cos + i sin, and a turn is a product."""
    unit = np.eye(d_model)[:, 1::2] + 1j * np.eye(d_model)[:, 0::2]
    turned = unit * np.exp(1j * true_angle(k, np.arange(d_model // 2), d_model))
    return np.stack([turned.imag, turned.real], axis=-1).reshape(d_model, d_model)


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


@wrong("halves-instead-of-interleaved")
def in_halves_by_loops(k, d_model):
    matrix, half = np.zeros((d_model, d_model)), d_model // 2
    for i in range(half):
        a = true_angle(k, i, d_model)
        matrix[i, i] = matrix[i + half, i + half] = math.cos(a)
        matrix[i, i + half], matrix[i + half, i] = -math.sin(a), math.sin(a)
    return matrix


@wrong("rotates-backwards")
def for_columns(k, d_model):
    """A matrix that stands to the left of a column."""
    return np.transpose(built()(k, d_model))


@wrong("exponent-doubled")
def post_style(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        a = k / 10000 ** (2 * i / d_model)
        matrix[i : i + 2, i : i + 2] = (
            [math.cos(a), -math.sin(a)],
            [math.sin(a), math.cos(a)],
        )
    return matrix


@wrong("exponent-doubled")
def base_squared(k, d_model):
    angle = k * np.power(1e8, -np.arange(0, d_model, 2) / d_model)
    unit = np.eye(d_model)[:, 1::2] + 1j * np.eye(d_model)[:, 0::2]
    turned = unit * np.exp(1j * angle)
    return np.stack([turned.imag, turned.real], axis=-1).reshape(d_model, d_model)


@wrong("minus-missing")
def sines_alike(k, d_model):
    angle = np.repeat(true_angle(k, np.arange(d_model // 2), d_model), 2)
    swapped = np.kron(np.eye(d_model // 2), [[0, 1], [1, 0]])
    return np.diag(np.cos(angle)) + swapped * np.sin(angle)


@wrong("columns-shifted")
def rolled(k, d_model):
    matrix = np.zeros((d_model, d_model))
    for column in range(d_model):
        matrix[column, (column + k) % d_model] = 1
    return matrix


right(built())
wrong("rotates-backwards")(
    lambda k, d_model: built()(-k, d_model),
    built(block=lambda a: ((math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a)))),
)
wrong("exponent-doubled")(built(lambda k, pair, d: k / 10000 ** (4 * pair / d)))
wrong("exponent-halved")(
    built(lambda k, pair, d: k / 10000 ** (pair / d)),
    built(lambda k, pair, d: k / 100 ** (2 * pair / d)),
)
wrong("minus-missing")(
    built(block=lambda a: ((math.cos(a), math.sin(a)), (math.sin(a), math.cos(a))))
)
wrong("columns-shifted")(
    lambda k, d_model: np.transpose(rolled(k, d_model)),
    lambda k, d_model: np.eye(d_model, k=k),
    lambda k, d_model: np.eye(d_model, k=k).T,
    lambda k, d_model: [
        [float(j - i == k) for j in range(d_model)] for i in range(d_model)
    ],
)
wrong("same-turn-for-all")(
    built(lambda k, pair, d: k),
    lambda k, d_model: np.kron(
        np.eye(d_model // 2), [[np.cos(k), -np.sin(k)], [np.sin(k), np.cos(k)]]
    ),
)
wrong("multiplied-by-frequency")(
    built(lambda k, pair, d: k * 10000 ** (2 * pair / d)),
    built(lambda k, pair, d: k / 10000 ** (-2 * pair / d)),
)
wrong("other-base")(
    built(lambda k, pair, d: k / 1000 ** (2 * pair / d)),
    built(lambda k, pair, d: k * math.exp(-2 * pair / d * math.log(1e5))),
    built(lambda k, pair, d: k / 10 ** (12 * pair / d)),
)


@wrong("rotates-backwards", "halves-instead-of-interleaved")
def two_at_once(k, d_model):
    return in_halves(-k, d_model)


@wrong("sign-of-k-lost")
def nothing_back(k, d_model):
    rates = 1e4 ** (-np.arange(0, d_model, 2) / d_model)
    step = np.zeros((d_model, d_model))
    for i, angle in enumerate(rates):
        turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = turn
    return np.linalg.matrix_power(step, max(k, 0))


@wrong("two-speeds-in-a-pair")
def every_column_its_own(k, d_model):
    turn = k / 10_000 ** (np.arange(d_model) / d_model)
    matrix = np.diag(np.cos(turn))
    for j in range(0, d_model, 2):
        matrix[j + 1, j] = np.sin(turn[j])
        matrix[j, j + 1] = -np.sin(turn[j + 1])
    return matrix
