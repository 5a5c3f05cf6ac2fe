"""Windows and experts together: AFMoE, EXAONE-MoE, Hunyuan, MiMo, Laguna, Mellum."""

from dataclasses import replace
from typing import Any

from attnconfig.building import (
    alike,
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
    side_by_side,
    stack,
    windows,
)
from attnconfig.families.sparse import first_dense
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight


@family("afmoe")
def afmoe(c: Noted) -> Model:
    """Heads that are gated, four norms, no rotation where all is seen."""
    found = kinds(c, every(c.size("global_attn_every_n_layers", 4)), FULL, SWA)
    each, first, n = (
        expert(c),
        c.count("num_dense_layers", 1),
        c.size("num_experts", 64),
    )
    shared = side_by_side(c, each, 2, "num_shared_experts")
    more = (Weight("correction", (n,)),)
    many = experts(c, each, n=n, used=6, shared=shared, more=more)
    c.ignore("mup_enabled", why="What the embedding is multiplied by.")
    why = "How experts are chosen, and how they are run."
    c.ignore("num_limited_groups", "use_grouped_mm", why=why)
    c.ignore("intermediate_size", why="Of the layers without experts.")
    attention = grouped(
        c, eps=1e-5, kv=16, d_k=128, qk_norm="head", gate="matrix", **biased(c)
    )
    layers = []
    for i, w in enumerate(windows(c, found, 1024)):
        mixer = replace(attention, window=w, rope=attention.rope if w else None)
        layers.append(block(mixer, gated(c) if i < first else many, norms=4))
    return decoder(c, layers)


@family("exaone_moe")
def exaone_moe(c: Noted) -> Model:
    """Layers that see everything do not turn, where others have a window."""
    pattern, on = c.get("sliding_window_pattern", 4), c.some("sliding_window", 4096)

    def default(i: int) -> str:
        if not on:
            return FULL
        if isinstance(pattern, str):
            return FULL if pattern[i % len(pattern)] == "G" else SWA
        return every(c.size("sliding_window_pattern", 4))(i)

    found = kinds(c, default, FULL, SWA)
    each = expert(c)
    shared = side_by_side(c, each, 1, "num_shared_experts")
    follows = first_dense(c, each, dense=1, n=64, used=8, shared=shared)
    attention = grouped(c, eps=1e-5, kv=32, qk_norm="head")
    still = replace(attention, rope=None) if SWA in found else attention
    layers = [
        block(replace(attention, window=w) if w else still, network)
        for w, network in zip(windows(c, found, 4096), follows, strict=True)
    ]
    return decoder(c, layers)


@family("hunyuan_v1_dense")
def hunyuan_v1_dense(c: Noted) -> Model:
    """QK-norm after the rotation."""
    c.only("use_qk_norm", True)
    _no_sharing_across_layers(c)
    c.only("norm_type", "rms")
    attention = grouped(c, eps=1e-5, qk_norm="head", norm_after=True, **biased(c))
    return alike(c, attention, gated(c))


def _no_sharing_across_layers(c: Noted) -> None:
    c.only("use_cla", False)
    c.ignore("cla_share_factor", why="use_cla is false.", changes="nothing")


@family("hunyuan_v1_moe")
def hunyuan_v1_moe(c: Noted) -> Model:
    """The same with experts, and one that every token uses."""
    c.only("use_qk_norm", True)
    c.only("use_mixed_mlp_moe", True)
    c.only("norm_type", "rms")
    _no_sharing_across_layers(c)
    ff = c.size("intermediate_size")
    if (
        _one(c, "moe_intermediate_size", ff) != ff
        or _one(c, "num_shared_expert", 1) != 1
    ):
        said = "moe_intermediate_size or num_shared_expert"
        raise Refusal(f"{said}: what they change is not known here.")
    used = _one(c, "moe_topk", 1)
    if not isinstance(used, int):
        raise Refusal(f"moe_topk = {used!r}: this should be a whole number.")
    routed = Noted({"num_experts_per_tok": used})
    n = c.size("num_experts", 1)
    many = experts(routed, gated(c), n=n, used=used, shared=gated(c))
    attention = grouped(c, eps=1e-5, qk_norm="head", norm_after=True, **biased(c))
    return alike(c, attention, many)


