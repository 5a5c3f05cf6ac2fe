"""Attention in other people's libraries, as functions of (b, h, n, d) arrays.

Nothing is decided here but how each is called. `WAYS` names, for each, what imports it
and makes its calls: the plain one, a causal one, and others.
"""

from __future__ import annotations

import os

os.environ.setdefault("KERAS_BACKEND", "jax")


def torch_sdpa():
    from torch.nn.functional import scaled_dot_product_attention

    return {
        "plain": (scaled_dot_product_attention, {}),
        "causal": (scaled_dot_product_attention, {"is_causal": True}),
        "grouped": (scaled_dot_product_attention, {"enable_gqa": True}),
    }


def torch_flex():
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def with_mask(query, key, value, block_mask=None, enable_gqa=False):
        if block_mask is not None:
            sizes = (*query.shape[:3], key.shape[-2])
            mask = block_mask.expand(sizes)

            def allowed(b, h, i, j):
                return mask[b, h, i, j]

            block_mask = create_block_mask(allowed, *sizes, device="cpu")
        return flex_attention(
            query, key, value, block_mask=block_mask, enable_gqa=enable_gqa
        )

    return {"plain": (with_mask, {}), "grouped": (with_mask, {"enable_gqa": True})}


def torch_flex_compiled():
    """Compiled for any length; for each d anew, in seconds: so one d is asked."""
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    # Past this many graphs it would go on without compiling, and not say so.
    torch._dynamo.config.recompile_limit = 64
    torch._dynamo.config.fail_on_recompile_limit_hit = True
    compiled = torch.compile(flex_attention, dynamic=True)  # with g++: the system's
    rules = {
        "i >= j": lambda b, h, i, j: i >= j,
        "(i >= j) & (i - j <= 3)": lambda b, h, i, j: (i >= j) & (i - j <= 3),
    }

    def attention(query, key, value, mask_mod=None, enable_gqa=False):
        sizes = query.shape[-2], key.shape[-2]
        mask = None
        if mask_mod is not None:
            rule = rules[mask_mod]
            mask = create_block_mask(rule, None, None, *sizes, device="cpu")
        return compiled(query, key, value, block_mask=mask, enable_gqa=enable_gqa)

    asked = {"shapes": {"d": 64, "d_v": 64}}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "mask_mod": "i >= j"}),
        "window": (attention, {**asked, "mask_mod": "(i >= j) & (i - j <= 3)"}),
        "grouped": (attention, {**asked, "enable_gqa": True}),
    }


def torch_module(need_weights=True):
    import torch

    def module(query, key, value, attn_mask=None, need_weights=True):
        b, h, _, d = query.shape
        if key.shape[1] != h:
            raise ValueError("as many key heads as query heads")
        layer = torch.nn.MultiheadAttention(h * d, h, bias=False, batch_first=True)
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.eye(h * d).repeat(3, 1))
            layer.out_proj.weight.copy_(torch.eye(h * d))
        flat = [x.transpose(1, 2).reshape(b, -1, h * d) for x in (query, key, value)]
        mask = attn_mask
        if mask is not None:
            sizes = (*query.shape[:3], key.shape[2])
            mask = mask.expand(sizes).reshape(b * h, *sizes[2:])
        output, _ = layer(*flat, attn_mask=mask, need_weights=need_weights)
        return output

    return {"plain": (module, {"arrays": "torch", "need_weights": need_weights})}


def torch_module_without_weights():
    return torch_module(need_weights=False)


def jax_nn():
    import jax

    attention = jax.nn.dot_product_attention
    asked = {"arrays": "jax", "layout": "bnhd"}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "is_causal": True}),
        "window": (attention, {**asked, "local_window_size": (3, 0)}),
    }


def flax_nnx():
    from flax import nnx

    asked = {"arrays": "jax", "layout": "bnhd"}
    return {
        "plain": (nnx.dot_product_attention, asked),
        "causal": (nnx.dot_product_attention, {**asked, "is_causal": True}),
    }


def keras_ops():
    import keras

    attention = keras.ops.dot_product_attention
    asked = {"arrays": "jax", "layout": "bnhd"}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "is_causal": True}),
    }


