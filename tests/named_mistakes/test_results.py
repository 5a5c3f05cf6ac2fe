"""Results that are no arrays of numbers, and errors: each has a code of its own."""

import numpy as np
import pytest

from tests.named_mistakes.toys import EXERCISES, assert_found, check

# What the engine does the same for all is tried on one exercise of each kind: one
# array, three arrays, whole numbers in and a mask out, several arrays out.
KINDS = ["softmax", "attention", "mask", "three_sums"]
of_each_kind = pytest.mark.parametrize("name", KINDS)


def test_wrong_number_of_arguments():
    (finding,) = check("softmax", lambda x, axis: x).findings
    assert finding.code == "crashed"
    assert "missing 1 required positional argument" in finding.message
    assert "It is called as softmax(x)" in finding.message


@of_each_kind
@pytest.mark.parametrize("error", [SystemExit, GeneratorExit, RecursionError, OSError])
def test_nothing_raised_gets_out(name, error):
    def answer(*_):
        raise error("no")

    assert_found(name, "crashed", answer)


def forgets_to_return(*inputs):
    inputs[0] * 2


def says_none(*_):
    return None


@of_each_kind
@pytest.mark.parametrize(
    "answer", [lambda *_: None, forgets_to_return, says_none, lambda *_: print()]
)
def test_returned_none(name, answer):
    assert_found(name, "returned-none", answer)


WRONG_TYPES = ["text", b"bytes", {"a": 1}, {1, 2}, object(), [[1.0], [1.0, 2.0]], range]


@of_each_kind
@pytest.mark.parametrize("what", [*WRONG_TYPES, (x for x in [1.0]), [None]])
def test_wrong_type(name, what):
    assert_found(name, "wrong-type", lambda *_: what)


def with_result(name, change):
    """A right answer whose result is changed at the end."""
    reference = EXERCISES[name].reference

    def answer(*inputs):
        result = reference(*inputs)
        return (
            tuple(map(change, result))
            if isinstance(result, tuple)
            else change(np.asarray(result))
        )

    return answer


@of_each_kind
@pytest.mark.parametrize("dtype", [int, complex, "i4", object, str])
def test_wrong_dtype(name, dtype):
    def change(x):
        return x.astype(dtype)

    assert_found(name, "wrong-dtype", with_result(name, change))
