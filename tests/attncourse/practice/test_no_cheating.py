"""No checker is passed by anything but right answers."""

import inspect

import numpy as np
import pytest

from attncourse.practice import EXERCISES, check

pytestmark = pytest.mark.slow

everywhere = pytest.mark.parametrize("name", list(EXERCISES))
WITHOUT_ARRAYS = (
    *("causal_mask", "window_mask"),
    *("positional_encoding", "shift_matrix", "cache_per_token"),
)
DRAWN = [name for name in EXERCISES if name not in WITHOUT_ARRAYS]
# What runs and judges answers is the same for all exercises: two tell of it, of which
# the answers are one array and several.
two = pytest.mark.parametrize("name", ["attention", "attention_gradient"])
FILLS = {
    "zeros": np.zeros,
    "ones": np.ones,
    "random numbers": np.random.default_rng(0).standard_normal,
    "rows that sum to 1": lambda shape: np.full(shape, 1 / shape[-1] if shape else 1),
}


def drawn(name, seed=0):
    """The cases of a draw, with the right answers."""
    cases = EXERCISES[name].draw(np.random.default_rng(seed))
    return [(case, EXERCISES[name].wanted(case)) for case in cases]


def filled(name, fill):
    """An answer of the right shape, with other contents."""

    def answer(*inputs):
        wanted = EXERCISES[name].reference(*(np.array(x) for x in inputs))
        if isinstance(wanted, tuple):
            return tuple(fill(np.shape(w)) for w in wanted)
        return fill(np.shape(wanted))

    return answer


@everywhere
def test_contents_that_need_no_inputs_are_far_from_right(name):
    pairs = drawn(name)
    for fill in FILLS.values():
        off = [np.abs(fill(w.shape) - w).max() for _, right in pairs for w in right]
        assert max(off) > 0.1


@two
@pytest.mark.parametrize("fill", FILLS)
def test_shapes_that_fit(name, fill):
    assert not check(name, filled(name, FILLS[fill])).passed


@pytest.mark.parametrize("name", DRAWN)
def test_each_draw_is_another_with_other_answers(name):
    """What was right for one seed is worth nothing for the next."""
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    first, other = drawn(name), drawn(name, 1)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    known = {all_bytes(case.inputs.values()): wanted for case, wanted in first}
    assert len(known) > 1
    assert known.keys().isdisjoint(all_bytes(c.inputs.values()) for c, _ in other)
    shapes = {shapes_of(case): wanted for case, wanted in first}
    off = [
        np.abs(np.subtract(a, b, dtype=float)).max()
        for case, wanted in other
        if shapes_of(case) in shapes
        for a, b in zip(shapes[shapes_of(case)], wanted, strict=True)
        if a.shape == b.shape
    ]
    assert max(off, default=1) > 0.01


def all_bytes(inputs):
    return b" ".join(np.asarray(x).tobytes() for x in inputs)


def shapes_of(case):
    return tuple(np.shape(x) for x in case.inputs.values())


@two
def test_every_call_draws_anew_and_not_by_the_global_random_state(name):
    seen = []

    def answer(*inputs):
        seen.append(all_bytes(inputs))
        return 0.0

    found = []
    for _ in range(2):
        np.random.seed(0)  # noqa: NPY002
        check(name, answer)
        assert np.random.random() == np.random.RandomState(0).random()  # noqa: NPY002
        found.append({*seen})
        seen.clear()
    assert len(found[0]) > 1
    assert found[0].isdisjoint(found[1])


class Agreeable(np.ndarray):
    """Claims to equal everything."""

    def __array_ufunc__(self, *_, **__):
        return True

    def __eq__(self, _):
        return True

    def __array_function__(self, *_, **__):
        return True


@two
def test_agreeable_arrays(name):
    answer = filled(name, lambda shape: np.zeros(shape).view(Agreeable))
    assert not check(name, answer).passed


@two
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


def test_result_changed_after_it_was_returned():
    """Keeping hold of what was returned is of no use: it was copied."""
    returned = []

    def answer(*inputs):
        for old, wanted in returned:
            old[...] = wanted
        wanted = EXERCISES["attention"].reference(*(np.array(x) for x in inputs))
        returned.append((np.zeros(np.shape(wanted)), wanted))
        return returned[-1][0]

    assert not check("attention", answer).passed


@two
def test_nothing_of_use_on_the_stack(name):
    """No frame above the answer holds an array other than its inputs."""
    found, calls = [], []

    def answer(*inputs):
        calls.append(inputs)
        sizes = {np.shape(x) for x in inputs}
        frame = inspect.currentframe().f_back
        while frame is not None and "pytest" not in frame.f_code.co_filename:
            local = frame.f_locals.values()
            found.extend(
                x for x in local if isinstance(x, np.ndarray) and x.shape not in sizes
            )
            frame = frame.f_back
        if len(calls) > 3:
            raise ArithmeticError
        return 0.0

    check(name, answer)
    assert found == []