def onnxruntime_operator():
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper

    def session(masked, attributes, ranks):
        names = ["query", "key", "value"] + ["mask"] * masked
        kinds = [TensorProto.FLOAT] * 3 + [TensorProto.BOOL] * masked
        inputs = [
            helper.make_tensor_value_info(name, kind, [None] * rank)
            for name, kind, rank in zip(names, kinds, ranks, strict=True)
        ]
        output = helper.make_tensor_value_info("output", TensorProto.FLOAT, [None] * 4)
        node = helper.make_node("Attention", names, ["output"], **attributes)
        graph = helper.make_graph([node], "attention", inputs, [output])
        opsets = [helper.make_opsetid("", 23)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        return onnxruntime.InferenceSession(model.SerializeToString())

    def attention(query, key, value, attn_mask=None, **attributes):
        given = {"query": query, "key": key, "value": value}
        if attn_mask is not None:
            sizes = (*query.shape[:3], key.shape[2])
            given["mask"] = np.ascontiguousarray(np.broadcast_to(attn_mask, sizes))
        ranks = [np.ndim(x) for x in given.values()]
        return session(attn_mask is not None, attributes, ranks).run(None, given)[0]

    return {
        "plain": (attention, {}),
        "causal": (attention, {"is_causal": 1}),
        "cap": (attention, {"softcap": 5.0}),
    }


def _module(groups, **more):
    import torch

    class Layer(torch.nn.Module):
        num_key_value_groups = groups
        is_causal = False

    layer = Layer().eval()
    for name, x in more.items():
        setattr(layer, name, x)
    return layer


def _transformers(forward, **more):
    """Call one of transformers' ways; its heads come last but one."""

    def attention(query, key, value, attention_mask=None, **keywords):
        layer = _module(query.shape[1] // key.shape[1], **more)
        if "sinks" in more:
            layer.sinks = more["sinks"][: query.shape[1]]
        keywords = {"scaling": query.shape[-1] ** -0.5, "dropout": 0.0, **keywords}
        output, _ = forward(layer, query, key, value, attention_mask, **keywords)
        return output.transpose(1, 2)

    return attention


def transformers_eager():
    from transformers.models.llama.modeling_llama import eager_attention_forward

    asked = {"arrays": "torch"}
    return {"plain": (_transformers(eager_attention_forward), asked)}


def transformers_sdpa():
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    attention = _transformers(sdpa_attention_forward)
    return {
        "plain": (attention, {"arrays": "torch"}),
        "causal": (attention, {"arrays": "torch", "is_causal": True}),
    }


def transformers_gemma2():
    from transformers.models.gemma2.modeling_gemma2 import eager_attention_forward

    attention = _transformers(eager_attention_forward)
    return {
        "plain": (attention, {"arrays": "torch"}),
        "cap": (attention, {"arrays": "torch", "softcap": 50.0}),
    }


def transformers_gpt_oss():
    import torch
    from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

    attention = _transformers(eager_attention_forward, sinks=torch.linspace(0, 1, 8))
    return {"plain": (attention, {"arrays": "torch"})}


def x_transformers_attend():
    from x_transformers.attend import Attend

    def attention(query, key, value, mask=None, **keywords):
        return Attend(heads=query.shape[1], **keywords)(query, key, value, mask=mask)[0]

    return {
        "plain": (attention, {"arrays": "torch"}),
        "causal": (attention, {"arrays": "torch", "causal": True}),
        "cap": (attention, {"arrays": "torch", "softclamp_logits": True}),
    }


def x_transformers_flash():
    attention = x_transformers_attend()["plain"][0]
    asked = {"arrays": "torch", "flash": True}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "causal": True}),
    }


def attnlib_function():
    from attnlib import scaled_dot_product_attention

    return {
        "plain": (scaled_dot_product_attention, {}),
        "causal": (scaled_dot_product_attention, {"is_causal": True}),
        "grouped": (scaled_dot_product_attention, {"enable_gqa": True}),
        "window": (scaled_dot_product_attention, {"window": (3, 0)}),
        "cap": (scaled_dot_product_attention, {"softcap": 5.0}),
    }


def tinygrad_tensor():
    import numpy as np

    os.environ.setdefault("DEV", "CPU")  # which compiles with clang
    from tinygrad import Tensor

    def tensor(x):
        return None if x is None else Tensor(np.ascontiguousarray(x))

    def attention(query, key, value, attn_mask=None, **keywords):
        query, key, value, mask = map(tensor, (query, key, value, attn_mask))
        attend = query.scaled_dot_product_attention
        output = attend(key, value, attn_mask=mask, **keywords)
        return output.numpy()

    asked = {"arrays": "numpy"}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "is_causal": True}),
        "grouped": (attention, {**asked, "enable_gqa": True}),
    }


def mlx_fast():
    import mlx.core as mx
    import numpy as np

    def attention(query, key, value, mask=None):
        if mask is not None and not isinstance(mask, str):
            mask = mx.array(np.asarray(mask))
        attend = mx.fast.scaled_dot_product_attention
        scale = query.shape[-1] ** -0.5
        query, key, value = map(mx.array, (query, key, value))
        return np.array(attend(query, key, value, scale=scale, mask=mask))

    asked = {"arrays": "numpy"}
    return {
        "plain": (attention, asked),
        "causal": (attention, {**asked, "mask": "causal"}),
    }


# Name, its distribution, and how it is called.
WAYS = {
    "attnlib: scaled_dot_product_attention": ("attnlib", attnlib_function),
    "PyTorch: scaled_dot_product_attention": ("torch", torch_sdpa),
    "PyTorch: flex_attention, not compiled": ("torch", torch_flex),
    "PyTorch: flex_attention, compiled": ("torch", torch_flex_compiled),
    "PyTorch: nn.MultiheadAttention": ("torch", torch_module),
    "PyTorch: nn.MultiheadAttention, need_weights=False": (
        "torch",
        torch_module_without_weights,
    ),
    "JAX: nn.dot_product_attention": ("jax", jax_nn),
    "Flax: nnx.dot_product_attention": ("flax", flax_nnx),
    "Keras: ops.dot_product_attention, on JAX": ("keras", keras_ops),
    "ONNX Runtime: Attention (opset 23)": ("onnxruntime", onnxruntime_operator),
    "transformers: Llama, eager": ("transformers", transformers_eager),
    "transformers: sdpa": ("transformers", transformers_sdpa),
    "transformers: Gemma 2, eager": ("transformers", transformers_gemma2),
    "transformers: gpt-oss, eager": ("transformers", transformers_gpt_oss),
    "x-transformers: Attend": ("x-transformers", x_transformers_attend),
    "x-transformers: Attend, flash": ("x-transformers", x_transformers_flash),
    "MLX: fast.scaled_dot_product_attention, on a CPU": ("mlx", mlx_fast),
    "tinygrad: Tensor.scaled_dot_product_attention": ("tinygrad", tinygrad_tensor),
}
