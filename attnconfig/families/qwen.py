"""Qwen: a window from a layer on, and experts with a gated shared one."""

from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    always,
    biased,
    block,
    decoder,
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
from attnconfig.turning import FULL, SWA


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
