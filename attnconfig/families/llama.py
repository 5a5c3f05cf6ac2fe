"""Llama and what is built like it: RMS norms, grouped heads, a gated network."""

from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    alike,
    always,
    biased,
    block,
    decoder,
    family,
    gated,
    grouped,
    heads,
    kinds,
    network,
    stack,
    up,
    window,
)
from attnconfig.model import Layer, Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER, RMS, Extra
from attnconfig.turning import FULL, Turn
from attnconfig.weights import Weight

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "original_max_position_embeddings": 8192,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
}


@family("llama", sizes=(4096, 32, 32, 11008, 32000))
def llama(c: Noted) -> Model:
    """RMS norms, grouped heads, rotary positions, SwiGLU."""
    return alike(c, grouped(c, **biased(c)), gated(c, c.flag("mlp_bias")))


@family("iquestcoder")
def iquestcoder(c: Noted) -> Model:
    """Llama that can cut queries, keys and values off."""
    if c.get("clip_qkv"):
        raise Refusal(f"clip_qkv = {c['clip_qkv']!r}: what that changes is not known.")
    return alike(c, grouped(c, **biased(c)), gated(c, c.flag("mlp_bias")))


@family("arcee")
def arcee(c: Noted) -> Model:
    """Llama with a network of two matrices."""
    return alike(c, grouped(c, **biased(c)), network(c, c.flag("mlp_bias")))


@family("seed_oss")
def seed_oss(c: Noted) -> Model:
    """Biases of queries, keys and values; one of the output by a line of its own."""
    qkv, out = c.flag("attention_bias", True), c.flag("attention_out_bias")
    attention = grouped(c, kv=8, d_k=128, qkv_bias=qkv, out_bias=out)
    return alike(c, attention, gated(c, c.flag("mlp_bias")))


def turning(c: Noted) -> list[bool]:
    """Say which layers turn: a list says so, or one in so many does not."""
    said, step = (
        c.each("no_rope_layers", len(stack(c))),
        c.size("no_rope_layer_interval", 4),
    )
    return [bool(said[i] if said else (i + 1) % step) for i in stack(c)]


@family("smollm3")
def smollm3(c: Noted) -> Model:
    """Every fourth layer does not turn."""
    no_window(c)
    kinds(c, always(FULL), FULL)
    attention = grouped(c, kv=4, turn=Turn(2_000_000.0), **biased(c))
    still = replace(attention, rope=None)
    follows = gated(c, c.flag("mlp_bias"))
    layers = [block(attention if turns else still, follows) for turns in turning(c)]
    return decoder(c, layers, tied=True)


def no_window(c: Noted) -> None:
    """Accept the lines of a window that is off."""
    c.only("use_sliding_window", False)
    why = "use_sliding_window is false."
    c.ignore("sliding_window", "max_window_layers", why=why, changes="nothing")


@family("helium")
def helium(c: Noted) -> Model:
    """Heads that have to make the width."""
    n, _, d_k = heads(c, 20, 128)
    if n * d_k != c.size("hidden_size"):
        said = f"{n} heads of {d_k} are not {c.size('hidden_size')} wide"
        raise Refusal(f"head_dim: {said}.")
    turn = Turn(100_000.0, neighbors=True)
    bias = c.flag("attention_bias")
    attention = grouped(c, kv=20, d_k=128, turn=turn, qkv_bias=bias)
    return alike(c, attention, gated(c, c.flag("mlp_bias")))


@family("internlm3")
def internlm3(c: Noted) -> Model:
    """Biases under two names."""
    bias = c.flag("attention_bias", c.flag("qkv_bias"))
    attention = grouped(c, kv=2, d_k=128, qkv_bias=bias, out_bias=bias)
    return alike(c, attention, gated(c, c.flag("bias")))


@family("apertus")
def apertus(c: Noted) -> Model:
    """QK-norm, and a function in the network that learns two numbers (xIELU)."""
    c.only("qk_norm", True)
    c.only("post_norm", False)
    turn = Turn(12_000_000.0, scaling=LLAMA3, beside=True)
    attention = grouped(c, eps=1e-5, turn=turn, qk_norm="head", **biased(c))
    wide = Network(c.size("intermediate_size"), learned=2)
    return alike(c, attention, wide)


