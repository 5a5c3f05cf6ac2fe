"""The records of PyTorch in *Masks in practice* are what PyTorch prints."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

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
