"""Mistral, Mixtral, Granite, Phi and ERNIE 4.5: Llama but for a line or two."""

from dataclasses import replace
from typing import TypedDict

from attnconfig.building import (
    alike,
    biased,
    block,
    decoder,
    experts,
    family,
    gated,
    grouped,
    kinds,
    network,
    stack,
    window,
    windows,
)
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.part import LAYER
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight

# Mistral and Mixtral: grouped heads with a window in every layer, or none.


@family("mistral", sizes=(4096, 32, 32, 14336, 32000))
def mistral(c: Noted) -> Model:
    """Llama with a window."""
    return alike(c, grouped(c, kv=8, window=window(c, 4096)), gated(c))


@family("mixtral")
def mixtral(c: Noted) -> Model:
    """Experts in every layer, as wide as the network would be."""
    attention = grouped(c, kv=8, turn=Turn(1_000_000.0), window=window(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2))


@family("ministral")
def ministral(c: Noted) -> Model:
    """Layers with a window beside layers without."""
    on = c.some("sliding_window", 4096)
    found = kinds(c, lambda i: SWA if on else FULL, FULL, SWA)
    attention = grouped(c, kv=8)
    seen = windows(c, found, 4096)
    return decoder(c, [block(replace(attention, window=w), gated(c)) for w in seen])


@family("ministral3", sizes=(4096, 34, 32, 14336, 131072))
def ministral3(c: Noted) -> Model:
    """Queries that grow with their position."""
    said = "queries also grow with their position"
    turn, seen = Turn(1_000_000.0), window(c)
    attention = grouped(c, kv=8, d_k=128, turn=turn, window=seen, not_said=said)
    return alike(c, attention, gated(c))


# Granite: scores are multiplied by a line of the file.


class Scaled(TypedDict):
    """What scores are multiplied by."""

    scale: float


def scaled(c: Noted) -> Scaled:
    """Read what scores are multiplied by."""
    return {"scale": c.number("attention_multiplier", 1.0)}


@family("granite")
def granite(c: Noted) -> Model:
    """Llama with multipliers."""
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, gated(c, c.flag("mlp_bias")))


@family("granitemoe")
def granitemoe(c: Noted) -> Model:
    """Experts in every layer."""
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2))


@family("granitemoeshared")
def granitemoeshared(c: Noted) -> Model:
    """And a network that every token uses."""
    both = c.some("shared_intermediate_size")
    shared = Network(both, gated=True) if both else None
    attention = grouped(c, **scaled(c), **biased(c))
    return alike(c, attention, experts(c, gated(c), n=8, used=2, shared=shared))


# Phi.


@family("phi")
def phi(c: Noted) -> Model:
    """LayerNorms, biases everywhere, attention and network side by side."""
    c.only("qk_layernorm", False)
    c.ignore("rotary_dim", why="Its program reads partial_rotary_factor.")
    turn = Turn(share=0.5)
    attention = grouped(c, turn=turn, qkv_bias=True, out_bias=True)
    layers = [block(attention, network(c, True), norm=LAYER, norms=1)] * len(stack(c))
    return decoder(c, layers, norm=LAYER, head_bias=True)


@family("phi3")
def phi3(c: Noted) -> Model:
    """Llama, with matrices stored side by side."""
    c.only("attention_bias", False)
    c.only("mlp_bias", False)
    return alike(c, grouped(c, window=window(c)), gated(c))


@family("phimoe")
def phimoe(c: Noted) -> Model:
    """LayerNorms and experts."""
    turn, seen = Turn(1_000_000.0), window(c)
    attention = grouped(c, kv=8, turn=turn, window=seen, **biased(c))
    follows = experts(c, gated(c), n=16, used=2)
    layers = [block(attention, follows, norm=LAYER)] * len(stack(c))
    return decoder(c, layers, norm=LAYER, head_bias=c.flag("lm_head_bias"))


# ERNIE 4.5: rotated neighbors, one line for all biases.

TURN = Turn(500_000.0, neighbors=True)


@family("ernie4_5")
def ernie4_5(c: Noted) -> Model:
    """Tied, with few heads of keys."""
    bias = c.flag("use_bias")
    attention = grouped(c, kv=2, d_k=128, turn=TURN, qkv_bias=bias, out_bias=bias)
    layers = [block(attention, gated(c, bias))] * len(stack(c))
    return decoder(c, layers, tied=True)


@family("ernie4_5_moe")
def ernie4_5_moe(c: Noted) -> Model:
    """Experts from one layer to another, and some that every token uses."""
    c.only("moe_layer_interval", 1)
    bias, width = c.flag("use_bias"), c.size("moe_intermediate_size")
    n, both = c.size("moe_num_experts", 64), c.some("moe_num_shared_experts", 2)
    first, last = c.count("moe_layer_start_index", 1), c.get("moe_layer_end_index", -1)
    last = len(stack(c)) - 1 if last == -1 else c.count("moe_layer_end_index", 0)
    shared = Network(both * width, bias, gated=True) if both else None
    many = experts(
        c,
        Network(width, gated=True),
        n=n,
        used=c.count("moe_k", 6),
        shared=shared,
        more=(Weight("correction of the router", (n,)),),
    )
    attention = grouped(c, kv=4, turn=TURN, qkv_bias=bias, out_bias=bias)
    layers = [
        block(attention, many if first <= i <= last else gated(c, bias))
        for i in stack(c)
    ]
    return decoder(c, layers, tied=True, head_bias=bias)
