"""LFM2: short convolutions, and attention in some layers."""

from dataclasses import replace

from attnconfig.building import (
    CONV,
    always,
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
    stack,
    up,
    windows,
)
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.states import Convolution
from attnconfig.turning import FULL, SWA, Turn

TURN = Turn(1_000_000.0)


def convolution(c: Noted, kernel: int = 3) -> Convolution:
    """Read the convolution."""
    length = c.size("conv_L_cache", kernel)
    return Convolution(length, c.size("hidden_size"), c.flag("conv_bias"))


@family("lfm2")
def lfm2(c: Noted) -> Model:
    """QK-norm, and a network whose width is two thirds of what is said, rounded."""
    listed = c.get("full_attn_idxs")
    if not isinstance(listed, list | None):
        raise Refusal(f"full_attn_idxs = {listed!r}: this should be a list of layers.")
    found = kinds(
        c, lambda i: FULL if listed is None or i in listed else CONV, FULL, CONV
    )
    c.ignore(
        *("block_dim", "conv_dim", "conv_dim_out", "use_pos_enc", "block_use_swiglu"),
        *("theta", "block_norm_eps", "num_heads", "conv_use_xavier_init"),
        "block_use_xavier_init",
        why="Its program does not read it.",
    )
    full = grouped(c, eps=1e-5, kv=8, turn=TURN, qk_norm="head")
    conv, network = convolution(c), Network(_adjusted(c), gated=True)
    layers = [block(full if kind == FULL else conv, network) for kind in found]
    return decoder(c, layers, tied=True)


def _adjusted(c: Noted) -> int:
    ff = c.size("intermediate_size")
    times = c.get("block_ffn_dim_multiplier", 1.0)
    multiple = c.size("block_multiple_of", 256)
    if not c.flag("block_auto_adjust_ff_dim", True):
        return ff
    ff = 2 * ff // 3
    if times is None:
        return ff
    return up(int(c.number("block_ffn_dim_multiplier", 1.0) * ff), multiple)


@family("lfm2_moe")
def lfm2_moe(c: Noted) -> Model:
    """Experts after the first layers."""
    found = kinds(c, always(FULL), FULL, CONV)
    full = grouped(c, eps=1e-5, kv=8, turn=TURN, qk_norm="head")
    conv, first = convolution(c), c.count("num_dense_layers", 2)
    c.ignore(
        "use_expert_bias", why="How experts are chosen; their bias is not learned."
    )
    c.ignore("intermediate_size", why="Of the layers without experts.")
    many = experts(c, expert(c), n=32, used=4)
    layers = [
        block(full if found[i] == FULL else conv, gated(c) if i < first else many)
        for i in stack(c)
    ]
    return decoder(c, layers, tied=True)


@family("lfm3")
def lfm3(c: Noted) -> Model:
    """Windows too, gated heads, norms before and after each part."""
    found = kinds(
        c, lambda i: {2: FULL, 0: SWA}.get(i % 4, CONV) if i else CONV, FULL, SWA, CONV
    )
    norms = 4 if c.flag("use_sandwich_norm", True) else 2
    gated_heads = c.flag("use_attention_gate", True)
    d_k = heads(c, 4, 128)[2]
    full = grouped(
        c,
        eps=1e-5,
        kv=4,
        d_k=128,
        turn=None,
        qk_norm="head",
        gate="heads" if gated_heads else None,
        **biased(c),
    )
    stretch = {"rope_type": "proportional"}
    turns = {
        FULL: Turn(1_000_000.0, 0.5, scaling=stretch, beside=True).read(c, d_k, FULL),
        SWA: Turn(10_000.0, beside=True).read(c, d_k, SWA),
    }
    conv = convolution(c, 7)
    layers = []
    for kind, w in zip(found, windows(c, found, 256), strict=True):
        mixer = conv if kind == CONV else replace(full, window=w, rope=turns[kind])
        layers.append(block(mixer, gated(c), norms=norms))
    return decoder(c, layers, tied=True)
