"""Types of attnlib's results as a checker sees them for tensors of PyTorch."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
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
