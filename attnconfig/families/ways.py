"""What rows of the table name: lines that few families read, in a way of their own.

`read`: further fields of the heads. `kinds`: what a layer is, where layer_types does
not say it. `some`: which layers have experts. `change`: what differs between layers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from attnconfig.attention import Grouped, Window
from attnconfig.building import Kinds, dealt_out, pattern, stack, up, way
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER
from attnconfig.table import Fields
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight

Some = Callable[[Noted], list[bool]]
Each = Sequence[Grouped]

# read: further fields of the heads.


@way
def multiplied(c: Noted) -> Fields:
    """Granite multiplies scores by a line of the file."""
    return {"scale": c.number("attention_multiplier", 1.0)}


@way
def unscaled(c: Noted) -> Fields:
    """Scores are not scaled."""
    return {"scale": 1.0}


@way
def unscaled_if_said(c: Noted) -> Fields:
    """Nor are GPT-2's, if the file says so."""
    return {"scale": None if c.flag("scale_attn_weights", True) else 1.0}


@way
def clipped(c: Noted) -> Fields:
    """OLMo can cut queries, keys and values off, which no call says."""
    limit = c.get("clip_qkv")
    said = f"clip_qkv = {limit} changes more than a call here can say"
    return {"not_said": said if limit else None}


@way
def capped(default: float) -> Callable[[Noted], Fields]:
    """Gemma caps scores, and divides by the root of a number of its own."""

    def read(c: Noted) -> Fields:
        key = "attn_logit_softcapping"
        has = c.get(key, default or None) is not None
        cap = c.number(key, default) if has else None
        return {"scale": c.number("query_pre_attn_scalar", 256) ** -0.5, "softcap": cap}

    return read


@way
def gated_unless_said(c: Noted) -> Fields:
    """LFM3 gates the output of each head, unless the file says otherwise."""
    return {"gate": "heads" if c.flag("use_attention_gate", True) else None}


@way
def making_the_width(c: Noted) -> Fields:
    """Helium's heads have to make the width."""
    n, d_k = c.size("num_attention_heads"), c.size("head_dim", 128)
    if n * d_k != c.size("hidden_size"):
        said = f"{n} heads of {d_k} are not {c.size('hidden_size')} wide"
        raise Refusal(f"head_dim: {said}.")
    return {}


@way
def of_one_type(c: Noted) -> Fields:
    """MiniMax-M2's layers are all of one type."""
    if set(c.get("attn_type_list") or [1]) != {1}:
        raise Refusal("attn_type_list holds more than 1: not known here.")
    return {}


def columns(c: Noted) -> int:
    """Return the columns of a head that shares the width."""
    return dealt_out(c.size("hidden_size"), c.size("num_attention_heads"))


@way
def gptjs_turn(c: Noted) -> Fields:
    """GPT-J's rotation, of so many columns; no other line says anything of it."""
    d_k = columns(c)
    turn = Turn(share=(c.some("rotary_dim", 64) or d_k) / d_k, neighbors=True)
    return {"rope": turn.read(Noted({}), d_k)}


@way
def neoxs_turn(c: Noted) -> Fields:
    """GPT-NeoX's, of a share of the columns."""
    turn = Turn(share=c.number("rotary_pct", 0.25), key="rotary_emb_base")
    return {"rope": turn.read(c, columns(c))}


# norms, around, and the width of a network.


@way
def one_side_by_side(c: Noted) -> int:
    """Count one norm a layer where attention and network are side by side."""
    return 1 if c.flag("use_parallel_residual") else 2


@way
def sandwich(c: Noted) -> int:
    """Count norms before and after each part, unless the file says otherwise."""
    return 4 if c.flag("use_sandwich_norm", True) else 2


@way
def positions(
    key: str, default: int, more: int = 0
) -> Callable[[Noted], tuple[Weight, ...]]:
    """Learned positions: a table."""

    def read(c: Noted) -> tuple[Weight, ...]:
        rows = c.size(key, default) + more
        c.only("n_ctx", rows - more)
        return (Weight("positions", (rows, c.size("hidden_size")), table=True),)

    return read


@way
def a_norm(c: Noted) -> tuple[Weight, ...]:
    """A norm after the embedding."""
    return tuple(LAYER.weights(c.size("hidden_size")))


@way
def two_thirds(c: Noted, network: Network) -> Network:
    """LFM2's network is two thirds as wide as the file says, rounded up."""
    ff, multiple = network.ff, c.size("block_multiple_of", 256)
    key = "block_ffn_dim_multiplier"
    times = None if c.get(key, 1.0) is None else c.number(key, 1.0)
    if not c.flag("block_auto_adjust_ff_dim", True):
        return network
    ff = 2 * ff // 3
    return replace(network, ff=up(int(times * ff), multiple) if times else ff)


@way
def as_the_shared(c: Noted, network: Network) -> Network:
    """Ling's shared experts are as wide as the others."""
    c.only("moe_shared_expert_intermediate_size", network.ff)
    return network


# kinds: what a layer is, where layer_types does not say it.


@way
def first_and_every_fourth(c: Noted, i: int) -> str:
    """The first layer sees everything, and every fourth after it."""
    return SWA if i % 4 else FULL


@way
def lettered(is_last_full: bool) -> Kinds:
    """EXAONE: letters by turns ("LLLG": G sees everything), or one layer in so many."""

    def kind(c: Noted, i: int) -> str:
        letters, n = c.get("sliding_window_pattern"), c.size("num_hidden_layers")
        found = FULL if is_last_full and i == n - 1 else SWA
        if not isinstance(letters, str):
            found = pattern(4)(c, i)
        elif letters and letters[i % len(letters)] == "G":
            found = FULL
        return found

    return kind


