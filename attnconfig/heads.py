"""Attention as a row of the table says it: what holds where a file is silent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from attnconfig.attention import Grouped
from attnconfig.building import dealt_out, norms_eps
from attnconfig.facts import plain_facts, turned
from attnconfig.noted import Noted
from attnconfig.turning import Turn, still


class Says(NamedTuple):
    """A line of a file, and what holds where the file is silent."""

    key: str
    default: Any = None


Flag = bool | Says  # what a family has, or what the line says
BIAS, MLP_BIAS = Says("attention_bias", False), Says("mlp_bias", False)


def flag(c: Noted, said: Flag) -> bool:
    """Read a flag, whose default may be what another line says."""
    return said if isinstance(said, bool) else c.flag(said.key, flag(c, said.default))


Fields = dict[str, Any]  # facts that a family reads in a way of its own


@dataclass(frozen=True)
class Heads:
    """Grouped heads of a family."""

    # heads of keys, and columns of a head; None: as many, and the width dealt out
    kv: int | None = None
    d_k: int | None = None
    # whether the heads share the width, and no line says anything else
    even: bool = False
    # the rotation; one for each kind of layer; or none
    turn: Turn | Mapping[str, Turn] | None = field(default_factory=Turn)
    eps: float = 1e-6  # of the norms of queries and keys
    normed: Flag = True  # whether there are these norms
    # of queries, keys and values, and of the output; None: as the others
    bias: Flag = False
    out_bias: Flag | None = None
    scale: float | Says | None = None  # None: 1 / √d_k
    read: Callable[[Noted], Fields] | None = None  # reads further facts
    norm_bias: bool = False  # as in `Grouped`
    gate: Literal["query", "matrix", "heads"] | None = None
    gated: Flag = True  # whether there is that gate
    facts: Fields = field(default_factory=dict)  # what else all its layers compute

    def sizes(self, c: Noted) -> tuple[int, int, int]:
        """Read heads, heads of keys, and columns of a head."""
        n = c.size("num_attention_heads")
        if self.even:
            return n, self.kv or n, dealt_out(c.size("hidden_size"), n)
        groups = c.maybe("num_key_value_heads", self.kv) or n
        columns = c.maybe("head_dim", self.d_k)
        return n, groups, columns or dealt_out(c.size("hidden_size"), n)

    def one(self, c: Noted) -> Grouped:
        """Read them, but for what differs from layer to layer."""
        n, groups, columns = self.sizes(c)
        if self.turn is None and not self.even:
            still(c)
        bias, normed, scale = flag(c, self.bias), flag(c, self.normed), self.scale
        own = dict(self.facts) if normed else {}
        rotary = self.turn.read(c, columns) if isinstance(self.turn, Turn) else None
        out_bias = bias if self.out_bias is None else flag(c, self.out_bias)
        if own.get("qk_norm"):
            own["norm_eps"] = norms_eps(c, self.eps)
        if scale is not None:
            own["scale"] = c.number(*scale) if isinstance(scale, Says) else scale
        gate = self.gate if self.gate and flag(c, self.gated) else None
        own["output_gate"] = gate is not None
        facts = plain_facts(n, groups, columns, rotary, **own)
        found = Grouped(facts, bias, out_bias, self.norm_bias, gate)
        return found.but(**self.read(c)) if self.read else found

    def each(
        self, c: Noted, found: list[str], seen: list[int | None]
    ) -> Sequence[Grouped]:
        """Read them for layers of these kinds, with windows of so many keys."""
        heads = self.one(c)
        kinds: dict[str, Fields] = {kind: {} for kind in found}
        if isinstance(self.turn, Mapping):
            for kind, turn in self.turn.items():
                kinds[kind] = turned(turn.read(c, heads.facts.d_k, kind))
        return [
            heads.but(window=size and (size - 1, 0), **kinds[kind])
            for kind, size in zip(found, seen, strict=True)
        ]
