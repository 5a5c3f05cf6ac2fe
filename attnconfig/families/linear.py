"""Linear attention by turns: Kimi Linear, Ling, MiniMax."""

from dataclasses import dataclass, replace

from attnconfig.attention import Grouped
from attnconfig.building import (
    LINEAR,
    block,
    decoder,
    every,
    expert,
    experts,
    family,
    gated,
    grouped,
    kinds,
    side_by_side,
    stack,
)
from attnconfig.facts import Facts
from attnconfig.families.latent import Sizes, mla
from attnconfig.families.sparse import first_dense
from attnconfig.model import Model
from attnconfig.networks import Network
from attnconfig.noted import Noted, Refusal
from attnconfig.part import Part
from attnconfig.states import KimiDelta, Lightning
from attnconfig.turning import FULL, Turn
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix

# Kimi Linear and Ling: Kimi Delta Attention, and latent attention without rotation.


@family("kimi_linear")
def kimi_linear(c: Noted) -> Model:
    """Three layers of KDA, and one of latent attention."""
    inner = c.inside("linear_attn_config")
    full, linear = inner.get("full_attn_layers"), inner.get("kda_layers")
    if full and linear and sorted([*full, *linear]) != [i + 1 for i in stack(c)]:
        raise Refusal("linear_attn_config does not say what each layer is.")

    def default(i: int) -> str:
        return FULL if (i + 1 in full if full else i and i % 4 == 0) else LINEAR

    found = kinds(c, default, FULL, LINEAR)
    delta = KimiDelta(
        inner.size("num_heads", c.size("linear_num_heads", 32)),
        inner.size("head_dim", c.size("linear_head_dim", 128)),
        inner.size("short_conv_kernel_size", c.size("linear_conv_kernel_dim", 4)),
    )
    c.only("tie_word_embeddings", False)
    c.only("mla_use_nope", True)
    why = "How experts are chosen."
    names = ("moe_renormalize", "moe_router_activation_func", "use_grouped_topk")
    c.ignore(*names, "num_expert_group", why=why)
    latent = replace(mla(c, Sizes(q=None)), rope=None)
    each = expert(c)
    shared = side_by_side(c, each, 1, "num_shared_experts")
    used = c.size("num_experts_per_token", 8)
    networks = first_dense(c, each, dense=1, n=256, used=used, shared=shared)
    layers = [
        block(latent if kind == FULL else delta, network)
        for kind, network in zip(found, networks, strict=True)
    ]
    return decoder(c, layers)


@family("bailing_hybrid")
def ling(c: Noted) -> Model:
    """Ling 3: five layers of KDA, and one of latent attention whose heads are gated."""
    found = kinds(c, every(c.size("layer_group_size", 6), LINEAR), FULL, LINEAR)
    delta = KimiDelta(
        c.size("linear_num_heads", c.size("num_attention_heads")),
        c.size("linear_head_dim", c.size("head_dim", 128)),
        c.size("linear_conv_kernel_dim", c.size("short_conv_kernel_size", 4)),
        narrow=False,
    )
    c.only("tie_word_embeddings", False)
    c.ignore("kda_safe_gate", "kda_lower_bound", why="How far states can decay.")
    for key in ("no_kda_lora", "use_qk_norm", "linear_silu"):
        c.only(key, True)
    c.only("use_kda_lora", False)
    c.only("q_lora_rank", None)
    c.only("gated_attention_proj_granularity_type", "head_wise")
    why = "How experts are chosen."
    c.ignore("moe_renormalize", "num_expert_group", why=why)
    latent = mla(c, Sizes(q=None, base=6_000_000.0))
    latent = replace(latent, gate=latent.heads)
    each = expert(c)
    c.only("moe_shared_expert_intermediate_size", each.ff)
    shared = Network(c.size("n_shared_experts", 1) * each.ff, gated=True)
    networks = first_dense(c, each, dense=2, n=512, used=8, shared=shared)
    layers = [
        block(latent if kind == FULL else delta, network)
        for kind, network in zip(found, networks, strict=True)
    ]
    return decoder(c, layers)


# MiniMax-01 and M3: lightning attention by turns; blocks of keys that are chosen.

SPARSE = "minimax_m3_sparse"


