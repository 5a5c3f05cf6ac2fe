"""The parts and the states of layers that keep no keys: linear and recurrent ones."""

import math

from attncourse.real_model.configuration.parts import Part, matrix, norm


def delta(s, t):
    """Gated DeltaNet, as Qwen3-Next has it: parts, and numbers of its state."""
    heads, keys = t["value_heads"], t["key_heads"] * t["key_dim"]
    values = heads * t["value_dim"]
    mixed = 2 * keys + values
    parts = [
        *matrix("queries, keys, values", s.width, mixed),
        *matrix("gate of the output", s.width, values),
        *matrix("decay and step", s.width, 2 * heads),
        Part("short convolution", (mixed, t["kernel"])),
        Part("decay", (2, heads)),
        *norm("norm of a head", t["value_dim"], 1),
        *matrix("W^O", values, s.width),
    ]
    return parts, {
        "state of each head": (heads, t["key_dim"], t["value_dim"]),
        "short convolution": (mixed, t["kernel"]),
    }


def lightning(s, _):
    """Lightning attention, as MiniMax-01 has it."""
    d_k = s.head_dim or s.width // s.heads
    wide = s.heads * d_k
    parts = [
        *matrix("queries, keys, values", s.width, 3 * wide),
        *matrix("gate of the output", s.width, wide),
        *norm("norm of the heads", wide, 1),
        *matrix("W^O", wide, s.width),
    ]
    return parts, {"state of each head": (s.heads, d_k, d_k)}


def mamba(s, t):
    """Mamba (Gu and Dao, 2023), as Jamba has it."""
    inner, n = t["expand"] * s.width, t["state"]
    rank = math.ceil(s.width / 16) if t["rank"] == "auto" else t["rank"]
    parts = [
        *matrix("in", s.width, 2 * inner, bias=t["bias"]),
        Part("short convolution", (inner, t["kernel"])),
        *([Part("b of short convolution", (inner,))] if t["conv_bias"] else ()),
        *matrix("step, B and C", inner, rank + 2 * n),
        *matrix("step", rank, inner, bias=True),
        Part("A", (inner, n)),
        Part("D", (inner,)),
        *matrix("out", inner, s.width, bias=t["bias"]),
    ]
    if t.get("inner_norms"):
        parts += [*norm("norm of the step", rank, 1), *norm("norms of B, C", n, 2)]
    return parts, {"state": (inner, n), "short convolution": (inner, t["kernel"])}


def mamba2(s, t):
    """Mamba-2 (Dao and Gu, 2024)."""
    inner = t["heads"] * t["d_head"]
    mixed = inner + 2 * t["groups"] * t["state"]
    parts = [
        *matrix("in", s.width, inner + mixed + t["heads"], bias=t["bias"]),
        Part("short convolution", (mixed, t["kernel"])),
        *([Part("b of short convolution", (mixed,))] if t["conv_bias"] else ()),
        Part("A, D and step", (3, t["heads"])),
        *(norm("norm", inner, 1) if t.get("norm_inside", True) else ()),
        *matrix("out", inner, s.width, bias=t["bias"]),
    ]
    return parts, {
        "state of each head": (t["heads"], t["d_head"], t["state"]),
        "short convolution": (mixed, t["kernel"]),
    }


def short_convolution(s, t):
    """Build LFM2's gated convolution over a few tokens."""
    parts = [
        *matrix("in", s.width, 3 * s.width, bias=t["bias"]),
        Part("short convolution", (s.width, t["kernel"])),
        *([Part("b of short convolution", (s.width,))] if t["bias"] else ()),
        *matrix("out", s.width, s.width, bias=t["bias"]),
    ]
    return parts, {"short convolution": (s.width, t["kernel"])}


KINDS = {
    "delta": delta,
    "lightning": lightning,
    "mamba": mamba,
    "mamba2": mamba2,
    "convolution": short_convolution,
}
