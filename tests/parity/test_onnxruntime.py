"""Sinks as ONNX Runtime has them: `head_sink` of its GroupQueryAttention.

Run by `make parity`, which installs what it needs.
"""

import numpy as np
import onnx
import onnxruntime
import pytest

import attnlib

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
