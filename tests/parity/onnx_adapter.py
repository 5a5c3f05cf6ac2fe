"""The ONNX operators Attention and RotaryEmbedding, said in attnlib's words.

Only names, axes and defaults are translated here; all arithmetic is attnlib's.
"""

import jax.numpy as jnp
import numpy as np

from attnlib import (
    KVCache,
    apply_rotary,
    attention_weights,
    padding_mask,
    scaled_dot_product_attention,
)
from attnlib._arrays import cast
from attnlib._options import check_attention
from attnlib.heads import merge_heads, split_heads
from attnlib.masks import apply_masks
from attnlib.scores import scaled_scores


def attention(
    query,
    key,
    value,
    attn_mask=None,
    past_key=None,
    past_value=None,
    nonpad_kv_seqlen=None,
    *,
    q_num_heads=None,
    kv_num_heads=None,
    qk_matmul_output_mode=0,
    softmax_precision=None,  # attnlib always computes in float32 at least
    **attributes,
):
    """Return what Attention does: output, all keys, all values, and the scores."""
    is_flat, counts = query.ndim == 3, (q_num_heads, kv_num_heads, kv_num_heads)
    inputs = [library(x) for x in (query, key, value)]
    if is_flat:
        inputs = [split_heads(x, n) for x, n in zip(inputs, counts, strict=True)]
    cache = KVCache()
    if past_key is not None:
        cache.append(past_key, past_value)
    offset = len(cache)
    query, (key, value) = inputs[0], cache.append(*inputs[1:])
    if nonpad_kv_seqlen is not None:
        offset = (nonpad_kv_seqlen - query.shape[-2])[:, None]
    mask = join_masks(attn_mask, nonpad_kv_seqlen, key.shape[-2])
    how = {"mask": mask, "query_offset": offset, **keywords(**attributes)}
    output = scaled_dot_product_attention(query, key, value, **how)
    output = merge_heads(output) if is_flat else output
    return output, key, value, scores(query, key, how, qk_matmul_output_mode)


def library(x):
    """Hand bfloat16 to JAX: NumPy has no such dtype of its own."""
    return jnp.asarray(x) if x.dtype.name == "bfloat16" else x


def keywords(
    scale=None, softcap=0.0, is_causal=0, left_window_size=-1, right_window_size=-1
):
    """Translate what is the same for every query: -1 and 0.0 stand for nothing."""
    sides = (left_window_size, right_window_size)
    return {
        "scale": scale,
        "softcap": softcap or None,
        "is_causal": bool(is_causal),
        "window": tuple(None if side < 0 else side for side in sides),
        "enable_gqa": True,
    }


def join_masks(mask, lengths, n_keys):
    """Forbid keys after the end of a mask, and after the end of each sequence."""
    if mask is not None:
        forbidden = False if mask.dtype == bool else -np.inf
        missing = [(0, 0)] * (mask.ndim - 1) + [(0, n_keys - mask.shape[-1])]
        mask = np.pad(mask, missing, constant_values=forbidden)
    if lengths is None:
        return library(mask) if mask is not None else None
    real = padding_mask(lengths, n_keys)[:, None]  # (batch, 1, 1, n_keys)
    if mask is None:
        return real
    return library(np.where(real, mask, np.asarray(forbidden, mask.dtype)))


def scores(query, key, how, mode):
    """Return the scores: scaled (0), capped (1), masked (2), or the weights (3)."""
    if mode == 3:
        return attention_weights(query, key, **how)
    of_mode = ["scale", "softcap", *how][: mode + 1 if mode < 2 else None]
    some = {name: how[name] for name in of_mode if name != "enable_gqa"}
    inputs = {"query": query, "key": key}
    some["enable_gqa"] = True
    dtype, arrays, o = check_attention("scores", inputs, some)
    found = scaled_scores(*arrays, o.scale, o.softcap)
    return cast(apply_masks(found, o.mask, o.window, o.query_offset), dtype)


def rotary_embedding(
    x,
    cos,
    sin,
    position_ids=None,
    *,
    interleaved=0,
    num_heads=None,
    rotary_embedding_dim=0,  # the tables' width says it too
):
    """Return what RotaryEmbedding does."""
    is_flat = x.ndim == 3
    if position_ids is not None:
        cos, sin = cos[position_ids], sin[position_ids]
    cos, sin = cos[:, None], sin[:, None]  # (batch, 1, n, rotary_dim / 2)
    heads = split_heads(x, num_heads) if is_flat else x
    turned = apply_rotary(heads, cos, sin, interleaved=bool(interleaved))
    return merge_heads(turned) if is_flat else turned
