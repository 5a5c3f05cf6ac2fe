"""Families that no row can say: each is built as no other."""

from typing import Any

from attnconfig.attention import Grouped
from attnconfig.building import CHUNK, block, decoder, kinds, up, way
from attnconfig.facts import plain_facts, turned
from attnconfig.families.by_layer import after, only_windows_turn, qwens, turning
from attnconfig.family import Family
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import BIAS, MLP_BIAS, Heads, Says, flag
from attnconfig.model import Layer, Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER_NO_BIAS, RMS, Listed
from attnconfig.turning import FULL, Turn
from attnconfig.weights import Weight
from attnconfig.which import Which, stack


@way
def bitnet(c: Noted) -> Model:
    """A norm before each last matrix."""
    d, ff = c.size("hidden_size"), c.size("intermediate_size")
    norms = (Weight("norm of heads", (d,)), Weight("norm of network", (ff,)))
    attention = Heads(kv=5, turn=Turn(500_000.0), bias=BIAS).one(c)
    layer = Layer(RMS, RMS, attention, Wide().one(c), Listed("inner norms", norms))
    return decoder(c, [layer] * len(stack(c)))


@way
def nemotron_nas(c: Noted) -> Model:
    """Puzzle: each layer says how many heads share keys, how wide its network is."""
    width, n = c.size("hidden_size"), c.size("num_attention_heads")
    c.ignore("intermediate_size", "num_key_value_heads", why="block_configs says it.")
    rope, bias = Turn().read(c, width // n), flag(c, BIAS)
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
            groups = n // mixer.size("n_heads_in_group")
            attention = Grouped(plain_facts(n, groups, width // n, rope), bias, bias)
        if not follows.flag("no_op"):
            ff = up(int(2 * follows.number("ffn_mult", 1.0) * width / 3), 256)
            wide = Network(ff, mlp_bias, gated=True)
        return Layer(attention and RMS, attention, wide and RMS, wide)

    blocks = c.each("block_configs", len(stack(c)))
    if blocks is None:
        raise Refusal("block_configs is missing: what is each layer?")
    return decoder(c, map(layer, blocks))


# Llama 4: chunks with rotation, and every fourth layer neither.


EXPERTS = Which(named="moe_layers", step=("size", "interleave_moe_layer_step", 1))
GROW = "queries grow with their position in layers without rotation"


@way
def llama4(c: Noted) -> Model:
    """Queries and keys are normalized after the rotation; experts in some layers."""
    turns = turning(c)
    found = kinds(c, {CHUNK: turning}, FULL, FULL, CHUNK)
    size = c.some("attention_chunk_size", 8192)
    if CHUNK in found and not size:
        raise Refusal("attention_chunk_size: the size of the chunks is not given.")
    normed = c.flag("use_qk_norm", True)
    attention = Heads(
        kv=8,
        d_k=128,
        turn=Turn(500_000.0, neighbors=True),
        bias=BIAS,
        facts={"not_said": GROW},
    ).one(c)
    networks = Mixture(
        *(16, 1, Wide()),
        some=EXPERTS,
        dense=Wide(key="intermediate_size_mlp", default=16384),
        shared_width=Says("intermediate_size", 0),
    ).each(c)
    layers = []
    for kind, does_turn, network in zip(found, turns, networks, strict=True):
        mixer = attention.but(
            chunk=(size or 1) if kind == CHUNK else None,
            qk_norm="plain" if normed and does_turn else None,
            norm_after=normed and does_turn,
            **turned(attention.facts.rotary if does_turn else None),
        )
        layers.append(block(mixer, network))
    return decoder(c, layers)


@way
def qwen3_moe(c: Noted) -> Model:
    """No shared expert; one mask for all layers."""
    kinds(c, {}, FULL, FULL)
    on = c.flag("use_sliding_window")
    if on and c.some("sliding_window", 4096) and c.get("layer_types"):
        raise Refusal("layer_types says full, sliding_window says otherwise.")
    heads = Heads(kv=4, bias=BIAS, facts={"qk_norm": "head"})
    if not on:
        why = "use_sliding_window is false."
        c.ignore("sliding_window", why=why, changes="nothing")
    mixture = Mixture(128, 8, some=qwens(128))
    return Family(heads, mixture, window=4096 if on else None)(c)


@way
def hunyuan_v1_moe(c: Noted) -> Model:
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
    return decoder(c, [block(attention, mixture.one(routed))] * len(stack(c)))


def _one(c: Noted, key: str, default: Any) -> Any:
    """Return what a line says of all layers alike."""
    value = c.get(key, default)
    values = value if isinstance(value, list) else [value]
    if any(each != values[0] for each in values) or not values:
        raise Refusal(f"{key} differs from layer to layer: not known here.")
    return values[0]


def _coheres(c: Noted) -> list[bool]:
    """Say which layers see everything: one in so many, of the first and of the rest."""
    first = c.count("first_k_dense_replace", 0)
    before = Which(step=("size", "prefix_dense_sliding_window_pattern", 1))
    later = Which(step=("size", "sliding_window_pattern", 4), first=first)
    pairs = enumerate(zip(before(c), later(c), strict=True))
    return [early if i < first else late for i, (early, late) in pairs]


@way
def cohere2_moe(c: Noted) -> Model:
    """Experts after the first layers, whose windows have a pattern of their own."""
    own = c.maybe("prefix_dense_intermediate_size")
    dense = Wide(key="prefix_dense_intermediate_size") if own else Wide()
    shared = Says("num_shared_experts")
    return Family(
        Heads(d_k=128, turn=Turn(neighbors=True, scaled=False), bias=BIAS),
        Mixture(8, 2, Wide(), some=after(0), dense=dense, shared=shared),
        kinds={FULL: _coheres},
        window=4096,
        change=only_windows_turn,
        norm=RMS if c.get("rms_norm_eps") else LAYER_NO_BIAS,
        norms=1,
        tied=True,
    )(c)