@family("minimax")
def minimax(c: Noted) -> Model:
    """Seven layers of lightning attention, and one of softmax; or as a list says."""
    why = "The blocks in which lightning attention is computed; the result is the same."
    c.ignore("block_size", why=why)
    listed = c.each("attn_type_list", len(stack(c)))
    by_turns = [not i % 2 if listed is None else listed[i] == 1 for i in stack(c)]
    found = kinds(c, lambda i: FULL if by_turns[i] else LINEAR, FULL, LINEAR)
    full = grouped(c, kv=8, turn=Turn(1_000_000.0))
    linear = Lightning(full.heads, full.d_k)
    many = experts(c, gated(c), n=8, used=2)
    return decoder(c, [block(full if kind == FULL else linear, many) for kind in found])


@dataclass(frozen=True)
class BlockIndexed(Grouped):
    """Grouped heads that see the blocks of keys an indexer has chosen.

    Attributes
    ----------
    index_heads, index_columns : int
    size, blocks : int
        Keys in a block, and how many blocks a query sees.
    """

    index_heads: int = 1
    index_columns: int = 1
    size: int = 1
    blocks: int = 1

    @property
    def name(self) -> str:
        """In the field's own words."""
        return f"{super().name} + {self.blocks} blocks of {self.size}"

    def weights(self, d: int) -> list[Weight]:
        """List the heads' and the indexer's."""
        n, columns = self.index_heads, self.index_columns
        return [
            *super().weights(d),
            *matrix("indexer's W^Q", d, n * columns),
            *matrix("indexer's W^K", d, columns),
            Weight("indexer's norms", (2, columns)),
        ]

    def kept(self) -> list[Kept]:
        """List keys and values, and the indexer's key."""
        read = self.blocks * self.size
        found = [replace(kept, reads=read) for kept in super().kept()]
        return [*found, Kept("indexer's key", (self.index_columns,), EACH)]

    def work(self) -> list[Work]:
        """Count the chosen keys, and the indexer's look at all."""
        each = self.heads * (self.d_k + self.values)
        look = Work("indexer", self.index_heads * self.index_columns, EACH)
        return [Work("chosen keys", each, Rows(self.blocks * self.size)), look]

    def facts(self) -> Facts:
        """Say what it computes."""
        return replace(super().facts(), chosen=self.blocks * self.size)


OLD_NAMES = (
    *("sparse_num_index_heads", "sparse_index_dim", "sparse_block_size"),
    *("sparse_topk_blocks", "sparse_local_block"),
)
NAMES = (
    *("index_n_heads", "index_head_dim", "index_block_size", "index_topk_blocks"),
    "index_local_blocks",
)


@family("minimax_m3_vl_text", "minimax_m3")
def minimax_m3(c: Noted) -> Model:
    """QK-norm, half of the columns turns, chosen blocks, experts and a shared one."""
    old = c.inside("sparse_attention_config")
    old.ignore("use_sparse_attention", *OLD_NAMES, why="Read as index_ lines.")
    mixers = _mixers(c, old)
    first = old.each("sparse_attention_freq", len(stack(c))) or [0] * len(stack(c))
    found = kinds(c, lambda i: SPARSE if first[i] else FULL, FULL, SPARSE)
    shared = Network(c.size("shared_intermediate_size", 3072), gated=True)
    many = experts(c, gated(c), n=128, used=4, shared=shared)
    wide = Network(c.size("dense_intermediate_size", 12288), gated=True)
    layers = [
        block(mixers[kind], many if has else wide)
        for kind, has in zip(found, _sparse(c), strict=True)
    ]
    return decoder(c, layers)


def _mixers(c: Noted, old: Noted) -> dict[str, Part]:
    c.ignore("rotary_dim", why="Its program reads partial_rotary_factor.")
    turn = Turn(5_000_000.0)
    full = grouped(c, kv=4, d_k=128, turn=turn, qk_norm="head")
    has = (4, 128, 128, 16, 1)
    n, columns, size, blocks, _ = (
        old.size(older, c.size(name, default))
        for older, name, default in zip(OLD_NAMES, NAMES, has, strict=True)
    )
    chosen = BlockIndexed(
        *(full.heads, full.kv_heads, full.d_k),
        rope=full.rope,
        qk_norm="head",
        index_heads=n,
        index_columns=columns,
        size=size,
        blocks=blocks,
        not_said=f"each group of heads sees {blocks} blocks of {size} keys of its own",
    )
    return {FULL: full, SPARSE: chosen}


def _sparse(c: Noted) -> list[bool]:
    """Say which layers have experts."""
    n = len(stack(c))
    said, freq = c.each("mlp_layer_types", n), c.each("moe_layer_freq", n) or [1] * n
    if said and set(said) - {"dense", "sparse"}:
        raise Refusal("mlp_layer_types holds more than 'dense' and 'sparse'.")
    return [each == "sparse" for each in said] if said else [bool(f) for f in freq]
