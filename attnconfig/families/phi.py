"""Phi."""

from attnconfig.building import (
    alike,
    biased,
    block,
    decoder,
    experts,
    family,
    gated,
    grouped,
    network,
    stack,
    window,
)
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.part import LAYER
from attnconfig.turning import Turn


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
