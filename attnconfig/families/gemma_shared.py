"""Gemma 3n and 4: layers that use earlier ones' keys, and tables for each layer."""

from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import decoder, kinds, way, windows
from attnconfig.facts import turned
from attnconfig.feedforward import Mixture
from attnconfig.heads import BIAS, Heads
from attnconfig.model import Layer, Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Listed, Part
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight, matrix
from attnconfig.which import Which, stack

FACTS = {"qk_norm": "head", "not_said": "values are normalized too"}
HEADS = Heads(d_k=256, bias=BIAS, scale=1.0, facts=FACTS)
TURN = {FULL: Turn(1_000_000.0), SWA: Turn(apart=True)}


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


@way
def gemma3n(c: Noted) -> Model:
    """Four streams (AltUp), a low-rank way past (LAuReL), tables for each layer."""
    n, d, streams = len(stack(c)), c.size("hidden_size"), c.size("altup_num_inputs", 4)
    found = kinds(c, {FULL: Which(step=5)}, SWA, FULL, SWA)
    own = earlier(c, found, 15)
    table = c.size("hidden_size_per_layer_input", 256)
    rows = c.size("vocab_size_per_layer_input", 262_144)
    beside = _streams(d, streams, c.size("laurel_rank", 64), table)
    heads = replace(HEADS, kv=2, turn=TURN)
    layers = []
    mixers = heads.each(c, found, windows(c, found, 512))
    is_list = isinstance(c.get("intermediate_size"), list)
    widths = c.each("intermediate_size", n) if is_list else None
    widths = widths or [c.size("intermediate_size", 16384)] * n
    for mixer, ff, keys in zip(mixers, widths, own, strict=True):
        network = Network(ff, gated=True)
        layers.append(Layer(*[RMS] * 4, mixer.but(keys_of=keys), network, beside))
    several = 2 * (streams - 1)
    both = Weight("streams in and out", (d, d), several, several, True)
    return decoder(c, layers, tied=True, around=(*tables(rows, d, n, table), both))


def _streams(d: int, streams: int, rank: int, table: int) -> Listed:
    return Listed(
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


@way
def gemma4(c: Noted) -> Model:
    """Wider heads where all is seen; experts beside the network in one of them."""
    n, d = len(stack(c)), c.size("hidden_size")
    table = c.some("hidden_size_per_layer_input", 256)
    beside = _mixture(c, d)
    if table:
        beside.append(Listed("per-layer input", per_layer_input(d, table)))
    rows = c.size("vocab_size_per_layer_input", 262_144)
    around = tables(rows, d, n, table) if table else ()
    return decoder(c, _layers(c, 512, *beside), tied=True, around=around)


@way
def gemma4_unified(c: Noted) -> Model:
    """The same without tables and experts."""
    return decoder(c, _layers(c, 1024), tied=True)


def _layers(c: Noted, window: int, *beside: Part) -> list[Layer]:
    """One layer in six sees everything, and the last does; its heads are wider."""
    found = [*kinds(c, {FULL: Which(step=6)}, SWA, FULL, SWA)[:-1], FULL]
    own, seen = earlier(c, found, 0), windows(c, found, window)
    mixers, ff = _heads(c), c.size("intermediate_size")
    double = 2 if c.flag("use_double_wide_mlp") else 1
    layers = []
    for kind, keys, w in zip(found, own, seen, strict=True):
        network = Network(ff if keys is None else ff * double, gated=True)
        mixer = mixers[kind].but(window=w and (w - 1, 0), keys_of=keys)
        layers.append(Layer(*[RMS] * 4, mixer, network, *beside))
    return layers


def _heads(c: Noted) -> dict[str, Grouped]:
    """Heads of both kinds of layers."""
    if c.get("use_bidirectional_attention") == "all":
        raise Refusal("use_bidirectional_attention = 'all': this is no decoder.")
    same = c.flag("attention_k_eq_v")
    columns, few = c.size("global_head_dim", 512), c.some("num_global_key_value_heads")
    turn = Turn(beside=True)
    near = replace(HEADS, kv=4, turn=turn).one(c)
    stretch = {"rope_type": "proportional"}
    far = Turn(1_000_000.0, share=0.25, scaling=stretch, beside=True)
    wide = near.but(
        kv_heads=(few if same else None) or near.facts.kv_heads,
        d_k=columns,
        d_v=columns,
        **turned(far.read(c, columns, FULL)),
    )
    return {
        SWA: near.but(**turned(turn.read(c, near.facts.d_k, SWA))),
        FULL: replace(wide, k_is_v=same),
    }


def _mixture(c: Noted, d: int) -> list[Part]:
    """Norms and experts beside the network, where there are any."""
    if not c.flag("enable_moe_block"):
        names = ("moe_intermediate_size", "num_experts", "num_experts_per_tok")
        c.ignore(*names, "top_k_experts", why="enable_moe_block is false.")
        return []
    many = Mixture().one(c)
    more = (Weight("scale of router", (d,)), Weight("scale of experts", (many.n,)))
    return [RMS, RMS, RMS, replace(many, more=more)]
