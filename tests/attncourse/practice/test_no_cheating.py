"""No checker is passed by anything but right answers."""

import inspect

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check

pytestmark = [pytest.mark.slow, pytest.mark.long]

everywhere = pytest.mark.parametrize("name", list(EXERCISES))


def shapes_of(name, inputs):
    wanted = EXERCISES[name].reference(*(np.array(x) for x in inputs))
    return [np.shape(w) for w in (wanted if isinstance(wanted, tuple) else (wanted,))]


def filled(name, fill):
    """An answer of the right shape, with other contents."""

    def answer(*inputs):
        parts = tuple(fill(shape) for shape in shapes_of(name, inputs))
        return parts if len(parts) > 1 else parts[0]

    return answer


@everywhere
@pytest.mark.parametrize("fill", [np.zeros, np.ones])
def test_shapes_that_fit(name, fill):
    assert not check(name, filled(name, fill)).passed


@everywhere
def test_random_numbers(name):
    rng = np.random.default_rng(0)
    assert not check(name, filled(name, rng.standard_normal)).passed


@everywhere
def test_rows_that_sum_to_one(name):
    assert not check(
        name, filled(name, lambda s: np.full(s, 1 / s[-1] if s else 1))
    ).passed


WITHOUT_ARRAYS = (
    *("causal_mask", "window_mask"),
    *("positional_encoding", "shift_matrix", "cache_per_token"),
)
DRAWN = [name for name in EXERCISES if name not in WITHOUT_ARRAYS]


@pytest.mark.parametrize("name", DRAWN)
def test_answers_of_another_draw(name):
    """What attnlib gave for one seed is worth nothing for the next."""
    exercise, known = EXERCISES[name], {}
    for case in exercise.draw(np.random.default_rng(0)):
        shapes = tuple(np.shape(x) for x in case.inputs.values())
        known[shapes] = exercise.reference(*case.copies())

    def answer(*inputs):
        return known.get(tuple(np.shape(x) for x in inputs), np.zeros(3))

    assert not check(name, answer).passed


def all_bytes(inputs):
    return b" ".join(np.asarray(x).tobytes() for x in inputs)


@pytest.mark.parametrize("name", DRAWN)
def test_every_call_draws_anew(name):
    seen = []

    def answer(*inputs):
        seen.append(all_bytes(inputs))
        return 0.0

    check(name, answer)
    first = set(seen)
    seen.clear()
    check(name, answer)
    assert len(first) > 1
    assert first.isdisjoint(seen)


@pytest.mark.parametrize("name", DRAWN)
def test_the_global_random_state_is_neither_used_nor_changed(name):
    seen, firsts = [], []

    def answer(*inputs):
        seen.append(all_bytes(inputs))
        return 0.0

    for _ in range(2):
        np.random.seed(0)  # noqa: NPY002
        check(name, answer)
        assert np.random.random() == np.random.RandomState(0).random()  # noqa: NPY002
        firsts.append(seen[0])
        seen.clear()
    assert firsts[0] != firsts[1]


class Agreeable(np.ndarray):
    """Claims to equal everything."""

    def __array_ufunc__(self, *_, **__):
        return True

    def __eq__(self, _):
        return True

    def __array_function__(self, *_, **__):
        return True


@everywhere
def test_agreeable_arrays(name):
    answer = filled(name, lambda shape: np.zeros(shape).view(Agreeable))
    assert not check(name, answer).passed


@pytest.mark.parametrize("name", DRAWN)
def test_turning_the_inputs_into_the_answer(name):
    """Inputs set to 0 have simple answers; the verdict uses what was drawn."""

    def answer(*inputs):
        for x in inputs:
            if isinstance(x, np.ndarray):
                x[...] = 0
        return EXERCISES[name].reference(*inputs)

    found = {finding.code for finding in check(name, answer).findings}
    assert "inputs-changed" in found
    assert len(found) > 1


@pytest.mark.parametrize("name", DRAWN)
def test_result_changed_after_it_was_returned(name):
    """Keeping hold of what was returned is of no use: it was copied."""
    returned = []

    def answer(*inputs):
        for old, wanted in returned:
            old[...] = wanted
        wanted = EXERCISES[name].reference(*(np.array(x) for x in inputs))
        if isinstance(wanted, tuple):
            return tuple(np.zeros_like(w) for w in wanted)
        returned.append((np.zeros(np.shape(wanted)), wanted))
        return returned[-1][0]

    assert not check(name, answer).passed


@everywhere
def test_nothing_of_use_on_the_stack(name):
    """No frame above the answer holds an array other than its inputs."""
    found = []

    def answer(*inputs):
        sizes = {np.shape(x) for x in inputs}
        frame = inspect.currentframe().f_back
        while frame is not None and "practice" in frame.f_code.co_filename:
            local = frame.f_locals.values()
            found.extend(
                x for x in local if isinstance(x, np.ndarray) and x.shape not in sizes
            )
            frame = frame.f_back
        return 0.0

    check(name, answer)
    assert found == []
