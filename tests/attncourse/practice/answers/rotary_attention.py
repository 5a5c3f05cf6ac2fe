"""Right and wrong answers for rotary_attention, in several styles."""

import numpy as np

from tests.attncourse.practice.answers import answers_of
from tests.attncourse.practice.answers.rotate_pairs import turn, turn_neighbors
from tests.attncourse.practice.judging import soft

right, wrong = answers_of(__name__)


def attend(query, key, value):
    return soft(query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5) @ value


right(lambda q, k, v: attend(turn(q), turn(k), v))
wrong("pairs-interleaved")(
    lambda q, k, v: attend(turn_neighbors(q), turn_neighbors(k), v)
)
wrong("values-rotated")(lambda q, k, v: attend(*map(turn, (q, k, v))))
wrong("not-rotated")(lambda q, k, v: attend(turn(q), k, v))


@wrong("rotates-against-each-other")
def no_conjugate(query, key, value):
    def complex_rows(x):
        first, second = np.split(turn(x), 2, axis=-1)
        return first + 1j * second

    scores = (complex_rows(query) @ complex_rows(key).mT).real
    return soft(scores / query.shape[-1] ** 0.5) @ value
