"""On PyTorch: attnlib's own tests, its types, and what a page says of PyTorch."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

# attnlib's own tests, with PyTorch's tensors on the processor in place of arrays.

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
NAME = "on_torch"


def test_attnlib_on_pytorch():
    plugins = ("-p", "no:cacheprovider", "-p", "tests.gpu.brought_home")
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "-W", "default"]
    done = subprocess.run(
        [*command, "-k", NAME, "tests/attnlib"],
        cwd=ROOT,
        env={**os.environ, "ATTNLIB_ARRAYS": f"tests.gpu.{NAME}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 250


# Types of attnlib's results as a checker sees them for tensors of PyTorch.

pytest.importorskip("torch")

MYPY = ROOT / ".venv" / "bin" / "mypy"
USE = """
from typing import reveal_type
import numpy as np
import torch
from attnlib import MultiHeadAttention, attention_vjp, scaled_dot_product_attention
x = torch.ones(2, 5, 12)
output = scaled_dot_product_attention(x, x, x, mask=torch.ones(5, 5) > 0)
reveal_type(output)
print(output.sum().item(), output[0, 1:] @ x[0].T, (output > 0.5).any(), -output)
grad_query, _, _ = attention_vjp(x, x, x, output)
reveal_type(grad_query)
reveal_type(MultiHeadAttention.random(12, 3, rng=np.random.default_rng(0))(x))
output.no_such_method()
"""


def test_tensors_come_out_as_tensors(tmp_path):
    file = tmp_path / "use.py"
    file.write_text(USE)
    command = [MYPY, "--no-error-summary", "--python-executable", sys.executable, file]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    revealed = re.findall(r'use\.py:(\d+): note: Revealed type is "(.*?)"', said)
    assert [line for line, _ in revealed] == ["8", "11", "12"]
    assert {kind for _, kind in revealed} == {"torch._tensor.Tensor"}, said
    assert re.findall(r"use\.py:(\d+): error", said) == ["13"], said


# The records of PyTorch in *Masks in practice* are what PyTorch prints.

LESSON = Path(__file__).resolve().parents[2] / "book" / "masks_in_practice.ipynb"


def test_the_recorded_run_of_pytorch():
    cells = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
    text = "".join(next(c["source"] for c in cells if c["id"] == "pytorch"))
    code, recorded = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == recorded


def test_a_mask_beside_is_causal_is_refused():
    x, mask = torch.eye(3)[None], torch.ones(3, 3).bool()
    with pytest.raises(RuntimeError, match="attn_mask should not be set"):
        scaled_dot_product_attention(x, x, x, attn_mask=mask, is_causal=True)


def test_is_causal_is_aligned_top_left():
    query, key = torch.ones(1, 1, 2), torch.ones(1, 5, 2)
    value = torch.arange(5.0)[None, :, None]
    output = scaled_dot_product_attention(query, key, value, is_causal=True)
    assert output.item() == 0  # the first value: the new word sees no other
