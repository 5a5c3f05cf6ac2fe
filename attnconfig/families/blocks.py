"""MiniMax-M3: grouped heads that see blocks of keys, which an indexer chooses."""

from dataclasses import replace

from attnconfig.attention import Grouped, ListedAttention
from attnconfig.building import way
from attnconfig.families.by_layer import Each, sparse
from attnconfig.noted import Noted
from attnconfig.part import Part
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix
from attnconfig.which import Which, stack

SPARSE = "minimax_m3_sparse"
OLD_NAMES = """sparse_num_index_heads sparse_index_dim sparse_block_size
  sparse_topk_blocks sparse_local_block"""
NAMES = """index_n_heads index_head_dim index_block_size index_topk_blocks
  index_local_blocks"""


@way
def choosing(c: Noted) -> list[bool]:
    """Say which layers have an indexer."""
    n = len(stack(c))
    said = c.inside("sparse_attention_config").each("sparse_attention_freq", n)
    return list(map(bool, said or [0] * n))


@way
def chosen_blocks(c: Noted, found: list[str], heads: Each) -> list[Part]:
    """Give the heads of those layers their indexer."""
    old = c.inside("sparse_attention_config")
    old.ignore("use_sparse_attention", *OLD_NAMES.split(), why="Read as index_ lines.")
    chosen = _chosen(c, old, heads[0])
    pairs = zip(heads, found, strict=True)
    return [chosen if kind == SPARSE else one for one, kind in pairs]


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


@way
def minimax_m3s_experts(c: Noted) -> list[bool]:
    """Say which layers have experts."""
    said, by_number = sparse(c), Which(each="moe_layer_freq")(c)
    return said or by_number
