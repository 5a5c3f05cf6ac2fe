"""DeepSeek's latent attention, and those that took it over."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from attnconfig.building import Number, Which, kinds, stack, way
from attnconfig.facts import Rotary, plain_facts
from attnconfig.heads import BIAS, flag
from attnconfig.latent import Indexer, Latent
from attnconfig.model import Layer
from attnconfig.networks import Experts, Network
from attnconfig.noted import Noted, Refusal, number
from attnconfig.part import RMS, Listed, Part
from attnconfig.turning import FULL, Turn
from attnconfig.weights import matrix


@way
@dataclass(frozen=True)
class Mla:
    """Latent attention of a family; where its file is silent, that of DeepSeek-V3."""

    # the latent row, that of queries, the columns that stay and those that turn, and
    # the columns of a value; 0: no row of queries, and the width dealt out
    kv: int = 512
    q: int = 1536
    nope: int = 128
    turned: int = 64
    v: int = 128
    # of the rotation
    base: float = 10_000.0
    neighbors: bool = True
    # whether those columns do turn
    turns: bool = True
    gate: Literal["heads", "matrix"] | None = None  # as in `Grouped`
    # of the indexer that chooses the keys a query sees (DSA); None: there is none
    index_heads: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)  # what else it computes

    def one(self, c: Noted) -> Latent:
        """Read the latent row and the rotated key, and the stretch of YaRN."""
        nope = c.size("qk_nope_head_dim", self.nope)
        turned = c.size("qk_rope_head_dim", self.turned)
        c.ignore("num_key_value_heads", "head_dim", why="All heads share a latent row.")
        c.only("qk_head_dim", nope + turned)
        neighbors = self.neighbors and c.flag("rope_interleave", True)
        rope = Turn(self.base, neighbors=neighbors).read(c, turned)
        n, d_k = c.size("num_attention_heads"), nope + turned
        rank = c.size("kv_lora_rank", self.kv)
        d_v = c.maybe("v_head_dim", self.v or None) or c.size("hidden_size") // n
        q_rank, scale = c.maybe("q_lora_rank", self.q or None), stretched(rope, d_k)
        bias, index = flag(c, BIAS), self._index(c)
        facts = plain_facts(
            *(n, 1, d_k, rope if self.turns else None),
            d_v=d_v,
            scale=scale,
            latent=rank,
            chosen=index.keys if index else None,
            output_gate=self.gate is not None,
            **self.facts,
        )
        gate = {"heads": n, "matrix": n * d_v}.get(self.gate or "")
        return Latent(facts, turned, q_rank, bias, index, gate=gate)

    def _index(self, c: Noted) -> Indexer | None:
        if self.index_heads is None:
            return None
        kinds(c, {}, FULL, FULL, "indexed_attention")
        c.ignore("indexer_rope_interleave", why="Which columns of the indexer turn.")
        return indexer(c, self.index_heads, 2048)

    def each(self, c: Noted, found: list[str], seen: list[int | None]) -> list[Latent]:
        """Read it for each layer: it is the same."""
        return [self.one(c)] * len(found)


def indexer(c: Noted, heads: int, keys: int) -> Indexer:
    """Read an indexer of so many heads, and keys, where the file is silent."""
    n, columns = c.size("index_n_heads", heads), c.size("index_head_dim", 128)
    return Indexer(n, columns, c.size("index_topk", keys))


def stretched(rope: Rotary, d_k: int) -> float:
    """DeepSeek raises the scale where YaRN stretches the rotation."""
    times = rope.scaling.get("mscale_all_dim")
    factor = number("factor", rope.scaling.get("factor") or 1)
    if not times or factor <= 1:
        return float(d_k**-0.5)
    times = number("mscale_all_dim", times)
    return float((0.1 * times * math.log(factor) + 1) ** 2 * d_k**-0.5)


@way
def sharing_an_index(step: Number, first: Number) -> Callable[..., list[Latent]]:
    """Give each layer its indexer, or the choice of the last one before it."""
    counted = Which(step=step, first=first, before=True)

    def change(c: Noted, found: list[str], layers: Sequence[Latent]) -> list[Latent]:
        says = c.each("indexer_types", len(layers))
        says = says or ["full" if own else "shared" for own in counted(c)]
        if set(says) - {"full", "shared"} or says[0] != "full":
            raise Refusal("indexer_types: 'full' comes first, then 'full' or 'shared'.")
        last, shared = 0, []
        for i, (one, kind) in enumerate(zip(layers, says, strict=True)):
            last = i if kind == "full" else last
            shared.append(replace(one, index_of=None if last == i else last))
        return shared

    return change


@way
def norm_of_experts(c: Noted, network: Part | None) -> Part | None:
    """A.X K1 has a norm after the experts too."""
    return RMS if isinstance(network, Experts) else None


@way
def longcat_flash(c: Noted) -> list[Layer]:
    """Two attentions and two networks a layer; of the experts, some do nothing."""
    zero, n = c.count("zero_expert_num", 256), c.size("n_routed_experts", 512)
    ff, used = c.size("expert_ffn_hidden_size", 2048), c.size("moe_topk", 12)
    d, dense = c.size("hidden_size"), c.size("ffn_hidden_size", 12288)
    differs = "how many experts a token goes through differs"
    c.refuse(f"zero_expert_num: {differs}.", "n_active_parameters")
    many = Listed(
        f"MoE {used} of {n} + {zero} that do nothing",
        (
            *matrix("router", d, n + zero),
            *matrix("experts: gate and up", d, 2 * ff, copies=n + zero, used=used),
            *matrix("experts: down", ff, d, copies=n, used=used),
        ),
    )
    said = "latent rows are multiplied by a factor of their own"
    attention = Mla().one(c).but(not_said=said)
    half = [RMS, RMS, attention, Network(dense, gated=True)]
    return [Layer(*half, *half, many)] * len(stack(c))
