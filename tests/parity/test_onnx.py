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
import onnxruntime
import pytest
import torch
from onnx import TensorProto, helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator

import attnlib
from attncheck.model.fields import band
from attncheck.vectors import CASES as VECTORS
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


# Sinks as ONNX Runtime has them: `head_sink` of its GroupQueryAttention.
#
# Run by `make parity`, which installs what it needs.

N_HEADS, N_KV_HEADS, N, D = 4, 2, 5, 8
INPUTS = {"query": 1, "key": 1, "value": 1, "seqlens_k": 6, "total": 6, "head_sink": 1}


def grouped_query_attention(window, **inputs):
    """Run the operator; its window counts the query's own key as well."""
    places = ("query", "key", "value", "", "", "seqlens_k", "total", *[""] * 4)
    node = onnx.helper.make_node(
        "GroupQueryAttention",
        [*places, "head_sink"],
        ["output", "present_key", "present_value"],
        domain="com.microsoft",
        num_heads=N_HEADS,
        kv_num_heads=N_KV_HEADS,
        scale=0.4,
        local_window_size=window,
    )
    info = onnx.helper.make_tensor_value_info
    given = [info(name, kind, None) for name, kind in INPUTS.items()]
    found = [info(name, 1, None) for name in node.output]
    graph = onnx.helper.make_graph([node], "attention", given, found)
    versions = [("", 21), ("com.microsoft", 1)]
    opsets = [onnx.helper.make_opsetid(*version) for version in versions]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=10)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(["output"], inputs)[0]


@pytest.mark.parametrize("window", [-1, 1, 3])
def test_head_sink(window):
    rng = np.random.default_rng(20250805)
    shapes = [(2, N_HEADS, N, D), *[(2, N_KV_HEADS, N, D)] * 2, (N_HEADS,)]
    *arrays, sinks = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    names = ("query", "key", "value")
    theirs = {n: attnlib.merge_heads(a) for n, a in zip(names, arrays, strict=True)}
    lengths = {"seqlens_k": np.full(2, N - 1, np.int32), "total": np.array(N, np.int32)}
    expected = grouped_query_attention(window, **theirs, **lengths, head_sink=sinks)
    how = {"window": None if window < 0 else (window - 1, 0), "is_causal": True}
    how |= {"enable_gqa": True, "sinks": sinks, "scale": 0.4}
    found = attnlib.scaled_dot_product_attention(*arrays, **how)
    np.testing.assert_allclose(
        attnlib.merge_heads(found), expected, rtol=1e-5, atol=1e-6
    )


# The right outputs of attncheck's vectors: PyTorch and ONNX's reference agree.
#
# Windows, offsets and causal masks are written out as a mask: neither has keywords for
# all of them. PyTorch's function has no cap. Fully masked rows are not compared.

DRAWN = {case.call.id: case for case in VECTORS}


def written_out(case, arrays):
    """Return one mask, with the causal one and the window, and who may attend."""
    n, m = case.call.n, case.call.m
    seen, mask = band(n, m, case.model), arrays.get("mask")
    if mask is None:
        return seen, seen
    if mask.dtype == bool:
        return seen & mask, seen & mask
    return np.where(seen, mask, -np.inf), seen


def given(case):
    """Return the inputs, the right output, the mask, and rows with a key to see."""
    arrays, output = case.arrays, case.right
    mask, seen = written_out(case, arrays)
    inputs = [arrays[name] for name in ("query", "key", "value")]
    return inputs, output, mask, np.broadcast_to(seen.any(-1), output.shape[:-1])


@pytest.mark.parametrize("name", [n for n in DRAWN if not n.startswith("cap")])
def test_pytorch_agrees(name):
    case = DRAWN[name]
    inputs, output, mask, rows = given(case)
    found = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.from_numpy, inputs),
        attn_mask=torch.from_numpy(mask),
        scale=case.keywords.get("scale"),
        enable_gqa=case.call.h != case.call.g,
    ).numpy()
    np.testing.assert_allclose(found[rows], output[rows], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", DRAWN)
def test_the_reference_of_onnx_agrees(name):
    case = DRAWN[name]
    inputs, output, mask, rows = given(case)
    attributes = {
        k: case.keywords[k] for k in ("scale", "softcap") if k in case.keywords
    }
    found = reference(*inputs, mask, attributes)
    np.testing.assert_allclose(found[rows], output[rows], rtol=2e-6, atol=1e-9)


def reference(query, key, value, mask, attributes):
    """Run the operator Attention (opset 23) in float64, with one mask for all."""
    names = ["query", "key", "value", "mask"]
    of_mask = TensorProto.BOOL if mask.dtype == bool else TensorProto.DOUBLE
    kinds = [TensorProto.DOUBLE] * 3 + [of_mask]
    inputs = [
        helper.make_tensor_value_info(name, kind, None)
        for name, kind in zip(names, kinds, strict=True)
    ]
    output = helper.make_tensor_value_info("output", TensorProto.DOUBLE, None)
    node = helper.make_node("Attention", names, ["output"], **attributes)
    graph = helper.make_graph([node], "attention", inputs, [output])
    model = helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)])
    given = dict(zip(names, (query, key, value, mask), strict=True))
    return ReferenceEvaluator(model).run(None, given)[0]
