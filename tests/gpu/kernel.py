"""A fused attention kernel in Triton, as one writes it, and six ways to fail."""

from __future__ import annotations

import math
from functools import partial

import triton
import triton.language as tl

BLOCK = 32
FAULTS = {
    "tail": "the keys past the last one get the score 0, and take part",
    "sum": "the sum of a row is not rescaled when its maximum changes",
    "corner": "query i sees the keys up to i, also where there are more keys",
    "base": "2 ** score, where the scale was not multiplied by log2(e)",
    "heads": "query head i reads key head i % n_key_heads",
    "narrow": "the weights are rounded to bfloat16 before they meet the values",
}


@triton.jit(do_not_specialize=["n", "m", "d_k", "d_v"])
def _forward(
    query,
    key,
    value,
    output,
    scale,
    n,
    m,
    d_k,
    d_v,
    HEADS: tl.constexpr,
    KEY_HEADS: tl.constexpr,
    CAUSAL: tl.constexpr,
    FAULT: tl.constexpr,
    BLOCK: tl.constexpr,
    COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr,
):
    head = tl.program_id(1)
    if FAULT == "heads":
        key_head = head // HEADS * KEY_HEADS + head % HEADS % KEY_HEADS
    else:
        key_head = head // (HEADS // KEY_HEADS)
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns, width = tl.arange(0, COLUMNS), tl.arange(0, WIDTH)
    offset = 0 if FAULT == "corner" else m - n

    at = (head * n + rows[:, None]) * d_k + columns[None, :]
    there = (rows[:, None] < n) & (columns[None, :] < d_k)
    q = tl.load(query + at, mask=there, other=0.0)
    highest = tl.full([BLOCK], -1e30, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    weighted = tl.zeros([BLOCK, WIDTH], tl.float32)
    for first in range(0, m, BLOCK):
        keys = first + tl.arange(0, BLOCK)
        at = (key_head * m + keys[:, None]) * d_k + columns[None, :]
        there = (keys[:, None] < m) & (columns[None, :] < d_k)
        k = tl.load(key + at, mask=there, other=0.0)
        at = (key_head * m + keys[:, None]) * d_v + width[None, :]
        there = (keys[:, None] < m) & (width[None, :] < d_v)
        v = tl.load(value + at, mask=there, other=0.0)

        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        seen = rows[:, None] < n
        if FAULT != "tail":
            seen = seen & (keys[None, :] < m)
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None] + offset)
        scores = tl.where(seen, scores, -float("inf"))
        higher = tl.maximum(highest, tl.max(scores, 1))
        if FAULT == "base":
            weights = tl.exp2(scores - higher[:, None])
            kept = tl.exp2(highest - higher)
        else:
            weights = tl.exp(scores - higher[:, None])
            kept = tl.exp(highest - higher)
        if FAULT == "sum":
            total = total + tl.sum(weights, 1)
        else:
            total = total * kept + tl.sum(weights, 1)
        if FAULT == "narrow":
            weights = weights.to(tl.bfloat16).to(tl.float32)
        weighted = weighted * kept[:, None]
        weighted += tl.dot(weights, v.to(tl.float32), input_precision="ieee")
        highest = higher
    total = tl.where(total > 0, total, 1.0)
    at = (head * n + rows[:, None]) * d_v + width[None, :]
    there = (rows[:, None] < n) & (width[None, :] < d_v)
    tl.store(output + at, weighted / total[:, None], mask=there)


def attention(query, key, value, *, is_causal=False, fault=""):
    """Compute attention block by block; causal attention is aligned at the last key."""
    (batch, heads, n, d_k), (_, key_heads, m, d_v) = query.shape, value.shape
    if heads % key_heads:
        raise ValueError(f"{heads} query heads cannot share {key_heads} key heads")
    query, key, value = (x.contiguous() for x in (query, key, value))
    output = query.new_empty((batch, heads, n, d_v))
    columns, width = (max(16, triton.next_power_of_2(d)) for d in (d_k, d_v))
    _forward[triton.cdiv(n, BLOCK), batch * heads](
        query,
        key,
        value,
        output,
        1 / math.sqrt(d_k),
        n,
        m,
        d_k,
        d_v,
        HEADS=heads,
        KEY_HEADS=key_heads,
        CAUSAL=is_causal,
        FAULT=fault,
        BLOCK=BLOCK,
        COLUMNS=columns,
        WIDTH=width,
    )
    return output


def wrong(fault):
    """Return the kernel with one of the FAULTS."""
    function = partial(attention, fault=fault)
    function.__name__ = "kernel"
    return function
