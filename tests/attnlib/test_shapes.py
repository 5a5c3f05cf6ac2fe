"""Shapes in annotations are enforced while the unit tests run: wrong ones fail."""

import numpy as np
import pytest

from attnlib import attention_weights, softmax
from tests.attnlib import shapes
from tests.attnlib.conftest import ENFORCED

X = np.ones((2, 3, 5))


def test_all_functions_with_shapes_compare():
    assert ENFORCED > 50
    for function in (attention_weights, softmax):
        assert function.__code__.co_filename == "<string>"
        assert "__compared__" in function.__globals__


@pytest.mark.parametrize(
    "annotation",
    [
        'Float[ArrayLike[A], "... n d"]',
        'Float[Array, "2 n d"]',
        "Float[Array, '...'] | None",
        'Float[A, "a b c"]',
        'Float[A, "... three five"]',
    ],
)
def test_right_ones_pass(annotation):
    sizes = {"three": 3, "five": 5}
    shapes.compare("x", annotation, X, sizes, is_result=True)
    assert {"three": 3, "five": 5}.items() <= sizes.items()  # and what it has learned


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ('Float[A, "... five three"]', r"x is \(2, 3, 5\), not ... five three w"),
        ('Float[A, "n d"]', r"x is \(2, 3, 5\), not n d"),
        ('Float[A, "... n n"]', r"x is \(2, 3, 5\), not ... n n"),
        ('Float[A, "... a b c d"]', r"x is \(2, 3, 5\), not"),
        ('Float[A, "3 n d"]', r"x is \(2, 3, 5\), not 3 n d"),
        ('Bool[A, "..."]', r"x is of dtype float64, not Bool"),
    ],
)
def test_wrong_ones_fail(annotation, message):
    with pytest.raises(shapes.ShapeError, match=message):
        shapes.compare("x", annotation, X, {"three": 3, "five": 5}, is_result=True)


def test_a_wrong_result_of_a_call_fails():
    def transposed(x: "Float[A, '... n d']") -> "Float[A, '... n d']":  # noqa: F722, F821
        return x.swapaxes(-1, -2)

    with pytest.raises(shapes.ShapeError, match=r"transposed: returned is \(2, 5, 3\)"):
        shapes.compared(transposed)(X)
