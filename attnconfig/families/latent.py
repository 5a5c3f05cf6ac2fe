"""DeepSeek's latent attention, and those that took it over."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from attnconfig.attention import Rope
from attnconfig.building import (
    always,
    block,
    decoder,
    expert,
    family,
    gated,
    kinds,
    side_by_side,
    stack,
)
from attnconfig.families.sparse import first_dense
from attnconfig.latent import Indexer, Latent
from attnconfig.model import Layer, Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Extra
from attnconfig.turning import FULL, Turn
from attnconfig.weights import Weight, matrix


@dataclass(frozen=True)
class Sizes:
    """The sizes of a family whose file is silent: those of DeepSeek-V3."""

    kv: int = 512
    q: int | None = 1536
    nope: int = 128
    turned: int = 64
    v: int | None = 128
    base: float = 10_000.0


DEEPSEEK = Sizes()


def mla(c: Noted, sizes: Sizes = DEEPSEEK, neighbors: bool = True) -> Latent:
    """The latent row and the rotated key, and the stretch of YaRN in the scale."""
    nope = c.size("qk_nope_head_dim", sizes.nope)
    turned = c.size("qk_rope_head_dim", sizes.turned)
    c.ignore("num_key_value_heads", "head_dim", why="All heads share a latent row.")
    c.only("qk_head_dim", nope + turned)
    turn = Turn(sizes.base, neighbors=neighbors and c.flag("rope_interleave", True))
    rope = turn.read(c, turned)
    n = c.size("num_attention_heads")
    return Latent(
        n,
        c.size("kv_lora_rank", sizes.kv),
        nope,
        turned,
        c.maybe("v_head_dim", sizes.v) or c.size("hidden_size") // n,
        q_rank=c.maybe("q_lora_rank", sizes.q),
        rope=rope,
        scale=stretched(rope, nope + turned),
        bias=c.flag("attention_bias"),
    )


def stretched(rope: Rope, d_k: int) -> float | None:
    """DeepSeek raises the scale where YaRN stretches the rotation."""
    times, factor = rope.scaling.get("mscale_all_dim"), rope.scaling.get("factor") or 1
    if not times or factor <= 1:
        return None
    return float((0.1 * times * math.log(factor) + 1) ** 2 * d_k**-0.5)


def indexed(c: Noted, attention: Latent, heads: int) -> Latent:
    """Add the indexer that chooses the keys a query sees (DSA)."""
    kinds(c, always(FULL), FULL, "indexed_attention")
    c.ignore("indexer_rope_interleave", why="Which columns of the indexer turn.")
    n, columns = c.size("index_n_heads", heads), c.size("index_head_dim", 128)
    return replace(attention, index=Indexer(n, columns, c.size("index_topk", 2048)))


def spread(
    c: Noted, *, dense: int, n: int, used: int | None, shared: int | None = 1
) -> list[Network | Experts]:
    """A network in the first layers, and experts after."""
    each = expert(c)
    both = side_by_side(c, each, shared)
    return first_dense(c, each, dense=dense, n=n, used=used, shared=both)


def deep(c: Noted, attention: Latent, networks: Sequence[Network | Experts]) -> Model:
    """Put a latent attention before each network."""
    return decoder(c, [block(attention, network) for network in networks])


@family("deepseek_v3", "kimi_k2", sizes=(7168, 61, 128, 18432, 129280))
def deepseek_v3(c: Noted) -> Model:
    """DeepSeek-V3: latent rows, 256 experts."""
    return deep(c, mla(c), spread(c, dense=3, n=256, used=8))


@family("deepseek_v2", sizes=(4096, 32, 32, 11008, 102400))
def deepseek_v2(c: Noted) -> Model:
    """DeepSeek-V2."""
    c.only("mlp_bias", False)
    return deep(c, mla(c), spread(c, dense=0, n=64, used=None, shared=2))


@family("glm4_moe_lite")
def glm4_moe_lite(c: Noted) -> Model:
    """GLM-4.7-Flash."""
    return deep(
        c, mla(c, Sizes(q=768, nope=192, v=256)), spread(c, dense=1, n=64, used=4)
    )


@family("deepseek_v32")
def deepseek_v32(c: Noted) -> Model:
    """DeepSeek-V3.2: an indexer lets a query see 2,048 keys."""
    return deep(c, indexed(c, mla(c), 64), spread(c, dense=3, n=256, used=8))


def sharing(c: Noted, attention: Latent, says: list[str]) -> list[Latent]:
    """Give each layer its indexer, or the choice of the last one before it."""
    if set(says) - {"full", "shared"} or says[0] != "full":
        raise Refusal("indexer_types: 'full' comes first, then 'full' or 'shared'.")
    last, found = 0, []
    for i, kind in enumerate(says):
        last = i if kind == "full" else last
        found.append(replace(attention, index_of=None if last == i else last))
    return found


@family("glm_moe_dsa")
def glm_moe_dsa(c: Noted) -> Model:
    """GLM-5: layers may share what an indexer has chosen."""
    c.only("index_topk_pattern", None)
    n, step = len(stack(c)), c.count("index_topk_freq", 1) or 1
    first = c.count("index_skip_topk_offset", 2)
    by_step = ["shared" if max(i - first + 1, 0) % step else "full" for i in range(n)]
    says = c.each("indexer_types", n) or by_step
    attention = indexed(c, mla(c, Sizes(q=2048, nope=192, v=256)), 32)
    networks = spread(c, dense=3, n=256, used=8)
    return decoder(c, map(block, sharing(c, attention, says), networks))


@family("axk1")
def axk1(c: Noted) -> Model:
    """A.X K1: a norm after the experts too."""
    networks = spread(c, dense=1, n=192, used=8)
    attention = mla(c)
    layers = [
        Layer(
            RMS, RMS, attention, follows, RMS if isinstance(follows, Experts) else None
        )
        for follows in networks
    ]
    return decoder(c, layers)


@family("minicpm3")
def minicpm3(c: Noted) -> Model:
    """Latent rows in a small model."""
    sizes = Sizes(kv=256, q=768, nope=64, turned=32, v=None)
    attention = mla(c, sizes, neighbors=False)
    layers = [block(attention, gated(c, c.flag("mlp_bias")))] * len(stack(c))
    return decoder(c, layers, tied=True)


@family("longcat_flash")
def longcat_flash(c: Noted) -> Model:
    """Two attentions and two networks a layer; of the experts, some do nothing."""
    zero, n = c.count("zero_expert_num", 256), c.size("n_routed_experts", 512)
    ff, used = c.size("expert_ffn_hidden_size", 2048), c.size("moe_topk", 12)
    d, dense = c.size("hidden_size"), c.size("ffn_hidden_size", 12288)
    why = "What rows are multiplied by, and what those experts do."
    c.ignore("zero_expert_type", "mla_scale_q_lora", "mla_scale_kv_lora", why=why)
    c.only("router_bias", False)
    differs = "how many experts a token goes through differs"
    c.refuse(f"zero_expert_num: {differs}.", "n_active_parameters")
    many = Extra(
        f"MoE {used} of {n} + {zero} that do nothing",
        (
            *matrix("router", d, n + zero),
            *matrix("experts: gate and up", d, 2 * ff, copies=n + zero, used=used),
            *matrix("experts: down", ff, d, copies=n, used=used),
        ),
    )
    said = "latent rows are multiplied by a factor of their own"
    attention = replace(mla(c), not_said=said)
    half = [RMS, RMS, attention, Network(dense, gated=True)]
    return decoder(c, [Layer(*half, *half, many)] * len(stack(c)))


@family("hy_v4")
def hy_v4(c: Noted) -> Model:
    """Hunyuan 4: sinks, gated heads, several streams; some layers share an index."""
    d, streams = c.size("hidden_size"), c.size("hc_mult", 4)
    c.ignore("hc_magnitude", why="What the streams are multiplied by.")
    attention = indexed(c, mla(c, Sizes(nope=192, v=256)), 16)
    n = attention.heads
    said = "sinks and gates in latent attention were not tried here"
    attention = replace(attention, gate=n * attention.d_v, sinks=True, not_said=said)
    says = c.each("indexer_types", len(stack(c))) or _by_fours(len(stack(c)))
    mixing = Extra("streams", _mix(2 * streams, streams, d, 2) * 2)
    networks = spread(c, dense=1, n=256, used=8)
    layers = [
        Layer(RMS, RMS, mixer, mixing, network)
        for mixer, network in zip(sharing(c, attention, says), networks, strict=True)
    ]
    return decoder(c, layers, around=_mix(streams, streams, d, 1))


def _mix(rows: int, streams: int, d: int, scales: int) -> tuple[Weight, ...]:
    return (
        *matrix("mix of streams", streams * d, rows),
        Weight("base of streams", (rows,)),
        Weight("scale of streams", (scales,)),
    )


def _by_fours(n: int) -> list[str]:
    return ["full" if i < 2 or (i - 1) % 4 == 0 else "shared" for i in range(n)]
