"""Qwen: late windows, shared experts, and Gated DeltaNet from Qwen3-Next on."""

from collections.abc import Sequence
from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    LINEAR,
    always,
    biased,
    block,
    decoder,
    every,
    expert,
    experts,
    family,
    gated,
    grouped,
    kinds,
    stack,
    window,
    windows,
)
from attnconfig.families.llama import no_window
from attnconfig.model import Layer, Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import Part
from attnconfig.states import FLOAT32, Delta
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import FORMATS

# Qwen: a window from a layer on, and experts with a gated shared one.


def late(c: Noted, attention: Grouped, first: int = 28) -> list[Part]:
    """Give the layers from one on a window, where it is used."""
    on, first = c.flag("use_sliding_window"), c.count("max_window_layers", first)
    found = kinds(c, lambda i: SWA if on and i >= first else FULL, FULL, SWA)
    if not on:
        no_window(c)
        if SWA in found:
            said = "layer_types has layers with a window"
            raise Refusal(f"{said}, but use_sliding_window is false.")
        return [attention] * len(found)
    return [replace(attention, window=w) for w in windows(c, found, 4096)]


def layered(mixers: list[Part], network: Network) -> list[Layer]:
    """Put the same network after each."""
    return [block(mixer, network) for mixer in mixers]


@family(
    *("qwen2", "qwen2_5_vl_text", "qwen2_vl_text"), sizes=(4096, 32, 32, 22016, 151936)
)
def qwen2(c: Noted) -> Model:
    """Biases of queries, keys and values."""
    return decoder(c, layered(late(c, grouped(c, kv=32, qkv_bias=True)), gated(c)))


@family("mimo")
def mimo(c: Noted) -> Model:
    """MiMo: Qwen2's decoder."""
    c.only("attention_bias", True)
    return decoder(c, layered(late(c, grouped(c, kv=32, qkv_bias=True)), gated(c)))


@family("qwen3", "qwen3_vl_text", sizes=(4096, 32, 32, 22016, 151936))
def qwen3(c: Noted) -> Model:
    """QK-norm in place of the biases."""
    attention = grouped(c, kv=32, d_k=128, qk_norm="head", **biased(c))
    return decoder(c, layered(late(c, attention), gated(c)))


def qwen_experts(
    c: Noted, n: int, used: int, shared: int | None = None
) -> Experts | None:
    """Experts with a gated one that every token uses; None where there are none."""
    key = "shared_expert_intermediate_size"
    if not c.some("num_experts", n):
        why = "There are no experts."
        c.ignore("moe_intermediate_size", "num_experts_per_tok", why=why)
        return None
    both = Network(c.count(key, shared), gated=True) if shared else None
    return experts(c, expert(c), n=n, used=used, shared=both, shared_gate=True)


def qwen_networks(c: Noted, many: Experts | None) -> list[Network | Experts]:
    """List the networks: experts in some layers."""
    without, step = (
        c.get("mlp_only_layers") or [],
        c.some("decoder_sparse_step", 1) or 1,
    )
    c.ignore("intermediate_size", why="Of the layers without experts.")
    if not isinstance(without, list):
        raise Refusal(
            f"mlp_only_layers = {without!r}: this should be a list of layers."
        )
    return [
        many if many and i not in without and (i + 1) % step == 0 else gated(c)
        for i in stack(c)
    ]


@family("qwen2_moe")
def qwen2_moe(c: Noted) -> Model:
    """Qwen1.5-MoE."""
    bias = c.flag("qkv_bias", True)
    mixers = late(c, grouped(c, kv=16, qkv_bias=bias))
    follows = qwen_networks(c, qwen_experts(c, 60, 4, 5632))
    return decoder(c, map(block, mixers, follows))


@family("qwen3_moe", "qwen3_vl_moe_text", sizes=(2048, 24, 32, 6144, 151936))
def qwen3_moe(c: Noted) -> Model:
    """No shared expert; one mask for all layers."""
    c.only("shared_expert_intermediate_size", 0)
    c.only("use_qk_norm", True)
    c.only("qkv_bias", False)
    kinds(c, always(FULL), FULL)
    seen = window(c, 4096) if c.flag("use_sliding_window") else None
    if seen is None:
        no_window(c)
    if seen and c.get("layer_types"):
        raise Refusal("layer_types says full, sliding_window says otherwise.")
    c.ignore(
        "max_window_layers", why="Its program gives all layers the window, or none."
    )
    attention = grouped(c, kv=4, qk_norm="head", window=seen, **biased(c))
    follows = qwen_networks(c, qwen_experts(c, 128, 8))
    return decoder(c, [block(attention, network) for network in follows])


# Qwen3-Next and 3.5: three layers of Gated DeltaNet, and one of gated attention.


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
