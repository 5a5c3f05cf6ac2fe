"""Types of attnlib as a checker sees them, from outside and without more packages."""

import importlib.util
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

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


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_a_stranger_gets_arrays():
    """No error, and at each `reveal_type` what its comment says."""
    assert importlib.util.find_spec("jaxtyping") is None
    said = mypy("--strict", STRANGER)
    assert "error" not in said, said
    lines = STRANGER.read_text().splitlines()
    wanted = {i for i, line in enumerate(lines, 1) if line.endswith("# ndarray")}
    found = re.findall(r':(\d+): note: Revealed type is "numpy\.ndarray\[', said)
    assert wanted == set(map(int, found))
    assert len(wanted) == sum("reveal_type(" in line for line in lines) > 5


@pytest.mark.slow
def test_every_mistake_is_found(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    lines = re.findall(r"wrong\.py:(\d+): error", mypy(file))
    assert [*dict.fromkeys(map(int, lines))] == [5, 6, 7, 8, 9, 10, 11]


def test_the_stranger_runs(capsys):
    runpy.run_path(str(STRANGER))
    assert "ndarray" in capsys.readouterr().err
