"""MPT and DBRX: their lines of attention stand in a nest of their own."""

from attnconfig.attention import Grouped
from attnconfig.building import block, decoder, experts, family, stack
from attnconfig.families.early import even
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.part import LAYER_NO_BIAS
from attnconfig.turning import Turn


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
