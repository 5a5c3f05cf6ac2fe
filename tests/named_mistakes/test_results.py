"""What an answer returns, and along which axes."""

import numpy as np
import pytest

from named_mistakes.answer import Answer
from named_mistakes.axes import suspect
from tests.named_mistakes.toys import (
    EXERCISES,
    assert_found,
    changed_result,
    check,
)

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


@of_each_kind
@pytest.mark.parametrize("dtype", [int, complex, "i4", object, str])
def test_wrong_dtype(name, dtype):
    def change(x):
        return x.astype(dtype)

    answer = changed_result(EXERCISES[name].reference, change)
    assert_found(name, "wrong-dtype", answer)


def letters(x, w):
    return np.einsum("bnd,dk->bnk", x, w)


def flat(x, w):
    return x.reshape(-1, w.shape[0]) @ w


def looped(x, w):
    return np.array([x[i] @ w for i in range(len(x))]) if x.ndim == 2 else x[..., 0]


def from_the_front(x):
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def first_value(w, v):
    return w @ v[(0,) * (v.ndim - 2)]


def unpacked(x, n_heads):
    batch, n, d = x.shape
    return x.reshape(batch, n, n_heads, d // n_heads).transpose(0, 2, 1, 3)


FOUND = [
    ("project", letters, "number-of-axes", "`'bnd,dk->bnk'`: these letters fix"),
    ("project", flat, "no-batch", "`x.reshape(-1, w.shape[0])`: it makes one axis"),
    ("project", looped, "no-batch", "`x[i]`|`len(x)`: it is the length"),
    ("split_heads", unpacked, "number-of-axes", "it takes exactly 3 axes"),
    ("standardized", from_the_front, "no-batch", "the answer is wrong. It is right"),
    ("weighted_sum", first_value, "first-for-all", "the first of `value`"),
    ("weighted_sum", lambda w, v: np.dot(w, v), "no-batch", "dot pairs every entry"),
    (
        "scores",
        lambda q, k: q @ np.swapaxes(k, 1, 2),
        "number-of-axes",
        "`np.swapaxes(k, 1, 2)`: it counts axes from the front",
    ),
]


@pytest.mark.parametrize(("name", "answer", "code", "said"), FOUND)
def test_the_piece_of_code_is_quoted(name, answer, code, said):
    findings = {f.code: f.message for f in check(name, answer, seed=0).findings}
    assert any(one in findings[code] for one in said.split("|"))


def test_weights_have_no_leading_axes_and_are_not_suspected():
    def answer(x, w):
        return x @ w[: w.shape[0], : len(w.T)]

    assert suspect(Answer(answer), {1}) == ""
    assert suspect(Answer(answer)) != ""


def test_where_the_text_cannot_be_had_general_advice_is_given():
    space = {}
    exec("def answer(w, v): return w.dot(v)", space)  # no file, no lines
    assert suspect(Answer(space["answer"])) == ""
    messages = [f.message for f in check("weighted_sum", space["answer"]).findings]
    assert any("Count axes from the end" in message for message in messages)