@way
def mimos_kinds(c: Noted, i: int) -> str:
    """MiMo: a list says which layers have a window; else five in six do."""
    listed = c.each("hybrid_layer_pattern", len(stack(c)))
    if listed:
        return SWA if listed[i] else FULL
    return FULL if i == 0 or (i + 1) % 6 == 0 else SWA


# some: which layers have experts.


@way
def after(dense: int) -> Some:
    """All after the first have; or those that a list says."""

    def some(c: Noted) -> list[bool]:
        said = c.each("mlp_layer_types", len(stack(c)))
        first = c.count("first_k_dense_replace", dense)
        c.only("moe_layer_freq", 1)
        if said and set(said) - {"dense", "sparse"}:
            raise Refusal("mlp_layer_types holds more than 'dense' and 'sparse'.")
        return [said[i] == "sparse" if said else i >= first for i in stack(c)]

    return some


@way
def after_dense(first: int) -> Some:
    """All after as many as ``num_dense_layers`` says."""
    return lambda c: [i >= c.count("num_dense_layers", first) for i in stack(c)]


@way
def from_to(c: Noted) -> list[bool]:
    """ERNIE has experts from one layer to another."""
    first, last = c.count("moe_layer_start_index", 1), c.get("moe_layer_end_index", -1)
    last = len(stack(c)) - 1 if last == -1 else c.count("moe_layer_end_index", 0)
    return [first <= i <= last for i in stack(c)]


@way
def qwens(n: int) -> Some:
    """Qwen has them in one layer of so many, but for those that a list names."""

    def some(c: Noted) -> list[bool]:
        without = c.get("mlp_only_layers") or []
        step, has = c.some("decoder_sparse_step", 1) or 1, c.some("num_experts", n)
        if not isinstance(without, list):
            said = f"mlp_only_layers = {without!r}"
            raise Refusal(f"{said}: this should be a list of layers.")
        return [bool(has) and i not in without and not (i + 1) % step for i in stack(c)]

    return some


@way
def mimos_experts(c: Noted) -> list[bool]:
    """MiMo has them by a list, or after the first layer."""
    n = len(stack(c))
    return [bool(has) for has in c.each("moe_layer_freq", n) or [0] + [1] * (n - 1)]


# change: what differs from layer to layer.


@way
def only_windows_turn(c: Noted, found: list[str], heads: Each) -> Each:
    """Layers that see everything do not turn."""
    return [one if one.window else replace(one, rope=None) for one in heads]


@way
def only_windows_turn_if_any(c: Noted, found: list[str], heads: Each) -> Each:
    """They do not turn where others have a window."""
    return only_windows_turn(c, found, heads) if SWA in found else heads


@way
def by_no_rope_layers(c: Noted, found: list[str], heads: Each) -> Each:
    """A list says which layers turn, or one in so many does not."""
    return [
        one if turns else replace(one, rope=None)
        for one, turns in zip(heads, turning(c), strict=True)
    ]


def turning(c: Noted) -> list[bool]:
    """Say which layers turn."""
    said = c.each("no_rope_layers", len(stack(c)))
    step = c.size("no_rope_layer_interval", 4)
    return [bool(said[i] if said else (i + 1) % step) for i in stack(c)]


@way
def by_bases(c: Noted, found: list[str], heads: Each) -> Each:
    """A list has the base of the rotation of each layer."""
    bases, layers = c.each("layer_rope_theta", len(found)) or [None] * len(found), []
    for one, base in zip(heads, bases, strict=True):
        rope = Turn(base).read(Noted({}), one.d_k) if base else one.rope
        layers.append(replace(one, rope=rope))
    return layers


@way
def by_heads(c: Noted, found: list[str], heads: Each) -> Each:
    """A list has how many heads each layer has."""
    many = c.each("num_attention_heads_per_layer", len(found))
    if not many:
        return heads
    return [replace(one, heads=n) for one, n in zip(heads, many, strict=True)]


@way
def scaled_by_layer(c: Noted, found: list[str], heads: Each) -> Each:
    """GPT-2 can divide scores by the number of the layer as well."""
    by_layer = c.flag("scale_attn_by_inverse_layer_idx")
    scale = heads[0].facts().scale
    return [
        replace(one, scale=scale / (i + 1) if by_layer else scale)
        for i, one in enumerate(heads)
    ]


@way
def global_and_local(c: Noted, found: list[str], heads: Each) -> Each:
    """GPT-Neo's lines are such as ``[[["global", "local"], 12]]``."""
    size = Window(c.size("window_size", 256))
    try:
        turns = c.get("attention_types", [[["global", "local"], 12]])
        named = [kind for some, times in turns for kind in some * times]
    except (TypeError, ValueError):
        named = []
    if len(named) != len(found) or set(named) - {"global", "local"}:
        raise Refusal("attention_types does not say global or local for each layer.")
    both = {"local": size, "global": None}
    return [
        replace(one, window=both[kind]) for one, kind in zip(heads, named, strict=True)
    ]


@way
def mimos(c: Noted, found: list[str], heads: Each) -> Each:
    """MiMo's windows have twice the heads of keys, and sinks; values are narrower."""
    full, d_v = heads[0], c.size("v_head_dim", 128)
    c.only("swa_head_dim", full.d_k)
    c.only("swa_v_head_dim", d_v)
    c.only("swa_num_attention_heads", full.heads)
    c.assume("attention_value_scale")  # 0.707
    for key in ("attention_chunk_size", "sliding_window_size"):
        c.only(key, c.get("sliding_window", 128))
    many = {FULL: full.kv_heads}
    many[SWA] = c.size("swa_num_key_value_heads", 2 * full.kv_heads)
    return [
        replace(one, d_v=d_v, kv_heads=many[kind], sinks=kind == SWA)
        for one, kind in zip(heads, found, strict=True)
    ]
