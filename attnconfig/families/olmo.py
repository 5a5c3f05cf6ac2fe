"""MPT and DBRX, whose lines of attention stand in a nest of their own; and OLMo."""

from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    LINEAR,
    alike,
    biased,
    block,
    decoder,
    every,
    experts,
    family,
    gated,
    grouped,
    heads,
    kinds,
    stack,
    windows,
)
from attnconfig.families.early import even
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.part import LAYER_NO_BIAS, PLAIN
from attnconfig.states import Delta
from attnconfig.turning import FULL, SWA, Turn

# MPT and DBRX: their lines of attention stand in a nest of their own.


@family("mpt")
def mpt(c: Noted) -> Model:
    """ALiBi, and no biases at all."""
    c.only("no_bias", True)
    c.only("expansion_ratio", 4)
    c.only("learned_pos_emb", True)
    c.ignore("init_config", "init_device", why="For training only.", changes="nothing")
    c.ignore("norm_type", "embedding_fraction", why="Its program does not read it.")
    inside = c.inside("attn_config")
    inside.only("alibi", True)
    inside.only("qk_ln", False)
    inside.only("attn_type", "multihead_attention")
    inside.only("prefix_lm", False)
    inside.ignore("alibi_bias_max", "attn_uses_sequence_id", why="Not read.")
    scale = inside.number("softmax_scale", 1.0) if inside.get("softmax_scale") else None
    attention = Grouped(
        *even(c), alibi=True, scale=scale, not_said=clipped(inside.get("clip_qkv"))
    )
    follows = Network(4 * c.size("hidden_size"))
    layers = [block(attention, follows, norm=LAYER_NO_BIAS)] * len(stack(c))
    return decoder(c, layers, tied=True, norm=LAYER_NO_BIAS)


def clipped(limit: object) -> str | None:
    """Say that queries, keys and values are cut off, which no call says."""
    said = f"clip_qkv = {limit} changes more than a call here can say"
    return said if limit else None


@family("dbrx")
def dbrx(c: Noted) -> Model:
    """Grouped heads and experts, with two nests of lines."""
    inner, follows = c.inside("attn_config"), c.inside("ffn_config")
    h, _, k = even(c)
    turn = Turn(inner.number("rope_theta", 10_000.0)).read(Noted({}), k)
    clip = clipped(inner.get("clip_qkv"))
    attention = Grouped(h, inner.size("kv_n_heads", 1), k, rope=turn, not_said=clip)
    follows.ignore(
        *("ffn_act_fn", "moe_loss_weight", "moe_normalize_expert_weights"),
        *("hidden_size", "moe_jitter_eps", "uniform_expert_assignment"),
        why="It changes no size.",
    )
    each = Network(follows.size("ffn_hidden_size", 3584), gated=True)
    many = experts(follows, each, n=4, used=follows.size("moe_top_k", 1))
    layer = block(attention, many, norm=LAYER_NO_BIAS)
    return decoder(c, [layer] * len(stack(c)), norm=LAYER_NO_BIAS)


# OLMo: norms without gains at first, then norms after the parts and QK-norm.


@family("olmo")
def olmo(c: Noted) -> Model:
    """Norms that learn nothing."""
    attention = grouped(c, not_said=clipped(c.get("clip_qkv")), **biased(c))
    layers = [block(attention, gated(c), norm=PLAIN)] * len(stack(c))
    return decoder(c, layers, norm=PLAIN)


@family("olmo2")
def olmo2(c: Noted) -> Model:
    """QK-norm before the split into heads."""
    return alike(c, grouped(c, eps=1e-5, qk_norm="width", **biased(c)), gated(c))


@family("olmo3")
def olmo3(c: Noted) -> Model:
    """Windows, and a stretch in the layers without one alone."""
    found = kinds(c, every(4), FULL, SWA)
    turn, d_k = Turn(500_000.0), heads(c)[2]
    attention = grouped(c, eps=1e-5, turn=turn, qk_norm="width", **biased(c))
    local = Turn(500_000.0, apart=True).read(c, d_k, SWA)
    layers = [
        block(
            replace(attention, window=w, rope=local if w else attention.rope), gated(c)
        )
        for w in windows(c, found, 4096)
    ]
    return decoder(c, layers)


@family("olmoe")
def olmoe(c: Noted) -> Model:
    """Experts in every layer."""
    clip = clipped(c.get("clip_qkv"))
    attention = grouped(c, eps=1e-5, qk_norm="width", not_said=clip, **biased(c))
    return alike(c, attention, experts(c, gated(c), n=64, used=8))


@family("flex_olmo")
def flex_olmo(c: Noted) -> Model:
    """Few experts, of which most are used."""
    attention = grouped(c, turn=Turn(500_000.0), qk_norm="width", **biased(c))
    return alike(c, attention, experts(c, gated(c), n=7, used=5))


@family("olmo_hybrid")
def olmo_hybrid(c: Noted) -> Model:
    """Three layers of Gated DeltaNet, and one of attention."""
    found = kinds(c, every(4, LINEAR), FULL, LINEAR)
    n = c.size("num_attention_heads")
    keys, values = (
        c.size("linear_num_key_heads", n),
        c.size("linear_num_value_heads", n),
    )
    d_k = c.size("linear_key_head_dim", int(0.75 * c.size("hidden_size") / keys))
    d_v = c.size("linear_value_head_dim", 2 * d_k)
    delta = Delta(keys, values, d_k, d_v, c.size("linear_conv_kernel_dim", 4))
    c.ignore(
        *("linear_a_log_min", "linear_a_log_max", "linear_dt_min", "linear_dt_max"),
        "linear_dt_init_floor",
        why="How decays were before training.",
        changes="nothing",
    )
    c.ignore("linear_allow_neg_eigval", why="Whether a step can be as large as 2.")
    full = grouped(c, qk_norm="width", **biased(c))
    layers = [block(full if kind == FULL else delta, gated(c)) for kind in found]
    return decoder(c, layers)
