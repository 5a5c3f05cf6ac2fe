"""The right outputs of attncheck's vectors: PyTorch and ONNX's reference agree.

Windows, offsets and causal masks are written out as a mask: neither has keywords for
all of them. PyTorch's function has no cap. What an empty row gives is not compared.
"""

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from attncheck.model import band
from attncheck.vectors import choose, right

CASES = {case.id: case for case in choose()}


def written_out(case, arrays):
    """Return one mask, with the causal one and the window, and who may attend."""
    n, m = case.shape[3:5]
    seen, mask = band(n, m, case.model(arrays)), arrays.get("mask")
    if mask is None:
        return seen, seen
    if mask.dtype == bool:
        return seen & mask, seen & mask
    return np.where(seen, mask, -np.inf), seen


def given(case):
    """Return the inputs, the right output, the mask, and rows with a key to see."""
    arrays = case.arrays()
    output = right(case, arrays).output
    mask, seen = written_out(case, arrays)
    inputs = [arrays[name] for name in ("query", "key", "value")]
    return inputs, output, mask, np.broadcast_to(seen.any(-1), output.shape[:-1])


@pytest.mark.parametrize("name", [n for n in CASES if not n.startswith("cap")])
def test_pytorch_agrees(name):
    case = CASES[name]
    inputs, output, mask, rows = given(case)
    found = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.from_numpy, inputs),
        attn_mask=torch.from_numpy(mask),
        scale=case.keywords.get("scale"),
        enable_gqa=case.shape[1] != case.shape[2],
    ).numpy()
    np.testing.assert_allclose(found[rows], output[rows], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_the_reference_of_onnx_agrees(name):
    case = CASES[name]
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
