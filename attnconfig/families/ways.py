"""Functions that rows name under `read`, `around`, a network's `change`, and `kinds`.

Lines that few families read, each in a way of its own.
"""

from collections.abc import Callable
from dataclasses import replace

from attnconfig.building import Some, Which, dealt_out, stack, up, way
from attnconfig.facts import turned
from attnconfig.heads import Fields
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import LAYER, Listed
from attnconfig.turning import Turn
from attnconfig.weights import Weight, mix_of_streams

# read: further facts of the heads.


@way
def unscaled_if_said(c: Noted) -> Fields:
    """GPT-2's scores are not scaled, if the file says so."""
    return {} if c.flag("scale_attn_weights", True) else {"scale": 1.0}


@way
def one_head_of_keys(c: Noted) -> Fields:
    """Return GPT-2's scale, and one head of keys for all, unless the file says no."""
    n = 1 if c.flag("multi_query", True) else c.size("num_attention_heads")
    return {"kv_heads": n, **unscaled_if_said(c)}


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
    said = c.get("attn_type_list") and c.layers("attn_type_list")
    if any(kind != 1 for kind in said or []):
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
    return turned(turn.read(Noted({}), d_k))


@way
def neoxs_turn(c: Noted) -> Fields:
    """GPT-NeoX's, of a share of the columns."""
    turn = Turn(share=c.number("rotary_pct", 0.25), key="rotary_emb_base")
    return turned(turn.read(c, columns(c)))


# around, and the width of a network.


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
def streams(times: int, scales: int, both: bool = False) -> Callable[[Noted], Listed]:
    """Several residual streams, mixed before attention and before the network.

    By so many rows for each stream; ``both``: and by one from each to each.
    """

    def read(c: Noted) -> Listed:
        n, d = c.size("hc_mult", 4), c.size("hidden_size")
        return Listed(
            "streams", mix_of_streams((times + n * both) * n, n, d, scales) * 2
        )

    return read


@way
def streams_joined(c: Noted) -> tuple[Weight, ...]:
    """What makes one stream of them at the end."""
    n = c.size("hc_mult", 4)
    return mix_of_streams(n, n, c.size("hidden_size"), 1)


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


# kinds: which layers see everything, where layer_types does not say it.


@way
def lettered(is_last_full: bool) -> Some:
    """EXAONE: letters by turns ("LLLG": G sees everything), or one layer in so many."""

    def full(c: Noted) -> list[bool]:
        key, layers = "sliding_window_pattern", stack(c)
        letters, last = c.get(key), layers[-1] if is_last_full else None
        counted = Which(when="sliding_window", step=("some", key, 4))
        if not isinstance(letters, str) or not c.get("sliding_window", True):
            return counted(c)
        full = [bool(letters) and letters[i % len(letters)] == "G" for i in layers]
        return [x or i == last for i, x in enumerate(full)]

    return full
