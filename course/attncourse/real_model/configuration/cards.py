"""Which card of the book tells of a part of a layer, and of a line of a file."""

from collections.abc import Callable
from fnmatch import fnmatch
from typing import NamedTuple

from attnconfig import Facts, Layer
from attnconfig.networks import Experts


class Card(NamedTuple):
    """A card: its short name, where it stands, the lines and the layers it is for."""

    name: str
    address: str  # the page, and the section's id
    lines: str = ""  # patterns of fnmatch
    of: Callable[[Facts], object] | None = None  # whether attention has it
    part: str | None = None  # a part's attribute that is set, or words of its name


def _shared(facts: Facts) -> bool:
    return facts.kv_heads < facts.heads and not facts.latent


def _some_columns(facts: Facts) -> bool:
    turning = facts.rotary
    return not facts.latent and bool(turning and turning.columns != facts.d_k)


CARDS = [
    Card(
        "GQA", "who_shares#gqa-and-mqa", "*key_value_heads num_attention_heads", _shared
    ),
    Card(
        "MLA",
        "who_shares#mla",
        "*_lora_rank qk_*_head_dim v_head_dim",
        lambda facts: facts.latent,
    ),
    Card(
        "Shared keys",
        "who_shares#keys-as-values-and-layers-that-share-a-cache",
        "attention_k_eq_v num_kv_shared_layers",
        lambda facts: facts.keys_of is not None,
        "k_is_v",
    ),
    Card(
        "YaRN and others",
        "where_a_word_stands#yarn-ntk-interpolation",
        "rope_scaling rope_parameters",
        lambda facts: facts.rotary and facts.rotary.scaling,
    ),
    Card(
        "Partial rotation",
        "where_a_word_stands#nope-and-partial-rotation",
        "partial_rotary_factor rotary_pct rotary_dim no_rope*",
        _some_columns,
    ),
    Card(
        "M-RoPE",
        "where_a_word_stands#m-rope",
        "*mrope*",
        lambda facts: facts.rotary and facts.rotary.sections,
    ),
    Card(
        "RoPE",
        "where_a_word_stands#rope",
        "rope_* rotary_* *rope_theta *_base",
        lambda facts: facts.rotary,
    ),
    Card(
        "ALiBi",
        "where_a_word_stands#alibi",
        "alibi*",
        lambda facts: facts.position == "alibi",
    ),
    Card(
        "Full attention every few layers",
        "how_far_it_looks#full-attention-every-few-layers",
        "layer_types *window_pattern",
    ),
    Card(
        "Sliding window",
        "how_far_it_looks#sliding-window",
        "*sliding_window* *attention_chunk*",
        lambda facts: facts.window or facts.chunk,
    ),
    Card(
        "Learned sinks",
        "how_far_it_looks#learned-sinks",
        "*sink*",
        lambda facts: facts.sinks,
    ),
    Card(
        "Gates on the output",
        "how_far_it_looks#gates-on-the-output",
        "attn_output_gate",
        lambda facts: facts.output_gate,
    ),
    Card(
        "DSA",
        "how_far_it_looks#dsa-choose-keys-then-look",
        "index*",
        lambda facts: facts.chosen,
    ),
    Card(
        "CSA and HCA",
        "how_far_it_looks#csa-and-hca-fold-keys-together",
        "compress_*",
        part="a key for",
    ),
    Card(
        "KDA",
        "instead_of_softmax#kda-a-gate-for-each-column",
        "linear_attn_config",
        part="Kimi Delta",
    ),
    Card(
        "DeltaNet",
        "instead_of_softmax#deltanet-the-delta-rule",
        "linear_*",
        part="DeltaNet",
    ),
    Card(
        "Mamba",
        "instead_of_softmax#mamba-2-in-one-line-of-algebra",
        "mamba_* ssm_*",
        part="Mamba",
    ),
    Card(
        "Hybrids",
        "instead_of_softmax#hybrids",
        "full_attention_interval attn_layer_*",
    ),
    Card(
        "QK-norm",
        "tame_scores#qk-norm",
        "*qk_norm* *qk_layernorm",
        lambda facts: facts.qk_norm,
    ),
    Card(
        "Soft cap",
        "tame_scores#soft-cap",
        "attn_logit_softcapping",
        lambda facts: facts.softcap,
    ),
    Card("Scale by length", "tame_scores#scale-by-length", "attn_temperature* *logn*"),
    Card("bfloat16", "bits#bfloat16", "torch_dtype dtype"),
    Card("FP8", "bits#fp8-where-small-weights-go", "quantization_config"),
    Card(
        "Balanced experts",
        "around_attention#moe-dropped-and-balanced-without-a-loss",
        "topk_method *aux_loss_coef* *aux_free *routing_bias",
    ),
    Card(
        "MoE",
        "around_attention#moe-stored-and-used",
        "*experts* moe_* *_moe",
        part="MoE",
    ),
    Card("Engram", "around_attention#engram", "engram_*"),
    Card(
        "SwiGLU",
        "around_attention#swiglu",
        "intermediate_size hidden_act*",
        part="gated",
    ),
    Card("BPE", "around_attention#bpe", "vocab_size"),
    Card("Several streams", "around_attention#residuals-over-depth", "hc_*"),
    Card(
        "Drafts",
        "many_users#speculative-decoding-drafts",
        "num_nextn_predict_layers *mtp*",
    ),
]


def of_layer(layer: Layer) -> list[list[str]]:
    """Return the name and the address of each card that tells of a layer."""
    return [_link(card) for card in CARDS if _tells(card, layer)]


def of_line(key: str) -> list[str]:
    """Return the name and the address of the card of a line, or nothing."""
    name = key.rpartition(".")[2]
    found = (
        card for card in CARDS if any(fnmatch(name, one) for one in card.lines.split())
    )
    return next(map(_link, found), [])


def _link(card: Card) -> list[str]:
    page, _, section = card.address.partition("#")
    return [card.name, f"{page}.html#{section}"]


def _tells(card: Card, layer: Layer) -> bool:
    facts = layer.facts
    if card.of and facts and card.of(facts):
        return True
    if card.part is None:
        return False
    networks = [p.each for p in layer.parts if isinstance(p, Experts)]
    parts = [*layer.parts, *networks]
    return any(
        getattr(part, card.part, None) or card.part in part.name for part in parts
    )
