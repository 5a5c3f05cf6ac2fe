"""MiniMax-M3: grouped heads that see blocks of keys, which an indexer chooses."""

from dataclasses import replace

from attnconfig.attention import Grouped, ListedAttention
from attnconfig.building import block, decoder, kinds, way
from attnconfig.families.by_layer import sparse
from attnconfig.feedforward import Mixture, Wide
from attnconfig.heads import Heads, Says
from attnconfig.model import Model
from attnconfig.noted import Noted
from attnconfig.turning import FULL, Turn
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix
from attnconfig.which import Which, stack

SPARSE = "minimax_m3_sparse"
OLD_NAMES = """sparse_num_index_heads sparse_index_dim sparse_block_size
  sparse_topk_blocks sparse_local_block"""
NAMES = """index_n_heads index_head_dim index_block_size index_topk_blocks
  index_local_blocks"""


@way
def minimax_m3(c: Noted) -> Model:
    """QK-norm, half of the columns turns, chosen blocks, experts and a shared one."""
    old, n = c.inside("sparse_attention_config"), len(stack(c))
    old.ignore("use_sparse_attention", *OLD_NAMES.split(), why="Read as index_ lines.")
    turn = Turn(5_000_000.0)
    full = Heads(kv=4, d_k=128, turn=turn, facts={"qk_norm": "head"}).one(c)
    mixers = {FULL: full, SPARSE: _chosen(c, old, full)}
    first = old.each("sparse_attention_freq", n) or [0] * n
    found = kinds(c, {SPARSE: lambda c: list(map(bool, first))}, FULL, FULL, SPARSE)
    shared = Says("shared_intermediate_size", 3072)
    wide = Wide(key="dense_intermediate_size", default=12288)
    mixture = Mixture(128, 4, Wide(), some=_sparse, dense=wide, shared_width=shared)
    mixed = [mixers[kind] for kind in found]
    return decoder(c, map(block, mixed, mixture.each(c)))


def _chosen(c: Noted, old: Noted, full: Grouped) -> ListedAttention:
    """List the same heads with an indexer, and what of the keys they see."""
    n, columns, size, blocks, _ = (
        old.size(older, c.size(name, default))
        for older, name, default in zip(
            OLD_NAMES.split(), NAMES.split(), (4, 128, 128, 16, 1), strict=True
        )
    )
    d, seen = c.size("hidden_size"), blocks * size
    each, facts = full.work()[0].each, full.facts
    said = f"each group of heads sees {blocks} blocks of {size} keys of its own"
    return ListedAttention(
        replace(facts, chosen=seen, not_said=said),
        f"{full.name} + {blocks} blocks of {size}",
        (
            *full.weights(d),
            *matrix("indexer's W^Q", d, n * columns),
            *matrix("indexer's W^K", d, columns),
            Weight("indexer's norms", (2, columns)),
        ),
        (
            *(replace(kept, reads=seen) for kept in full.kept()),
            Kept("indexer's key", (columns,), EACH),
        ),
        (Work("chosen keys", each, Rows(seen)), Work("indexer", n * columns, EACH)),
    )


def _sparse(c: Noted) -> list[bool]:
    """Say which layers have experts."""
    said, by_number = sparse(c), Which(each="moe_layer_freq")(c)
    return said or by_number
