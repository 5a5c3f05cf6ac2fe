"""Before Llama, in ways of their own: OPT, Falcon, MPT, DBRX."""

from typing import Any

from attnconfig.attention import Grouped
from attnconfig.building import way
from attnconfig.facts import plain_facts
from attnconfig.families.ways import clipped
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import Fields, Heads, Says
from attnconfig.model import Layer
from attnconfig.noted import Noted
from attnconfig.part import LAYER_NO_BIAS
from attnconfig.turning import Turn
from attnconfig.which import stack


@way
def opts_ends(c: Noted) -> dict[str, Any]:
    """A narrower embedding, and no last norm, in one size."""
    final = c.flag("do_layer_norm_before", True)
    return {"final": final, "narrow": c.maybe("word_embed_proj_dim")}


@way
def falcons_heads(c: Noted) -> dict[str, Any]:
    """One head of keys for all, or groups in its later form."""
    n, side = c.size("num_attention_heads"), c.flag("parallel_attn", True)
    new, said = c.flag("new_decoder_architecture"), c.some("num_kv_heads")
    few = 1 if c.flag("multi_query", True) else n
    norms = c.some("num_ln_in_parallel_attn") or (2 if new else 1) if side else 2
    if new and said not in (None, n):
        why = "transformers keeps shared heads once for each head of queries"
        c.refuse(f"new_decoder_architecture: {why}, others once.", "cache_bytes")
    kv, bias, alibi = (said or n) if new else few, Says("bias", False), c.flag("alibi")
    turn, facts = (None, ALIBI) if alibi else (Turn(), {})
    heads = Heads(kv=kv, even=True, turn=turn, bias=bias, facts=facts)
    return {"mixer": heads, "norms": norms}


ALIBI = {"position": "alibi", "not_said": "the bias of ALiBi is rounded to bfloat16"}


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
def dbrx(c: Noted) -> list[Layer]:
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
    norm, experts = LAYER_NO_BIAS, Mixture(4, used, one).one(follows)
    return [Layer(norm, norm, attention, experts)] * len(stack(c))