def _one(c: Noted, key: str, default: Any) -> Any:
    """Return what a line says of all layers alike."""
    value = c.get(key, default)
    values = value if isinstance(value, list) else [value]
    if any(each != values[0] for each in values) or not values:
        raise Refusal(f"{key} differs from layer to layer: not known here.")
    return values[0]


@family("mimo_v2_flash")
def mimo_v2_flash(c: Noted) -> Model:
    """Windows have twice the heads of keys, and learned sinks; values are narrower."""
    n, d_k = len(stack(c)), c.size("head_dim", 192)
    d_v = c.size("v_head_dim", 128)
    c.only("swa_head_dim", d_k)
    c.only("swa_v_head_dim", d_v)
    c.only("swa_num_attention_heads", c.size("num_attention_heads"))
    c.only("add_swa_attention_sink_bias", True)
    c.only("add_full_attention_sink_bias", False)
    c.only("n_shared_experts", None)
    c.assume("attention_value_scale")  # 0.707
    pattern = c.each("hybrid_layer_pattern", n)

    def default(i: int) -> str:
        if pattern:
            return SWA if pattern[i] else FULL
        return FULL if i == 0 or (i + 1) % 6 == 0 else SWA

    found = kinds(c, default, FULL, SWA)
    seen = windows(c, found, 128)
    c.only("attention_chunk_size", c.get("sliding_window", 128))
    c.only("sliding_window_size", c.get("sliding_window", 128))
    bias = c.flag("attention_bias")
    turns = {
        FULL: Turn(5_000_000.0, share=0.334).read(c, d_k, FULL),
        SWA: Turn(share=0.334, key="swa_rope_theta").read(c, d_k, SWA),
    }
    full = grouped(c, kv=4, d_k=192, turn=None, qkv_bias=bias, d_v=d_v)
    many = c.size("swa_num_key_value_heads", 2 * full.kv_heads)
    mixers = {
        FULL: replace(full, rope=turns[FULL]),
        SWA: replace(full, rope=turns[SWA], kv_heads=many, sinks=True),
    }
    spread = c.each("moe_layer_freq", n) or [0] + [1] * (n - 1)
    routed = experts(c, expert(c), n=256, used=8)
    layers = [
        block(replace(mixers[kind], window=w), routed if has else gated(c))
        for kind, w, has in zip(found, seen, spread, strict=True)
    ]
    return decoder(c, layers)


@family("laguna")
def laguna(c: Noted) -> Model:
    """A gate for each head; as many heads as a list says of each layer."""
    found = kinds(c, always(FULL), FULL, SWA)
    c.only("gating", True, "per-head")
    each, n = expert(c), c.size("num_experts", 256)
    shared = Network(c.size("shared_expert_intermediate_size", 512), gated=True)
    more = (Weight("correction", (n,)),)
    follows = first_dense(c, each, dense=1, n=n, used=8, shared=shared, more=more)
    c.only("moe_apply_router_weight_on_input", False)
    bias, d_k = biased(c), c.size("head_dim", 128)
    full = grouped(c, kv=8, d_k=128, turn=None, qk_norm="head", gate="heads", **bias)
    turns = {
        FULL: Turn(500_000.0, share=0.5, beside=True).read(c, d_k, FULL),
        SWA: Turn(10_000.0, beside=True).read(c, d_k, SWA),
    }
    many = c.each("num_attention_heads_per_layer", len(found)) or [full.heads] * len(
        found
    )
    layers = [
        block(replace(full, heads=h, window=w, rope=turns[kind]), network)
        for h, w, kind, network in zip(
            many, windows(c, found, 512), found, follows, strict=True
        )
    ]
    return decoder(c, layers)


@family("mellum")
def mellum(c: Noted) -> Model:
    """QK-norm, windows by a list, experts by a list."""
    found = kinds(c, always(FULL), FULL, SWA)
    follows = first_dense(c, expert(c), dense=0, n=64, used=8)
    full = grouped(c, kv=4, d_k=128, turn=None, qk_norm="head", **biased(c))
    turns = {
        FULL: Turn(500_000.0, beside=True).read(c, full.d_k, FULL),
        SWA: Turn(10_000.0, beside=True).read(c, full.d_k, SWA),
    }
    layers = [
        block(replace(full, window=w, rope=turns[kind]), network)
        for w, kind, network in zip(
            windows(c, found, 1024), found, follows, strict=True
        )
    ]
    return decoder(c, layers)
