"""Parts of a single family, beyond what a row can say."""

from typing import Any

from attnconfig.attention import Grouped
from attnconfig.building import CHUNK, Which, dealt_out, kinds, stack, up, way
from attnconfig.facts import plain_facts, turned
from attnconfig.families.by_layer import Each, after, turning, with_own
from attnconfig.families.ways import clipped
from attnconfig.heads import BIAS, MLP_BIAS, Fields, Heads, Says, flag
from attnconfig.model import Layer
from attnconfig.networks import Mixture, Network, Wide
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER_NO_BIAS, RMS, Listed, Part
from attnconfig.turning import FULL, Turn
from attnconfig.weights import Weight


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


@way
def inner_norms(c: Noted, network: Part | None) -> Listed:
    """BitNet has a norm before each last matrix."""
    d, ff = c.size("hidden_size"), c.size("intermediate_size")
    norms = (Weight("norm of heads", (d,)), Weight("norm of network", (ff,)))
    return Listed("inner norms", norms)


@way
def nemotron_nas(c: Noted) -> list[Layer]:
    """Puzzle: each layer says how many heads share keys, how wide its network is."""
    width, n = c.size("hidden_size"), c.size("num_attention_heads")
    c.ignore("intermediate_size", "num_key_value_heads", why="block_configs says it.")
    d_k = dealt_out(width, n)
    rope, bias = Turn().read(c, d_k), flag(c, BIAS)
    mlp_bias = flag(c, MLP_BIAS)

    def layer(said: object) -> Layer:
        if not isinstance(said, dict) or not {"attention", "ffn"} <= said.keys():
            raise Refusal(f"block_configs holds {said!r}: no attention and ffn.")
        mixer, follows = Noted(said["attention"]), Noted(said["ffn"])
        for part in (mixer, follows):
            part.only("replace_with_linear", False)
            part.only("sparsify", None)
        attention = wide = None
        if not mixer.flag("no_op"):
            group = mixer.size("n_heads_in_group")
            if n % group:
                said = f"groups of {group} do not make {n} heads"
                raise Refusal(f"n_heads_in_group: {said}.")
            attention = Grouped(plain_facts(n, n // group, d_k, rope), bias, bias)
        if not follows.flag("no_op"):
            ff = up(int(2 * follows.number("ffn_mult", 1.0) * width / 3), 256)
            wide = Network(ff, mlp_bias, gated=True)
        return Layer(attention and RMS, attention, wide and RMS, wide)

    blocks = c.each("block_configs", len(stack(c)))
    if blocks is None:
        raise Refusal("block_configs is missing: what is each layer?")
    return list(map(layer, blocks))


@way
def in_chunks(c: Noted, found: list[str], heads: Each) -> Each:
    """Llama 4: chunks with rotation and then norms; every fourth layer has neither."""
    size = c.some("attention_chunk_size", 8192)
    if CHUNK in found and not size:
        raise Refusal("attention_chunk_size: the size of the chunks is not given.")
    normed, rotary = c.flag("use_qk_norm", True), heads[0].facts.rotary
    norm = {"qk_norm": "plain", "norm_after": True} if normed else {}
    own = ({**turned(rotary), **norm} if x else turned(None) for x in turning(c))
    chunks = ({"chunk": size} if kind == CHUNK else {} for kind in found)
    return with_own(with_own(heads, own), chunks)


@way
def one_window_for_all(c: Noted) -> dict[str, Any]:
    """Qwen3-MoE: one mask for all layers."""
    kinds(c, {}, FULL, FULL)
    on = c.flag("use_sliding_window")
    if on and c.some("sliding_window", 4096) and c.get("layer_types"):
        raise Refusal("layer_types says full, sliding_window says otherwise.")
    if not on:
        why = "use_sliding_window is false."
        c.ignore("sliding_window", why=why, changes="nothing")
    return {"window": 4096 if on else None}


@way
def hunyuan_v1_moe(c: Noted) -> list[Layer]:
    """QK-norm after the rotation; experts, and one that every token uses."""
    ff = c.size("intermediate_size")
    wide, many = _one(c, "moe_intermediate_size", ff), _one(c, "num_shared_expert", 1)
    if wide != ff or many != 1:
        said = "moe_intermediate_size or num_shared_expert"
        raise Refusal(f"{said}: what they change is not known here.")
    used = _one(c, "moe_topk", 1)
    if not isinstance(used, int):
        raise Refusal(f"moe_topk = {used!r}: this should be a whole number.")
    routed = Noted({**c.lines, "num_experts_per_tok": used})
    routed.seen, routed.refused = c.seen, c.refused
    normed = {"qk_norm": "head", "norm_after": True}
    attention = Heads(eps=1e-5, bias=BIAS, facts=normed).one(c)
    mixture = Mixture(1, used, Wide(), shared_width=Says("intermediate_size", 0))
    return [Layer(RMS, RMS, attention, mixture.one(routed))] * len(stack(c))


def _one(c: Noted, key: str, default: Any) -> Any:
    """Return what a line says of all layers alike."""
    value = c.get(key, default)
    values = value if isinstance(value, list) else [value]
    if any(each != values[0] for each in values) or not values:
        raise Refusal(f"{key} differs from layer to layer: not known here.")
    return values[0]


@way
def coheres_full_layers(c: Noted) -> list[bool]:
    """One in so many, of the first layers and of the rest."""
    first = c.count("first_k_dense_replace", 0)
    before = Which(step=("size", "prefix_dense_sliding_window_pattern", 1))
    later = Which(step=("size", "sliding_window_pattern", 4), first=first)
    pairs = enumerate(zip(before(c), later(c), strict=True))
    return [early if i < first else late for i, (early, late) in pairs]


@way
def coheres_norm_and_first_layers(c: Noted) -> dict[str, Any]:
    """Experts after the first layers, whose width may have a line of its own."""
    key = "prefix_dense_intermediate_size"
    dense = Wide(key=key) if c.maybe(key) else Wide()
    shared = Says("num_shared_experts")
    return {
        "network": Mixture(8, 2, Wide(), some=after(0), dense=dense, shared=shared),
        "norm": RMS if c.get("rms_norm_eps") else LAYER_NO_BIAS,
    }
