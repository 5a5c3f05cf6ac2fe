"""Gemma 3n and 4: layers that use earlier ones' keys, and tables for each layer."""

from collections.abc import Callable
from dataclasses import replace

from attnconfig.attention import Grouped
from attnconfig.building import Which, kinds, stack, way, windows
from attnconfig.facts import turned
from attnconfig.families.by_layer import Each, with_own
from attnconfig.heads import BIAS, Heads
from attnconfig.model import Layer
from attnconfig.networks import Mixture, Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import RMS, Listed, Part
from attnconfig.turning import FULL, SWA, Turn
from attnconfig.weights import Weight, matrix

FACTS = {"qk_norm": "head", "not_said": "values are normalized too"}
HEADS = Heads(kv=4, d_k=256, bias=BIAS, scale=1.0, facts=FACTS)


@way
def with_earlier_keys(default: int) -> Callable[[Noted, list[str], Each], Each]:
    """Give the last layers the keys of earlier ones."""

    def change(c: Noted, found: list[str], heads: Each) -> Each:
        return with_own(heads, ({"keys_of": i} for i in earlier(c, found, default)))

    return change


def earlier(c: Noted, found: list[str], default: int) -> list[int | None]:
    """Say whose keys each layer uses: the last ones those of their kind before."""
    own = len(found) - c.count("num_kv_shared_layers", default)
    if set(found[: max(own, 0)]) != set(found):
        said = "no layer of their kind keeps keys for them"
        raise Refusal(f"num_kv_shared_layers: {said}.")
    last = {kind: i for i, kind in enumerate(found[:own])}
    return [None if i < own else last[kind] for i, kind in enumerate(found)]


# Tables of each layer: the way into them, and what a layer learns to use its own.


def _table(c: Noted) -> int | None:
    return c.some("hidden_size_per_layer_input", 256)


def per_layer_input(c: Noted) -> tuple[Weight, ...]:
    """List what a layer learns to use its own table, if it has one."""
    d, table = c.size("hidden_size"), _table(c)
    if not table:
        return ()
    return (
        *matrix("gate of the table", d, table),
        *matrix("from the table", table, d),
        Weight("norm of the table", (d,)),
    )


@way
def tables(c: Noted) -> tuple[Weight, ...]:
    """List the tables of all layers, and the way into them, if there are any."""
    table, rows = _table(c), c.size("vocab_size_per_layer_input", 262_144)
    wide = len(stack(c)) * (table or 0)
    if not table:
        return ()
    return (
        Weight("table of each layer", (rows, wide), table=True),
        *matrix("into the tables", c.size("hidden_size"), wide),
        Weight("norm of the tables", (table,)),
    )


@way
def tables_and_streams(c: Noted) -> tuple[Weight, ...]:
    """List the tables, and what makes Gemma 3n's streams of one, and one of them."""
    d, several = c.size("hidden_size"), 2 * (c.size("altup_num_inputs", 4) - 1)
    both = Weight("streams in and out", (d, d), several, several, True)
    return (*tables(c), both)


@way
def altup_and_laurel(c: Noted, network: Part | None) -> Listed:
    """Four streams (AltUp), a low-rank way past (LAuReL), a table for the layer."""
    d, streams = c.size("hidden_size"), c.size("altup_num_inputs", 4)
    rank = c.size("laurel_rank", 64)
    c.size("hidden_size_per_layer_input", 256)  # each layer has one
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
            *per_layer_input(c),
        ),
    )


@way
def gemma4(c: Noted) -> list[Layer]:
    """Wider heads where all is seen; experts beside the network in one of them."""
    table, beside = per_layer_input(c), _mixture(c)
    beside += [Listed("per-layer input", table)] if table else []
    return _layers(c, 512, *beside)


@way
def gemma4_unified(c: Noted) -> list[Layer]:
    """The same without tables and experts."""
    return _layers(c, 1024)


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
    near = replace(HEADS, turn=turn).one(c)
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


def _mixture(c: Noted) -> list[Part]:
    """Norms and experts beside the network, where there are any."""
    if not c.flag("enable_moe_block"):
        names = ("moe_intermediate_size", "num_experts", "num_experts_per_tok")
        c.ignore(*names, "top_k_experts", why="enable_moe_block is false.")
        return []
    many = Mixture().one(c)
    d = c.size("hidden_size")
    more = (Weight("scale of router", (d,)), Weight("scale of experts", (many.n,)))
    return [RMS, RMS, RMS, replace(many, more=more)]
