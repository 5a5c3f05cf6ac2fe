"""Shapes and types of the annotations."""

import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path

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


ROOT = Path(__file__).parents[2]
STRANGER = Path(__file__).with_name("stranger.py")
WRONG = """
import numpy as np
from attnlib import MultiHeadAttention, SelfAttention, attention_weights, softmax
x = np.ones((3, 4))
softmax(None)
attention_weights(x)
attention_weights(x, x, attn_mask=None)
attention_weights(x, x, window=3)
SelfAttention(x, x, {})
MultiHeadAttention(x, x, x, x)
softmax(x).no_such_method()
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What mypy says of ordinary use and of mistakes, in one run."""
    wrong = tmp_path_factory.mktemp("mypy") / "wrong.py"
    wrong.write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    command += [str(STRANGER), str(wrong)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return run.stdout


@pytest.mark.slow
def test_a_stranger_gets_arrays(told):
    """No error, and at each `reveal_type` what its comment says."""
    assert importlib.util.find_spec("jaxtyping") is None
    assert not re.findall(r"stranger\.py:\d+: error.*", told)
    lines = STRANGER.read_text().splitlines()
    wanted = {i for i, line in enumerate(lines, 1) if line.endswith("# ndarray")}
    found = re.findall(r':(\d+): note: Revealed type is "numpy\.ndarray\[', told)
    assert wanted == set(map(int, found))
    assert len(wanted) == sum("reveal_type(" in line for line in lines) > 5


@pytest.mark.slow
def test_every_mistake_is_found(told):
    lines = re.findall(r"wrong\.py:(\d+): error", told)
    assert [*dict.fromkeys(map(int, lines))] == [5, 6, 7, 8, 9, 10, 11]


def test_the_stranger_runs(capsys):
    runpy.run_path(str(STRANGER))
    assert "ndarray" in capsys.readouterr().err
