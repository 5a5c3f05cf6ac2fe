"""Differences from layer to layer: functions that rows name under `some` and `change`.

`some`: which layers have experts. `change`: what each layer's heads have of their own.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from attnconfig.attention import Grouped
from attnconfig.building import Some, Which, stack, way
from attnconfig.facts import turned
from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, SWA, Turn

Each = Sequence[Grouped]

# some: which layers have experts.


@way
def after(dense: int) -> Some:
    """All after the first have; or those that a list says."""
    first = Which(first=("count", "first_k_dense_replace", dense))

    def some(c: Noted) -> list[bool]:
        said, counted = sparse(c), first(c)
        c.only("moe_layer_freq", 1)
        return said or counted

    return some


def sparse(c: Noted) -> list[bool] | None:
    """Read a list that calls each layer "dense" or "sparse"."""
    said = c.each("mlp_layer_types", len(stack(c)))
    if said and set(said) - {"dense", "sparse"}:
        raise Refusal("mlp_layer_types holds more than 'dense' and 'sparse'.")
    return said and [each == "sparse" for each in said]


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
        without = (c.get("mlp_only_layers") and c.layers("mlp_only_layers")) or []
        step, has = c.some("decoder_sparse_step", 1) or 1, c.some("num_experts", n)
        return [bool(has) and i not in without and not (i + 1) % step for i in stack(c)]

    return some


# change: what differs from layer to layer.


def with_own(heads: Each, values: Iterable[dict[str, Any]]) -> Each:
    """Give each layer facts of its own."""
    return [one.but(**own) for one, own in zip(heads, values, strict=True)]


@way
def only_windows_turn(c: Noted, found: list[str], heads: Each) -> Each:
    """Layers that see everything do not turn."""
    return [one if one.facts.window else one.but(**turned(None)) for one in heads]


@way
def only_windows_turn_if_any(c: Noted, found: list[str], heads: Each) -> Each:
    """They do not turn where others have a window."""
    return only_windows_turn(c, found, heads) if SWA in found else heads


@way
def by_no_rope_layers(c: Noted, found: list[str], heads: Each) -> Each:
    """A list says which layers turn, or one in so many does not."""
    rotary = heads[0].facts.rotary
    return with_own(heads, (turned(rotary if x else None) for x in turning(c)))


STILL = Which(
    each="no_rope_layers", entry=False, step=("size", "no_rope_layer_interval", 4)
)


@way
def turning(c: Noted) -> list[bool]:
    """Say which layers turn."""
    return [not is_still for is_still in STILL(c)]


@way
def by_bases(c: Noted, found: list[str], heads: Each) -> Each:
    """A list has the base of the rotation of each layer."""
    bases = c.each("layer_rope_theta", len(found)) or [None] * len(found)
    rotary, d_k = heads[0].facts.rotary, heads[0].facts.d_k
    turns = (Turn(x).read(Noted({}), d_k) if x else rotary for x in bases)
    return with_own(heads, map(turned, turns))


@way
def by_heads(c: Noted, found: list[str], heads: Each) -> Each:
    """A list has how many heads each layer has."""
    many = c.each("num_attention_heads_per_layer", len(found))
    return with_own(heads, ({"heads": n} for n in many)) if many else heads


@way
def scaled_by_layer(c: Noted, found: list[str], heads: Each) -> Each:
    """GPT-2 can divide scores by the number of the layer as well."""
    by_layer = c.flag("scale_attn_by_inverse_layer_idx")
    scale = heads[0].facts.scale
    scales = (scale / (i + 1) if by_layer else scale for i in range(len(found)))
    return with_own(heads, ({"scale": one} for one in scales))


@way
def global_and_local(c: Noted, found: list[str], heads: Each) -> Each:
    """GPT-Neo's lines are such as ``[[["global", "local"], 12]]``."""
    window = (c.size("window_size", 256) - 1, 0)
    try:
        turns = c.get("attention_types", [[["global", "local"], 12]])
        named = [kind for some, times in turns for kind in some * times]
    except (TypeError, ValueError):
        named = []
    if len(named) != len(found) or set(named) - {"global", "local"}:
        raise Refusal("attention_types does not say global or local for each layer.")
    seen = (window if x == "local" else None for x in named)
    return with_own(heads, ({"window": one} for one in seen))


@way
def mimos(c: Noted, found: list[str], heads: Each) -> Each:
    """MiMo's windows have twice the heads of keys, and sinks; values are narrower."""
    full, d_v = heads[0].facts, c.size("v_head_dim", 128)
    c.only("swa_head_dim", full.d_k)
    c.only("swa_v_head_dim", d_v)
    c.only("swa_num_attention_heads", full.heads)
    c.assume("attention_value_scale")  # 0.707
    for key in ("attention_chunk_size", "sliding_window_size"):
        c.only(key, c.get("sliding_window", 128))
    many = {FULL: full.kv_heads}
    many[SWA] = c.size("swa_num_key_value_heads", 2 * full.kv_heads)
    own = {k: {"d_v": d_v, "kv_heads": n, "sinks": k == SWA} for k, n in many.items()}
    return with_own(heads, map(own.__getitem__, found))
