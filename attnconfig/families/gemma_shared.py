"""Gemma 3n and 4: layers that use earlier ones' keys, and tables for each layer."""

from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    biased,
    decoder,
    every,
    experts,
    family,
    grouped,
    heads,
    kinds,
    stack,
    windows,
)
from attnconfig.model import Layer, Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Extra, Part
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight, matrix

SAID = "values are normalized too"


def earlier(c: Noted, found: list[str], default: int) -> list[int | None]:
    """Say whose keys each layer uses: the last ones those of their kind before."""
    own = len(found) - c.count("num_kv_shared_layers", default)
    if set(found[: max(own, 0)]) != set(found):
        said = "no layer of their kind keeps keys for them"
        raise Refusal(f"num_kv_shared_layers: {said}.")
    last = {kind: i for i, kind in enumerate(found[:own])}
    return [None if i < own else last[kind] for i, kind in enumerate(found)]


def per_layer_input(d: int, table: int) -> tuple[Weight, ...]:
    """List what a layer learns to use its own table."""
    return (
        *matrix("gate of the table", d, table),
        *matrix("from the table", table, d),
        Weight("norm of the table", (d,)),
    )


def tables(rows: int, d: int, n: int, table: int) -> tuple[Weight, ...]:
    """List the tables of all n layers, and the way into them."""
    return (
        Weight("table of each layer", (rows, n * table), table=True),
        *matrix("into the tables", d, n * table),
        Weight("norm of the tables", (table,)),
    )


@family("gemma3n_text", sizes=(2048, 35, 8, 16384, 262400))
def gemma3n(c: Noted) -> Model:
    """Four streams (AltUp), a low-rank way past (LAuReL), tables for each layer."""
    n, d, streams = len(stack(c)), c.size("hidden_size"), c.size("altup_num_inputs", 4)
    found = kinds(c, every(5), FULL, SWA)
    own = earlier(c, found, 15)
    c.ignore(
        *("altup_active_idx", "altup_coef_clip", "altup_correct_scale"),
        "activation_sparsity_pattern",
        why="What the streams are multiplied by, and which numbers become 0.",
    )
    table = c.size("hidden_size_per_layer_input", 256)
    rows = c.size("vocab_size_per_layer_input", 262_144)
    beside = _streams(d, streams, c.size("laurel_rank", 64), table)
    d_k = heads(c, 2, 256)[2]
    turns = {
        FULL: Turn(1_000_000.0).read(c, d_k, FULL),
        SWA: Turn(apart=True).read(c, d_k, SWA),
    }
    full = grouped(
        c,
        kv=2,
        d_k=256,
        turn=None,
        qk_norm="head",
        scale=1.0,
        not_said=SAID,
        **biased(c),
    )
    layers = []
    for i, w in enumerate(windows(c, found, 512)):
        mixer = replace(full, window=w, rope=turns[found[i]], keys_of=own[i])
        network = Network(_widths(c)[i], gated=True)
        layers.append(Layer(*[RMS] * 4, mixer, network, beside))
    both = Weight(
        "streams in and out", (d, d), 2 * (streams - 1), 2 * (streams - 1), True
    )
    return decoder(c, layers, tied=True, around=(*tables(rows, d, n, table), both))


def _widths(c: Noted) -> list[int]:
    n = len(stack(c))
    if isinstance(c.get("intermediate_size"), list):
        return c.each("intermediate_size", n) or []
    return [c.size("intermediate_size", 16384)] * n


def _streams(d: int, streams: int, rank: int, table: int) -> Extra:
    return Extra(
        "AltUp, LAuReL, per-layer input",
        (
            Weight("scale of streams", (d,)),
            Weight("correction of streams", (streams, streams)),
            Weight("prediction of streams", (streams**2, streams)),
            *matrix("router of streams", d, streams),
            Weight("norm of router", (d,)),
            *matrix("LAuReL, down", d, rank),
            *matrix("LAuReL, up", rank, d),
            Weight("norm of LAuReL", (d,)),
            *per_layer_input(d, table),
        ),
    )


