"""GLM: half of the columns turns, in neighboring pairs."""

from attnconfig.building import (
    alike,
    block,
    decoder,
    expert,
    family,
    gated,
    grouped,
    side_by_side,
    stack,
)
from attnconfig.families.sparse import first_dense
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.turning import Turn

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
