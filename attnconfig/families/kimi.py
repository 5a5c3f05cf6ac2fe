"""Kimi Linear and Ling: Kimi Delta Attention, and latent attention without rotation."""

from dataclasses import replace

from attnconfig.building import (
    LINEAR,
    block,
    decoder,
    every,
    expert,
    family,
    kinds,
    side_by_side,
    stack,
)
from attnconfig.families.latent import Sizes, mla
from attnconfig.families.sparse import first_dense
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.states import KimiDelta
from attnconfig.turning import FULL


@family("kimi_linear")
def kimi_linear(c: Noted) -> Model:
    """Three layers of KDA, and one of latent attention."""
    inner = c.inside("linear_attn_config")
    full, linear = inner.get("full_attn_layers"), inner.get("kda_layers")
    if full and linear and sorted([*full, *linear]) != [i + 1 for i in stack(c)]:
        raise Refusal("linear_attn_config does not say what each layer is.")

    def default(i: int) -> str:
        return FULL if (i + 1 in full if full else i and i % 4 == 0) else LINEAR

    found = kinds(c, default, FULL, LINEAR)
    delta = KimiDelta(
        inner.size("num_heads", c.size("linear_num_heads", 32)),
        inner.size("head_dim", c.size("linear_head_dim", 128)),
        inner.size("short_conv_kernel_size", c.size("linear_conv_kernel_dim", 4)),
    )
    c.only("tie_word_embeddings", False)
    c.only("mla_use_nope", True)
    why = "How experts are chosen."
    names = ("moe_renormalize", "moe_router_activation_func", "use_grouped_topk")
    c.ignore(*names, "num_expert_group", why=why)
    latent = replace(mla(c, Sizes(q=None)), rope=None)
    each = expert(c)
    shared = side_by_side(c, each, 1, "num_shared_experts")
    used = c.size("num_experts_per_token", 8)
    networks = first_dense(c, each, dense=1, n=256, used=used, shared=shared)
    layers = [
        block(latent if kind == FULL else delta, network)
        for kind, network in zip(found, networks, strict=True)
    ]
    return decoder(c, layers)


@family("bailing_hybrid")
def ling(c: Noted) -> Model:
    """Ling 3: five layers of KDA, and one of latent attention whose heads are gated."""
    found = kinds(c, every(c.size("layer_group_size", 6), LINEAR), FULL, LINEAR)
    delta = KimiDelta(
        c.size("linear_num_heads", c.size("num_attention_heads")),
        c.size("linear_head_dim", c.size("head_dim", 128)),
        c.size("linear_conv_kernel_dim", c.size("short_conv_kernel_size", 4)),
        narrow=False,
    )
    c.only("tie_word_embeddings", False)
    c.ignore("kda_safe_gate", "kda_lower_bound", why="How far states can decay.")
    for key in ("no_kda_lora", "use_qk_norm", "linear_silu"):
        c.only(key, True)
    c.only("use_kda_lora", False)
    c.only("q_lora_rank", None)
    c.only("gated_attention_proj_granularity_type", "head_wise")
    why = "How experts are chosen."
    c.ignore("moe_renormalize", "num_expert_group", why=why)
    latent = mla(c, Sizes(q=None, base=6_000_000.0))
    latent = replace(latent, gate=latent.heads)
    each = expert(c)
    c.only("moe_shared_expert_intermediate_size", each.ff)
    shared = Network(c.size("n_shared_experts", 1) * each.ff, gated=True)
    networks = first_dense(c, each, dense=2, n=512, used=8, shared=shared)
    layers = [
        block(latent if kind == FULL else delta, network)
        for kind, network in zip(found, networks, strict=True)
    ]
    return decoder(c, layers)
