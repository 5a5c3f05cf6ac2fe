"""MiniMax-M3: grouped heads that see blocks of keys, which an indexer chooses."""

from dataclasses import dataclass, replace

from attnconfig.attention import Grouped
from attnconfig.building import block, decoder, kinds, stack, way
from attnconfig.facts import Facts
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import Heads, Says
from attnconfig.model import Model
from attnconfig.noted import Noted, Refusal
from attnconfig.part import Part
from attnconfig.turning import FULL, Turn
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix

SPARSE = "minimax_m3_sparse"


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


@way
def minimax_m3(c: Noted) -> Model:
    """QK-norm, half of the columns turns, chosen blocks, experts and a shared one."""
    old, n = c.inside("sparse_attention_config"), len(stack(c))
    old.ignore("use_sparse_attention", *OLD_NAMES, why="Read as index_ lines.")
    mixers = _mixers(c, old)
    first = old.each("sparse_attention_freq", n) or [0] * n
    found = kinds(c, lambda c, i: SPARSE if first[i] else FULL, FULL, SPARSE)
    shared = Says("shared_intermediate_size", 3072)
    wide = Wide(key="dense_intermediate_size", default=12288)
    mixture = Mixture(128, 4, Wide(), some=_sparse, dense=wide, shared_width=shared)
    mixed = [mixers[kind] for kind in found]
    return decoder(c, map(block, mixed, mixture.each(c)))


def _mixers(c: Noted, old: Noted) -> dict[str, Part]:
    turn = Turn(5_000_000.0)
    full = Heads(kv=4, d_k=128, turn=turn, qk_norm="head").one(c)
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
