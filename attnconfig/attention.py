"""Softmax attention whose heads share keys and values: MHA, GQA, MQA, with a window."""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from attnconfig.facts import Facts
from attnconfig.noted import Refusal
from attnconfig.part import Listed, Part
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix


@dataclass(frozen=True)
class SoftmaxAttention(Part):
    """What `Layer.attention` gives: attention with a softmax, so with facts."""

    facts: Facts

    def but(self, **facts: Any) -> Self:
        """Return the same with other facts."""
        return replace(self, facts=replace(self.facts, **facts))


@dataclass(frozen=True)
class ListedAttention(Listed, SoftmaxAttention):
    """Attention as its arrays, which the family that has it lists."""


@dataclass(frozen=True)
class Grouped(SoftmaxAttention):
    """Heads of queries, some of which share a head of keys and values."""

    qkv_bias: bool = False
    out_bias: bool = False
    norm_bias: bool = False  # whether the norms of queries and keys learn a bias too
    # of the output: "query" (W^Q is twice as wide), "matrix", "heads" (one each)
    gate: Literal["query", "matrix", "heads"] | None = None
    k_is_v: bool = False  # whether one matrix makes both

    def __post_init__(self) -> None:
        n, shared = self.facts.heads, self.facts.kv_heads
        if n % shared:
            said = f"{shared} do not divide {n} heads of queries"
            raise Refusal(f"num_key_value_heads: {said}.")

    @property
    def sees(self) -> int | None:
        """How many keys a window or a chunk has; None: all are seen."""
        window = self.facts.window
        return window[0] + 1 if window else self.facts.chunk

    @property
    def name(self) -> str:
        """In the field's own words."""
        facts = self.facts
        kind = {facts.heads: "MHA", 1: "MQA"}.get(facts.kv_heads, "GQA")
        seen = f" + {'chunks' if facts.chunk else 'SWA'} {self.sees or 0:,}"
        more = {seen: self.sees, " + QK-norm": facts.qk_norm, " + sinks": facts.sinks}
        return kind + "".join(said for said, has in more.items() if has)

    def weights(self, d: int) -> list[Weight]:
        """List the projections, norms, gate and sinks."""
        h, g = self.facts.heads, self.facts.kv_heads
        k, v = self.facts.d_k, self.facts.d_v
        wide = 2 if self.gate == "query" else 1
        found = matrix("W^Q", d, wide * h * k, self.qkv_bias)
        if self.facts.keys_of is None:
            found += matrix("W^K", d, g * k, self.qkv_bias)
            found += [] if self.k_is_v else matrix("W^V", d, g * v, self.qkv_bias)
        found += matrix("W^O", h * v, d, self.out_bias)
        if self.gate in ("matrix", "heads"):
            found += matrix("gate of heads", d, h * (v if self.gate == "matrix" else 1))
        sinks = [Weight("sinks", (h,))] if self.facts.sinks else []
        return found + self._norms() + sinks

    def _norms(self) -> list[Weight]:
        facts = self.facts
        sharing = {"queries": facts.heads}
        if facts.keys_of is None:
            sharing["keys"] = facts.kv_heads
        if facts.qk_norm in (None, "plain"):
            return []
        found = []
        for x, n in sharing.items():
            shape = (facts.d_k,) if facts.qk_norm == "head" else (n, facts.d_k)
            found.append(Weight(f"gain of the norm of {x}", shape))
            found += [Weight(f"b of the norm of {x}", shape)] if self.norm_bias else []
        return found

    @property
    def rows(self) -> Rows:
        """How many rows of keys are kept."""
        return Rows(self.sees) if self.sees else EACH

    def kept(self) -> list[Kept]:
        """List keys and values; none where an earlier layer's are used."""
        facts = self.facts
        if facts.keys_of is not None:
            return []
        return [
            Kept("keys", (facts.kv_heads, facts.d_k), self.rows),
            Kept("values", (facts.kv_heads, facts.d_v), self.rows),
        ]

    def work(self) -> list[Work]:
        """Count a score and a share of the value for each key."""
        each = self.facts.heads * (self.facts.d_k + self.facts.d_v)
        return [Work("keys", each, self.rows)]