@family("gemma4_text", sizes=(2304, 30, 8, 9216, 262144))
def gemma4(c: Noted) -> Model:
    """Wider heads where all is seen; experts beside the network in one of them."""
    n, d = len(stack(c)), c.size("hidden_size")
    found = _last_full(c)
    own, seen = earlier(c, found, 0), windows(c, found, 512)
    mixers = _wide_where_full(c, 4, 512)
    table = c.some("hidden_size_per_layer_input", 256)
    double = 2 if c.flag("use_double_wide_mlp") else 1
    ff = c.size("intermediate_size")
    beside = [*_mixture(c, d)]
    if table:
        beside.append(Extra("per-layer input", per_layer_input(d, table)))
    layers = []
    for i, kind in enumerate(found):
        mixer = replace(mixers[kind], window=seen[i], keys_of=own[i])
        network = Network(ff if own[i] is None else ff * double, gated=True)
        layers.append(Layer(*[RMS] * 4, mixer, network, *beside))
    rows = c.size("vocab_size_per_layer_input", 262_144)
    around = tables(rows, d, n, table) if table else ()
    return decoder(c, layers, tied=True, around=around)


@family("gemma4_unified_text", sizes=(2304, 30, 8, 9216, 262144))
def gemma4_unified(c: Noted) -> Model:
    """The same without tables and experts."""
    found = _last_full(c)
    own, seen = earlier(c, found, 0), windows(c, found, 1024)
    mixers, ff = _wide_where_full(c, 4, 512), c.size("intermediate_size")
    double = 2 if c.flag("use_double_wide_mlp") else 1
    layers = []
    for i, kind in enumerate(found):
        mixer = replace(mixers[kind], window=seen[i], keys_of=own[i])
        network = Network(ff if own[i] is None else ff * double, gated=True)
        layers.append(Layer(*[RMS] * 4, mixer, network))
    return decoder(c, layers, tied=True)


def _last_full(c: Noted) -> list[str]:
    """One layer in six sees everything, and the last does."""
    found = kinds(c, every(6), FULL, SWA)
    return [*found[:-1], FULL]


def _wide_where_full(c: Noted, kv: int, wide: int) -> dict[str, Grouped]:
    """Heads of both kinds of layers."""
    if c.get("use_bidirectional_attention") == "all":
        raise Refusal("use_bidirectional_attention = 'all': this is no decoder.")
    same = c.flag("attention_k_eq_v")
    columns, few = c.size("global_head_dim", wide), c.some("num_global_key_value_heads")
    near = grouped(
        c,
        kv=kv,
        d_k=256,
        turn=None,
        qk_norm="head",
        scale=1.0,
        not_said=SAID,
        **biased(c),
    )
    stretch = {"rope_type": "proportional"}
    far = Turn(1_000_000.0, share=0.25, scaling=stretch, beside=True)
    return {
        SWA: replace(near, rope=Turn(beside=True).read(c, near.d_k, SWA)),
        FULL: replace(
            near,
            kv_heads=(few if same else None) or near.kv_heads,
            d_k=columns,
            rope=far.read(c, columns, FULL),
            k_is_v=same,
        ),
    }


def _mixture(c: Noted, d: int) -> list[Part]:
    """Norms and experts beside the network, where there are any."""
    if not c.flag("enable_moe_block"):
        why = "enable_moe_block is false."
        c.ignore("moe_intermediate_size", "num_experts", "num_experts_per_tok", why=why)
        c.ignore("top_k_experts", why=why)
        return []
    n = c.size("num_experts")
    more = (Weight("scale of router", (d,)), Weight("scale of experts", (n,)))
    each = Network(c.size("moe_intermediate_size"), gated=True)
    return [RMS, RMS, RMS, experts(c, each, more=more)]
