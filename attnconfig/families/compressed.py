"""Keys that are folded together, or chosen by blocks: DeepSeek-V4, MiniMax-M3."""

from collections.abc import Sequence
from dataclasses import replace

from attnconfig.attention import Grouped, ListedAttention
from attnconfig.building import Which, stack, way
from attnconfig.facts import Facts, plain_facts
from attnconfig.families.by_layer import Each, sparse
from attnconfig.families.latent import indexer
from attnconfig.latent import Indexer
from attnconfig.noted import Noted, Refusal
from attnconfig.part import Part
from attnconfig.turning import Turn
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix

SAID = "keys are the values too, and turn with them"


@way
def folding(c: Noted, found: list[str], _: object) -> Sequence[ListedAttention]:
    """Layers with a window alone, or with a row beyond it for 4 or 128 tokens."""
    d_k = c.size("head_dim", 512)
    said, n = c.get("compress_ratios"), len(stack(c))
    if not isinstance(said, list) or len(said) < n or set(said) - {0, 4, 128}:
        raise Refusal("compress_ratios does not say 0, 4 or 128 for each layer.")
    share = c.size("qk_rope_head_dim", 64) / d_k
    far = Turn(160_000.0, share, key="compress_rope_theta").read(c, d_k)
    base = c.number("rope_theta", 10_000.0)
    near = Turn(base, share).read(Noted({}), d_k)
    index = indexer(c, 64, 512)
    heads, window = c.size("num_attention_heads"), c.size("sliding_window", 128)
    mixers = {}
    for per in dict.fromkeys(said[:n]):
        beyond = f"; beyond the window, {per} tokens are one row" if per else ""
        one = plain_facts(
            *(heads, 1, d_k, far if per else near),
            window=(window - 1, 0),
            sinks=True,
            qk_norm="plain",
            not_said=SAID + beyond,
        )
        mixers[per] = _folding(c, one, window, per, index if per == 4 else None)
    return [mixers[per] for per in said[:n]]


def _folding(
    c: Noted, one: Facts, window: int, per: int, index: Indexer | None
) -> ListedAttention:
    """List the arrays of one head of keys that are the values too.

    A window, and folded rows beyond it: ``per`` tokens are folded into one; 0: none.
    Queries, and the output, are made by way of narrower rows. ``index`` chooses folded
    rows; then ranges of so many tokens overlap.
    """
    d, n, k = c.size("hidden_size"), one.heads, one.d_k
    rank, groups = c.size("q_lora_rank", 1024), c.size("o_groups", 8)
    out_rank, overlap = c.size("o_lora_rank", 1024), 2 if index else 1
    learned = [
        *matrix("W^DQ", d, rank),
        Weight("norm of queries", (rank,)),
        *matrix("W^UQ", rank, n * k),
        *matrix("W^KV", d, k),
        Weight("norm of keys", (k,)),
        *matrix("W^O of groups", n * k // groups, groups * out_rank),
        *matrix("W^O", groups * out_rank, d),
        Weight("sinks", (n,)),
    ]
    last = Rows(window - 1)  # transformers keeps what the next query sees of the window
    kept = [Kept("keys and values", (k,), last)]
    kept += [] if per else [Kept("values", (k,), last)]
    most, each = index.keys if index else None, 2 * n * k
    work = [Work("keys", each, Rows(window))]
    work += [Work("folded keys", each, Rows(most, per))] if per else []
    folded = [("keys", k, most)] if per else []
    folded += [("indexer", index.columns, None)] if index else []
    for name, columns, chosen in folded:
        wide = overlap * columns
        learned += matrix(f"{name}, folded", d, wide)
        learned += matrix(f"gate of {name}", d, wide)
        learned.append(Weight(f"places of {name}", (per, wide)))
        learned.append(Weight(f"norm of {name}", (columns,)))
        kept.append(Kept(f"folded {name}", (columns,), Rows(per=per), reads=chosen))
        kept.append(Kept(f"{name} not folded yet", (2, wide), Rows(per=per, rest=True)))
        kept += [Kept(f"overlap of {name}", (per, 2, columns))] if index else []
    if index:
        learned += matrix("indexer's W^Q", rank, index.heads * index.columns)
        learned += matrix("indexer's heads", d, index.heads)
        work.append(Work("indexer", index.heads * index.columns, Rows(per=per)))
    name = f"MQA + SWA {window:,} + sinks" + (f" + a key for {per}" if per else "")
    return ListedAttention(
        one,
        name + (" + indexer" if index else ""),
        tuple(learned),
        tuple(kept),
        tuple(work),
    )


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
