"""Before Llama, in ways of their own: OPT, Falcon, MPT, DBRX."""

from typing import Unpack

from attnconfig.attention import Grouped
from attnconfig.building import Around, block, dealt_out, decoder, stack, way
from attnconfig.families.ways import clipped, positions
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import Says
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted
from attnconfig.part import LAYER, LAYER_NO_BIAS, Norm, Part
from attnconfig.turning import Turn


def even(c: Noted, kv: int | None = None) -> tuple[int, int, int]:
    """Heads that share the width, and as many heads of keys unless said."""
    n = c.size("num_attention_heads")
    return n, kv or n, dealt_out(c.size("hidden_size"), n)


def alike(
    c: Noted,
    attention: Part,
    network: Part,
    *,
    tied: bool = True,
    norm: Norm = LAYER,
    norms: int = 2,
    **around: Unpack[Around],
) -> Model:
    """A decoder of equal layers."""
    layers = [block(attention, network, norm=norm, norms=norms)] * len(stack(c))
    return decoder(c, layers, tied=tied, norm=norm, **around)


def four_times(c: Noted, key: str = "n_inner", bias: bool = True) -> Network:
    """A network that is four times as wide as the model, unless the file says."""
    return Network(c.maybe(key) or 4 * c.size("hidden_size"), bias)


@way
def gpt_bigcode(c: Noted) -> Model:
    """GPT-2 whose heads share one head of keys (SantaCoder, StarCoder)."""
    shared = 1 if c.flag("multi_query", True) else None
    scale = None if c.flag("scale_attn_weights", True) else 1.0
    attention = Grouped(*even(c, shared), qkv_bias=True, out_bias=True, scale=scale)
    around = positions("n_positions", 1024)(c)
    return alike(c, attention, four_times(c), around=around)


@way
def opt(c: Noted) -> Model:
    """Learned positions from the third row on; a narrower embedding in one size."""
    network = Wide(False, Says("enable_bias", True), "ffn_dim").one(c)
    first = c.flag("do_layer_norm_before", True)
    attention = Grouped(*even(c), qkv_bias=network.bias, out_bias=network.bias)
    return decoder(
        c,
        [block(attention, network, norm=LAYER)] * len(stack(c)),
        tied=True,
        norm=LAYER if first else None,
        around=positions("max_position_embeddings", 2048, 2)(c),
        narrow=c.maybe("word_embed_proj_dim"),
    )


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
    bias, alibi = c.flag("bias"), c.flag("alibi")
    h, g, k = even(c, (said or n) if new else few)
    attention = Grouped(
        *(h, g, k),
        rope=None if alibi else Turn().read(c, k),
        alibi=alibi,
        qkv_bias=bias,
        out_bias=bias,
        not_said="the bias of ALiBi is rounded to bfloat16" if alibi else None,
    )
    return alike(c, attention, four_times(c, "ffn_hidden_size", bias), norms=norms)


# Their lines of attention stand in a nest of their own.


@way
def mpt(c: Noted) -> Model:
    """ALiBi, and no biases at all."""
    inside = c.inside("attn_config")
    inside.only("alibi", True)
    inside.only("qk_ln", False)
    inside.only("attn_type", "multihead_attention")
    inside.only("prefix_lm", False)
    inside.ignore("alibi_bias_max", "attn_uses_sequence_id", why="Not read.")
    scale = inside.number("softmax_scale", 1.0) if inside.get("softmax_scale") else None
    attention = Grouped(
        *even(c), alibi=True, scale=scale, not_said=clipped(inside).get("not_said")
    )
    return alike(c, attention, Network(4 * c.size("hidden_size")), norm=LAYER_NO_BIAS)


@way
def dbrx(c: Noted) -> Model:
    """Grouped heads and experts, with two nests of lines."""
    inner, follows = c.inside("attn_config"), c.inside("ffn_config")
    h, _, k = even(c)
    turn = Turn(inner.number("rope_theta", 10_000.0)).read(Noted({}), k)
    kv = inner.size("kv_n_heads", 1)
    attention = Grouped(h, kv, k, rope=turn, not_said=clipped(inner).get("not_said"))
    follows.ignore(
        *("ffn_act_fn", "moe_loss_weight", "moe_normalize_expert_weights"),
        *("hidden_size", "moe_jitter_eps", "uniform_expert_assignment"),
        why="It changes no size.",
    )
    used = follows.size("moe_top_k", 1)
    one = Wide(key="ffn_hidden_size", default=3584)
    many = Mixture(4, used, one).one(follows)
    return alike(c, attention, many, tied=False, norm=LAYER_NO_BIAS)
