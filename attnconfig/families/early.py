"""GPT-2 and what came before Llama: LayerNorms, biases, two matrices."""

from attnconfig.attention import Grouped, Window
from attnconfig.building import block, dealt_out, decoder, family, stack
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER
from attnconfig.turning import Turn
from attnconfig.weights import Weight


def even(c: Noted, kv: int | None = None) -> tuple[int, int, int]:
    """Heads that share the width, and as many heads of keys unless said."""
    n = c.size("num_attention_heads")
    return n, kv or n, dealt_out(c.size("hidden_size"), n)


def four_times(c: Noted, key: str = "n_inner", bias: bool = True) -> Network:
    """A network that is four times as wide as the model, unless the file says."""
    return Network(c.maybe(key) or 4 * c.size("hidden_size"), bias)


def positions(c: Noted, key: str, default: int, more: int = 0) -> tuple[Weight, ...]:
    """Learned positions: a table."""
    rows = c.size(key, default) + more
    c.only("n_ctx", rows - more)
    return (Weight("positions", (rows, c.size("hidden_size")), table=True),)


@family("gpt2")
def gpt2(c: Noted) -> Model:
    """Learned positions, heads that share nothing."""
    h, g, k = even(c)
    scale = k**-0.5 if c.flag("scale_attn_weights", True) else 1.0
    by_layer = c.flag("scale_attn_by_inverse_layer_idx")
    layers = [
        block(
            Grouped(
                *(h, g, k),
                qkv_bias=True,
                out_bias=True,
                scale=scale / (i + 1) if by_layer else scale,
            ),
            four_times(c),
            norm=LAYER,
        )
        for i in stack(c)
    ]
    around = positions(c, "n_positions", 1024)
    return decoder(c, layers, tied=True, norm=LAYER, around=around)


@family("gpt_bigcode")
def gpt_bigcode(c: Noted) -> Model:
    """GPT-2 whose heads share one head of keys (SantaCoder, StarCoder)."""
    shared = 1 if c.flag("multi_query", True) else None
    scale = None if c.flag("scale_attn_weights", True) else 1.0
    attention = Grouped(*even(c, shared), qkv_bias=True, out_bias=True, scale=scale)
    layers = [block(attention, four_times(c), norm=LAYER)] * len(stack(c))
    around = positions(c, "n_positions", 1024)
    return decoder(c, layers, tied=True, norm=LAYER, around=around)


@family("gptj", "codegen")
def gptj(c: Noted) -> Model:
    """Attention and network side by side, rotated neighbors, a bias of the output."""
    h, g, k = even(c)
    share = (c.some("rotary_dim", 64) or k) / k
    turn = Turn(share=share, neighbors=True).read(Noted({}), k)
    attention = Grouped(h, g, k, rope=turn)
    layers = [block(attention, four_times(c), norm=LAYER, norms=1)] * len(stack(c))
    c.ignore("n_positions", "n_ctx", why="Its table of positions is not learned.")
    c.ignore("rotary", "scale_attn_weights", why="Its program does not read it.")
    return decoder(c, layers, norm=LAYER, head_bias=True)


@family("gpt_neox")
def gpt_neox(c: Noted) -> Model:
    """Rotated in part (Pythia)."""
    h, g, k = even(c)
    bias = c.flag("attention_bias", True)
    c.ignore("use_parallel_residual", why="It has as many norms either way.")
    share = c.number("rotary_pct", 0.25)
    turn = Turn(share=share, key="rotary_emb_base").read(c, k)
    attention = Grouped(h, g, k, rope=turn, qkv_bias=bias, out_bias=bias)
    wide = Network(c.size("intermediate_size"), True)
    layers = [block(attention, wide, norm=LAYER)] * len(stack(c))
    return decoder(c, layers, norm=LAYER)


@family("opt")
def opt(c: Noted) -> Model:
    """Learned positions from the third row on; a narrower embedding in one size."""
    c.only("layer_norm_elementwise_affine", True)
    c.only("_remove_final_layer_norm", False)
    bias = c.flag("enable_bias", True)
    first = c.flag("do_layer_norm_before", True)
    attention = Grouped(*even(c), qkv_bias=bias, out_bias=bias)
    layers = [block(attention, Network(c.size("ffn_dim"), bias), norm=LAYER)]
    return decoder(
        c,
        layers * len(stack(c)),
        tied=True,
        norm=LAYER if first else None,
        around=positions(c, "max_position_embeddings", 2048, 2),
        narrow=c.maybe("word_embed_proj_dim"),
    )


