"""Before Llama, in ways of their own: OPT, Falcon, MPT, DBRX."""

from attnconfig.attention import Grouped
from attnconfig.building import block, decoder, way
from attnconfig.facts import plain_facts
from attnconfig.families.ways import clipped, positions
from attnconfig.family import Family
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import Fields, Heads, Says
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.part import LAYER, LAYER_NO_BIAS
from attnconfig.turning import Turn
from attnconfig.which import stack


@way
def opt(c: Noted) -> Model:
    """Learned positions from the third row on; a narrower embedding in one size."""
    bias, first = Says("enable_bias", True), c.flag("do_layer_norm_before", True)
    attention = Heads(even=True, turn=None, bias=bias).one(c)
    network = Wide(gated=False, bias=bias, key="ffn_dim").one(c)
    return decoder(
        c,
        [block(attention, network, norm=LAYER)] * len(stack(c)),
        tied=True,
        norm=LAYER if first else None,
        around=positions("max_position_embeddings", 2048, 2)(c),
        narrow=c.maybe("word_embed_proj_dim"),
    )


ALIBI = {"position": "alibi", "not_said": "the bias of ALiBi is rounded to bfloat16"}


@way
def falcon(c: Noted) -> Model:
    """One head of keys for all, or groups in its later form."""
    n, side = c.size("num_attention_heads"), c.flag("parallel_attn", True)
    new, said = c.flag("new_decoder_architecture"), c.some("num_kv_heads")
    few = 1 if c.flag("multi_query", True) else n
    norms = c.some("num_ln_in_parallel_attn") or (2 if new else 1) if side else 2
    if new and said not in (None, n):
        why = "transformers keeps shared heads once for each head of queries"
        c.refuse(f"new_decoder_architecture: {why}, others once.", "cache_bytes")
    bias, alibi = Says("bias", False), c.flag("alibi")
    heads = Heads(
        kv=(said or n) if new else few,
        even=True,
        turn=None if alibi else Turn(),
        bias=bias,
        facts=ALIBI if alibi else {},
    )
    wide = Wide(gated=False, bias=bias, key="ffn_hidden_size", times=4)
    return Family(heads, wide, norm=LAYER, norms=norms, tied=True)(c)


# Their lines of attention stand in a nest of their own.


@way
def mpts(c: Noted) -> Fields:
    """MPT's: ALiBi, and what scores are multiplied by."""
    inside = c.inside("attn_config")
    inside.only("alibi", True)
    inside.only("qk_ln", False)
    inside.only("attn_type", "multihead_attention")
    inside.only("prefix_lm", False)
    inside.ignore("alibi_bias_max", "attn_uses_sequence_id", why="Not read.")
    said = (
        {"scale": inside.number("softmax_scale", 1)}
        if inside.get("softmax_scale")
        else {}
    )
    return said | clipped(inside)


@way
def dbrx(c: Noted) -> Model:
    """Grouped heads and experts, with two nests of lines."""
    inner, follows = c.inside("attn_config"), c.inside("ffn_config")
    h, _, k = Heads(even=True).sizes(c)
    turn = Turn(inner.number("rope_theta", 10_000.0)).read(Noted({}), k)
    kv = inner.size("kv_n_heads", 1)
    attention = Grouped(plain_facts(h, kv, k, turn, **clipped(inner)))
    follows.ignore(
        *("ffn_act_fn", "moe_loss_weight", "moe_normalize_expert_weights"),
        *("hidden_size", "moe_jitter_eps", "uniform_expert_assignment"),
        why="It changes no size.",
    )
    used = follows.size("moe_top_k", 1)
    one = Wide(key="ffn_hidden_size", default=3584)
    layer = block(attention, Mixture(4, used, one).one(follows), norm=LAYER_NO_BIAS)
    return decoder(c, [layer] * len(stack(c)), norm=LAYER_NO_BIAS)