@family("stablelm", "stablelm_epoch")
def stablelm(c: Noted) -> Model:
    """LayerNorms, a quarter of the columns turns, one norm where parts are parallel."""
    side = c.flag("use_parallel_residual")
    attention = grouped(
        c,
        eps=1e-5,
        kv=32,
        turn=Turn(share=0.25),
        qkv_bias=c.flag("use_qkv_bias"),
        qk_norm="heads" if c.flag("qk_layernorm") else None,
    )
    layer = block(attention, gated(c), norm=LAYER, norms=1 if side else 2)
    return decoder(c, [layer] * len(stack(c)), norm=LAYER)


@family("starcoder2")
def starcoder2(c: Noted) -> Model:
    """LayerNorms and biases; a window in every layer, or none."""
    c.only("norm_type", "layer_norm")
    c.only("mlp_type", "default")
    c.ignore("scale_attn_weights", why="Its program scales in any case.")
    bias, seen = c.flag("use_bias", True), window(c)
    attention = grouped(c, kv=2, window=seen, qkv_bias=bias, out_bias=bias)
    layer = block(attention, network(c, bias), norm=LAYER)
    return decoder(c, [layer] * len(stack(c)), tied=True, norm=LAYER)


@family("jais2")
def jais2(c: Noted) -> Model:
    """LayerNorms, biases, two matrices."""
    attention = grouped(c, **biased(c, True))
    layer = block(attention, network(c, c.flag("mlp_bias", True)), norm=LAYER)
    return decoder(c, [layer] * len(stack(c)), norm=LAYER)


@family("persimmon")
def persimmon(c: Noted) -> Model:
    """LayerNorms of queries and keys, biases, half of the columns turns."""
    normed = c.flag("qk_layernorm", True)
    attention = grouped(
        c,
        eps=1e-5,
        turn=Turn(share=0.5),
        qkv_bias=True,
        out_bias=True,
        qk_norm="head" if normed else None,
        norm_bias=True,
        not_said="queries and keys get a LayerNorm with a bias" if normed else None,
    )
    layer = block(attention, network(c, True), norm=LAYER)
    return decoder(c, [layer] * len(stack(c)), norm=LAYER)


@family("bitnet")
def bitnet(c: Noted) -> Model:
    """A norm before each last matrix."""
    d, ff = c.size("hidden_size"), c.size("intermediate_size")
    norms = (Weight("norm of heads", (d,)), Weight("norm of network", (ff,)))
    attention = grouped(c, kv=5, turn=Turn(500_000.0), **biased(c))
    layer = Layer(RMS, RMS, attention, gated(c), Extra("inner norms", norms))
    return decoder(c, [layer] * len(stack(c)))


@family("nemotron-nas")
def nemotron_nas(c: Noted) -> Model:
    """Puzzle: each layer says how many heads share keys, how wide its network is."""
    width, n = c.size("hidden_size"), c.size("num_attention_heads")
    c.ignore("intermediate_size", "num_key_value_heads", why="block_configs says it.")
    rope, bias = Turn().read(c, width // n), biased(c)
    mlp_bias = c.flag("mlp_bias")

    def layer(said: object) -> Layer:
        lines = said if isinstance(said, dict) else {}
        mixer, follows = Noted(lines["attention"]), Noted(lines["ffn"])
        for part in (mixer, follows):
            part.only("replace_with_linear", False)
            part.only("sparsify", None)
        attention = wide = None
        if not mixer.flag("no_op"):
            groups = n // mixer.size("n_heads_in_group")
            attention = Grouped(n, groups, width // n, rope=rope, **bias)
        if not follows.flag("no_op"):
            ff = up(int(2 * follows.number("ffn_mult", 1.0) * width / 3), 256)
            wide = Network(ff, mlp_bias, gated=True)
        return Layer(attention and RMS, attention, wide and RMS, wide)

    blocks = c.each("block_configs", len(stack(c)))
    if blocks is None:
        raise Refusal("block_configs is missing: what is each layer?")
    return decoder(c, map(layer, blocks))