@family("bloom")
def bloom(c: Noted) -> Model:
    """ALiBi, and a norm after the embedding."""
    c.ignore(
        *("apply_residual_connection_post_layernorm", "offset_alibi"),
        *("skip_bias_add", "skip_bias_add_qkv"),
        why="What residual sums begin with, or how they are computed.",
    )
    attention = Grouped(*even(c), qkv_bias=True, out_bias=True, alibi=True)
    wide = Network(4 * c.size("hidden_size"), True)
    layers = [block(attention, wide, norm=LAYER)]
    norm = tuple(LAYER.weights(c.size("hidden_size")))
    return decoder(c, layers * len(stack(c)), tied=True, norm=LAYER, around=norm)


@family("xglm")
def xglm(c: Noted) -> Model:
    """Positions that are computed, not learned."""
    c.only("add_cross_attention", False)
    c.ignore("scale_embedding", why="What the embedding is multiplied by.")
    attention = Grouped(*even(c), qkv_bias=True, out_bias=True)
    layers = [block(attention, Network(c.size("ffn_dim"), True), norm=LAYER)]
    return decoder(c, layers * len(stack(c)), tied=True, norm=LAYER)


@family("falcon", "RefinedWeb", "RefinedWebModel")
def falcon(c: Noted) -> Model:
    """One head of keys for all, or groups in its later form."""
    n, side = c.size("num_attention_heads"), c.flag("parallel_attn", True)
    new, said = c.flag("new_decoder_architecture"), c.some("num_kv_heads")
    few = 1 if c.flag("multi_query", True) else n
    norms = c.some("num_ln_in_parallel_attn") or (2 if new else 1) if side else 2
    if new and said not in (None, n):
        why = (
            "transformers keeps shared heads once for each head of queries, others once"
        )
        c.refuse(f"new_decoder_architecture: {why}.", "cache_bytes")
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
    wide = four_times(c, "ffn_hidden_size", bias)
    layers = [block(attention, wide, norm=LAYER, norms=norms)] * len(stack(c))
    return decoder(c, layers, tied=True, norm=LAYER)


# GPT-Neo: every second layer has a window; and encoders with decoders, refused.


@family("gpt_neo")
def gpt_neo(c: Noted) -> Model:
    """Attention that does not scale; global and local layers by turns."""
    found = _kinds(c)
    size = Window(c.size("window_size", 256))
    c.ignore("attention_layers", why="What attention_types says, layer by layer.")
    layers = [
        block(
            Grouped(
                *even(c),
                out_bias=True,
                scale=1.0,
                window=size if kind == "local" else None,
            ),
            four_times(c, "intermediate_size"),
            norm=LAYER,
        )
        for kind in found
    ]
    around = positions(c, "max_position_embeddings", 2048)
    return decoder(c, layers, tied=True, norm=LAYER, around=around)


def _kinds(c: Noted) -> list[str]:
    """Unfold lines such as ``[[["global", "local"], 12]]``."""
    try:
        turns = c.get("attention_types", [[["global", "local"], 12]])
        found = [kind for some, times in turns for kind in some * times]
    except (TypeError, ValueError):
        found = []
    if len(found) != len(stack(c)) or set(found) - {"global", "local"}:
        raise Refusal("attention_types does not say global or local for each layer.")
    return found


@family(
    *("t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "m2m_100", "whisper"),
    *("longt5", "switch_transformers", "blenderbot", "t5gemma", "t5gemma2"),
)
def encoder_and_decoder(c: Noted) -> Model:
    """Refuse: two stacks of layers, and one looks at the other."""
    said = "an encoder beside a decoder that looks at it"
    raise Refusal(f"model_type {c.get('model_type')!r} is {said}: not counted here.")


@family(
    "bert", "roberta", "distilbert", "electra", "deberta-v2", "modernbert", "albert"
)
def encoder(c: Noted) -> Model:
    """Refuse: nothing is kept while it reads, and it does not write."""
    said = "an encoder, which keeps no cache"
    raise Refusal(f"model_type {c.get('model_type')!r} is {said}: not counted here.")
