"""ERNIE 4.5: rotated neighbors, one line for all biases."""

from attnconfig.building import (
    block,
    decoder,
    experts,
    family,
    gated,
    grouped,
    stack,
)
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.turning import Turn
from attnconfig.weights import Weight

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
