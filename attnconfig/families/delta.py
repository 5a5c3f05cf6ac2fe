"""Qwen3-Next and 3.5: three layers of Gated DeltaNet, and one of gated attention."""

from collections.abc import Sequence

from attnconfig.building import (
    LINEAR,
    biased,
    block,
    decoder,
    every,
    family,
    gated,
    grouped,
    kinds,
    stack,
)
from attnconfig.families.qwen import qwen_experts, qwen_networks
from attnconfig.model import Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.states import FLOAT32, Delta
from attnconfig.turning import FULL, Turn
from attnconfig.weights import FORMATS


def state_format(c: Noted, key: str) -> str:
    """Read the format that states are kept in."""
    said = c.get(key, FLOAT32)
    if said not in FORMATS:
        c.refuse(f"{key} = {said!r}: a format that is not known here.", "cache_bytes")
        return FLOAT32
    return str(said)


def next_to(c: Noted, networks: Sequence[Network | Experts], kv: int) -> Model:
    """Put states and attention before these networks."""
    c.only("attn_output_gate", True)
    c.only("use_sliding_window", False)
    c.only("output_gate_type", "swish", "sigmoid", "silu")
    found = kinds(c, every(c.size("full_attention_interval", 4), LINEAR), FULL, LINEAR)
    full = grouped(
        c,
        kv=kv,
        d_k=256,
        turn=Turn(share=0.25),
        qk_norm="head",
        gate="query",
        **biased(c),
    )
    delta = Delta(
        c.size("linear_num_key_heads", 16),
        c.size("linear_num_value_heads", 32),
        c.size("linear_key_head_dim", 128),
        c.size("linear_value_head_dim", 128),
        c.size("linear_conv_kernel_dim", 4),
        state_format(c, "mamba_ssm_dtype"),
    )
    layers = [
        block(full if kind == FULL else delta, network)
        for kind, network in zip(found, networks, strict=True)
    ]
    return decoder(c, layers)


@family("qwen3_next", sizes=(2048, 48, 16, 5632, 151936))
def qwen3_next(c: Noted) -> Model:
    """512 experts, and one that every token uses."""
    return next_to(c, qwen_networks(c, qwen_experts(c, 512, 10, 512)), 2)


@family("qwen3_5_text", sizes=(4096, 32, 16, 12288, 248320))
def qwen3_5(c: Noted) -> Model:
    """The dense one, which Qwen 3.6 is as well."""
    return next_to(c, [gated(c)] * len(stack(c)), 4)


@family("qwen3_5_moe_text", sizes=(2048, 40, 16, 0, 248320))
def qwen3_5_moe(c: Noted) -> Model:
    """The sparse one: experts in every layer."""
    many = qwen_experts(c, 256, 8, 512)
    if many is None:
        raise Refusal("num_experts is 0: there is no network then.")
    c.ignore("intermediate_size", why="All layers have experts.", changes="nothing")
    return next_to(c, [many] * len(stack(c)), 2)
