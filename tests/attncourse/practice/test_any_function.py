"""Faults of any function: crashes, wrong types, loops without end, and so on.

What runs an answer is the same for all exercises: each meets some of these, in turn.
"""

import copy
import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from attncourse.practice import EXERCISES, catalogue, check
from attnlib import softmax
from named_mistakes.limit import LINES, STEP
from tests.attncourse.practice.judging import SEEDS, assert_found, assert_passes
from tests.named_mistakes.toys import changed_result

pytestmark = [pytest.mark.slow, pytest.mark.long]
NAMES = list(EXERCISES)


def in_turn(*several, names=NAMES):
    """Pair each exercise with one of several."""
    return [*zip(names, itertools.cycle(several), strict=False)]


def test_every_file_of_exercises_is_in_the_catalogue():
    files = Path(catalogue.__file__).parent.glob("exercises/[!_]*.py")
    assert sorted(catalogue.NAMES) == sorted(path.stem for path in files)
    assert list(EXERCISES) == list(catalogue.NAMES)


@pytest.mark.parametrize("name", ["soft_max", "", None, ["softmax"]])
def test_unknown_exercise(name):
    with pytest.raises(ValueError, match="name must be one of look_up, "):
        check(name, softmax)


@pytest.mark.parametrize("name", NAMES[::2])
def test_crash(name):
    def answer(*inputs):
        return inputs[0] + undefined_name  # noqa: F821

    message = assert_found(name, "crashed", answer).findings[0].message
    assert "NameError: name 'undefined_name' is not defined" in message
    assert "`return inputs[0] + undefined_name" in message


def with_result(name, change):
    """A right answer whose result is changed at the end."""
    return changed_result(EXERCISES[name].reference, change)


@pytest.mark.parametrize("name", NAMES[1::2])
def test_wrong_shape(name):
    report = assert_found(name, "wrong-shape", with_result(name, lambda x: x[None]))
    message = report.findings[0].message
    assert "an axis of length 1 is left over" in message


def single(x):
    """Round to float32 what is a number with decimals."""
    x = np.asarray(x)
    return x.astype("f4") if x.dtype == float else x


FORMS = (lambda x: np.asarray(x).tolist(), lambda x: np.array(x, order="F"))


@pytest.mark.parametrize(("name", "form"), in_turn(*FORMS))
def test_a_right_answer_may_come_as_lists_and_column_by_column(name, form):
    assert_passes(name, with_result(name, form))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "encoder_layer"])
def test_a_right_answer_may_be_computed_in_float32(name):
    reference = EXERCISES[name].reference

    def answer(*inputs):
        return reference(
            *(single(x) if isinstance(x, np.ndarray) else x for x in inputs)
        )

    assert_passes(name, answer)


NUMBERS = [name for name in NAMES if not name.endswith(("causal_mask", "window_mask"))]


@pytest.mark.parametrize(("name", "hole"), in_turn(math.nan, math.inf, names=NUMBERS))
def test_nan(name, hole):
    def change(x):
        x = np.array(x, dtype=float)
        x.flat[0] = hole
        return x[()]

    assert_found(name, "nan", with_result(name, change))


SIZES_ONLY = ("positional_encoding", "shift_matrix", "cache_per_token")


@pytest.mark.parametrize("name", [n for n in NUMBERS if n not in SIZES_ONLY][::3])
def test_changed_inputs(name):
    reference = EXERCISES[name].reference

    def answer(*inputs):
        result = reference(*map(copy.copy, inputs))
        inputs[0][...] += 1
        return result

    report = check(name, answer)
    assert [finding.code for finding in report.findings] == ["inputs-changed"]


class Counter:
    """Count the lines that an answer runs, and steps of lines where they count."""

    def __init__(self, function):
        self.function, self.lines, self.most = function, 0, 0

    def __call__(self, *inputs):
        self.lines = 0
        outer = sys.gettrace()

        def count(*event):
            self.lines += STEP if event[1] == "opcode" else 1
            return count if outer(*event) else None

        sys.settrace(count)
        try:
            return self.function(*inputs)
        finally:
            sys.settrace(outer)
            self.most = max(self.most, self.lines)


def multiply(a, b):
    out = [[0.0] * len(b[0]) for _ in a]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                out[i][j] += a[i][k] * b[k][j]
    return out


def multi_head_in_plain_python(x, w_query, w_key, w_value, w_output, n_heads):
    """The most work that an exercise can be: every product a triple loop."""
    weights = (w_query, w_key, w_value, w_output)
    if x.ndim > 2:
        return [multi_head_in_plain_python(one, *weights, n_heads) for one in x]
    query, key, value = (multiply(x.tolist(), w.tolist()) for w in weights[:3])
    n, width = len(x), len(w_query) // n_heads
    joined = [[] for _ in range(n)]
    for h in range(n_heads):
        own = slice(h * width, (h + 1) * width)
        q, k, v = ([row[own] for row in part] for part in (query, key, value))
        scores = multiply(q, [list(column) for column in zip(*k, strict=True)])
        for i, row in enumerate(scores):
            powers = [math.exp((s - max(row)) / math.sqrt(width)) for s in row]
            weights_i = [[p / sum(powers) for p in powers]]
            joined[i] += multiply(weights_i, v)[0]
    return multiply(joined, w_output.tolist())


def test_room_for_loops():
    """A right answer in plain Python needs less than a fifth of the lines allowed."""
    answer = Counter(multi_head_in_plain_python)
    assert_passes("multi_head_attention", answer)
    assert 1000 < answer.most < LINES / 5


def test_work_is_bounded_by_the_number_of_calls():
    for name, exercise in EXERCISES.items():
        calls = []

        def answer(*inputs, calls=calls, reference=exercise.reference):
            calls.append(inputs)
            return reference(*inputs)

        assert check(name, answer).passed
        assert len(calls) <= 16
        assert all(np.size(x) <= 4096 for inputs in calls for x in inputs)


@pytest.mark.parametrize("name", NAMES)
def test_passing_and_open_texts_have_no_random_numbers(name):
    for answer in (EXERCISES[name].reference, None):
        texts = {repr(check(name, answer, seed=seed)) for seed in SEEDS}
        assert len(texts) == 1
