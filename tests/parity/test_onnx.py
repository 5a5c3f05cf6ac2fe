"""The node tests that ONNX has for its backends: Attention and RotaryEmbedding.

Of Attention (opsets 23, 24 and 25) 88 tests of 93 pass, and of RotaryEmbedding 8 of 8.
The other five are in bfloat16, which NumPy lacks; attnlib takes JAX's arrays there. It
computes in float32 and rounds once, at the end. ONNX's reference rounds after every
step, and its tolerance of 0.001 is finer than bfloat16 is, so only equal numbers would
pass. What is tested in their place is that ours are the exact numbers, rounded.

Run by `make parity`, which installs what it needs.
"""

import warnings
from collections import Counter

import numpy as np
import onnx
import pytest
from onnx.backend.test.case.node import collect_testcases

from tests.parity import onnx_adapter

OPERATORS = {
    "Attention": onnx_adapter.attention,
    "RotaryEmbedding": onnx_adapter.rotary_embedding,
}
ROUNDED_AT_EVERY_STEP = {
    "test_attention_3d_causal_bf16",
    "test_attention_4d_attn_mask_causal_bf16",
    "test_attention_4d_causal_bf16",
    "test_attention_4d_causal_padded_kv_bf16",
    "test_attention_4d_padded_kv_bf16",
}
HALF_A_STEP = 2.0**-8  # of bfloat16, beside the number that is rounded


def node_of(case):
    return case.model.graph.node[0]


def collect():
    """Take the tests of one node; those named "expanded" spell it out in others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs, of operators that are not ours
        cases = collect_testcases(None)
    alone = [c for c in cases if len(c.model.graph.node) == 1]
    return {c.name: c for c in alone if node_of(c).op_type in OPERATORS}


CASES = collect()


def test_every_case_is_there():
    found = Counter(node_of(case).op_type for case in CASES.values())
    assert found == {"Attention": 93, "RotaryEmbedding": 8}


def run(case, dtype=None):
    """Return what the adapter gives for a case, and what is expected."""
    node = node_of(case)
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    given, expected = ([np.asarray(x) for x in part] for part in case.data_sets[0])
    if dtype is not None:
        given = [x.astype(dtype) if is_bfloat16(x) else x for x in given]
    given = iter(given)
    inputs = [next(given) if name else None for name in node.input]
    got = OPERATORS[node.op_type](*inputs, **attributes)
    got = got if isinstance(got, tuple) else (got,)
    names = zip(got, node.output, strict=False)  # trailing outputs may be left out
    return [np.asarray(x) for x, name in names if name], expected


def is_bfloat16(x):
    return x.dtype.name == "bfloat16"


@pytest.mark.parametrize("name", sorted(CASES.keys() - ROUNDED_AT_EVERY_STEP))
def test_node(name):
    case = CASES[name]
    for got, expected in zip(*run(case), strict=True):
        assert got.dtype == expected.dtype
        tolerance = {"rtol": case.rtol, "atol": case.atol}
        np.testing.assert_allclose(got, expected, **tolerance)


@pytest.mark.parametrize("name", sorted(ROUNDED_AT_EVERY_STEP))
def test_node_in_bfloat16_is_rounded_once(name):
    (got,), (expected,) = run(CASES[name])
    (exact,), _ = run(CASES[name], np.float64)
    assert is_bfloat16(got)
    size = np.where(exact == 0, 1, abs(exact))  # who sees nothing gets 0
    ours, theirs = (
        (abs(x.astype(float) - exact) / size).max() for x in (got, expected)
    )
    assert ours <= HALF_A_STEP * 1.001 < theirs
