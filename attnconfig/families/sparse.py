"""Grouped heads, and experts in all layers or after the first: GLM too."""

from dataclasses import replace
from typing import Unpack

from attnconfig.building import (
    Routed,
    alike,
    biased,
    block,
    decoder,
    expert,
    experts,
    family,
    gated,
    grouped,
    heads,
    kinds,
    network,
    side_by_side,
    stack,
    windows,
)
from attnconfig.model import Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import PLAIN
from attnconfig.turning import FULL, SWA, Turn

# Grouped heads, and experts in all layers or after the first.


def first_dense(
    c: Noted,
    each: Network,
    *,
    dense: int,
    n: int | None = None,
    used: int | None = None,
    **more: Unpack[Routed],
) -> list[Network | Experts]:
    """List the networks: plain ones first, experts after; or as a list says."""
    said = c.each("mlp_layer_types", len(stack(c)))
    first = c.count("first_k_dense_replace", dense)
    c.only("moe_layer_freq", 1)
    if said and set(said) - {"dense", "sparse"}:
        raise Refusal("mlp_layer_types holds more than 'dense' and 'sparse'.")
    sparse = [said[i] == "sparse" if said else i >= first for i in stack(c)]
    many = experts(c, each, n=n, used=used, **more) if any(sparse) else None
    if many is None:
        why = "No layer has experts."
        c.ignore("num_experts", "num_experts_per_tok", why=why, changes="nothing")
    if all(sparse):
        c.ignore("intermediate_size", why="All layers have experts.", changes="nothing")
    return [many if many and has else gated(c) for has in sparse]


@family("minimax_m2")
def minimax_m2(c: Noted) -> Model:
    """QK-norm before the split, half of the columns turns, experts in every layer."""
    c.only("use_qk_norm", True)
    c.only("qk_norm_type", "per_layer")
    c.only("shared_intermediate_size", 0)
    if set(c.get("attn_type_list") or [1]) != {1}:
        raise Refusal("attn_type_list holds more than 1: not known here.")
    d_k = heads(c, 8, 128)[2]
    turn = Turn(5_000_000.0, share=(c.some("rotary_dim") or d_k) / d_k)
    attention = grouped(c, kv=8, d_k=128, turn=turn, qk_norm="width")
    return alike(c, attention, experts(c, gated(c), n=256, used=8))


@family("dots1")
def dots1(c: Noted) -> Model:
    """QK-norm; a window from a layer on."""
    on, first = c.some("sliding_window", 4096), c.count("max_window_layers", 62)
    found = kinds(c, lambda i: SWA if on and i >= first else FULL, FULL, SWA)
    each = expert(c)
    shared = side_by_side(c, each, None)
    follows = first_dense(c, each, dense=0, shared=shared)
    attention = grouped(c, kv=32, qk_norm="head", **biased(c))
    seen = windows(c, found, 4096)
    mixers = [replace(attention, window=w) for w in seen]
    return decoder(c, map(block, mixers, follows))


@family("solar_open")
def solar_open(c: Noted) -> Model:
    """Experts in every layer, and one that every token uses."""
    c.only("first_k_dense_replace", 0)
    c.only("use_qk_norm", False)
    c.ignore("intermediate_size", why="All layers have experts.", changes="nothing")
    each = expert(c)
    follows = experts(c, each, n=128, used=8, shared=side_by_side(c, each, 1))
    bias = c.flag("attention_bias")
    turn = Turn(1_000_000.0)
    return alike(c, grouped(c, kv=8, d_k=128, turn=turn, qkv_bias=bias), follows)


@family("hy_v3")
def hy_v3(c: Noted) -> Model:
    """Hunyuan 3: QK-norm, experts after the first layers."""
    each = expert(c)
    shared = Network(c.size("num_shared_experts", 1) * each.ff, gated=True)
    follows = first_dense(c, each, dense=1, n=192, used=8, shared=shared)
    turn = Turn(11_158_840.0)
    why = "The format in which sums are added."
    c.ignore("enable_moe_fp32_combine", "enable_lm_head_fp32", why=why)
    attention = grouped(
        c, eps=1e-5, kv=8, d_k=128, turn=turn, qk_norm="head", **biased(c)
    )
    return decoder(c, [block(attention, network) for network in follows])


@family("nanochat")
def nanochat(c: Noted) -> Model:
    """Norms that learn nothing, after the rotation too."""
    attention = grouped(c, kv=6, qk_norm="plain", norm_after=True, **biased(c))
    layers = [block(attention, network(c), norm=PLAIN)] * len(stack(c))
    return decoder(c, layers, norm=PLAIN)


# GLM: half of the columns turns, in neighboring pairs.

HALF = Turn(share=0.5, neighbors=True)


@family("glm")
def glm(c: Noted) -> Model:
    """Two heads of keys for all."""
    bias = c.flag("attention_bias", True)
    return alike(c, grouped(c, kv=2, d_k=128, turn=HALF, qkv_bias=bias), gated(c))


@family("glm4")
def glm4(c: Noted) -> Model:
    """Norms before and after each part."""
    return four_norms(c, 128)


@family("glm4v_text")
def glm4v(c: Noted) -> Model:
    """The same, with heads that share the width."""
    return four_norms(c, None)


def four_norms(c: Noted, d_k: int | None) -> Model:
    """Put norms before and after each part."""
    bias = c.flag("attention_bias", True)
    attention = grouped(c, kv=2, d_k=d_k, turn=HALF, qkv_bias=bias)
    return decoder(c, [block(attention, gated(c), norms=4)] * len(stack(c)))


@family("glm4_moe")
def glm4_moe(c: Noted) -> Model:
    """Experts after the first layers, and one that every token uses."""
    return spread_out(c)


@family("glm4v_moe_text")
def glm4v_moe(c: Noted) -> Model:
    """The same with biases of queries, keys and values, and without QK-norm."""
    c.only("use_qk_norm", False)
    return spread_out(c, True)


def spread_out(c: Noted, bias: bool = False) -> Model:
    """Put experts after the first layers."""
    each = expert(c)
    shared = side_by_side(c, each, 1)
    follows = first_dense(c, each, dense=1, n=128, used=8, shared=shared)
    attention = grouped(
        c,
        eps=1e-5,
        kv=8,
        turn=Turn(share=0.5),
        qkv_bias=c.flag("attention_bias", bias),
        qk_norm="head" if c.flag("use_qk_norm") else None,
    )
    return decoder(c, [block(attention, network) for network in follows])
