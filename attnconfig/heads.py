"""Attention as a row of the table says it: what holds where a file is silent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from attnconfig.attention import Grouped, Window
from attnconfig.building import dealt_out, norms_eps
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


Fields = dict[str, Any]  # of `Grouped`, which a family reads in a way of its own


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
    read: Callable[[Noted], Fields] | None = None  # reads further fields
    # as in `Grouped`
    qk_norm: Literal["head", "heads", "width", "plain"] | None = None
    norm_after: bool = False
    norm_bias: bool = False
    sinks: bool = False
    gate: Literal["query", "matrix", "heads"] | None = None
    alibi: bool = False
    not_said: str | None = None

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
        found = Grouped(
            n,
            groups,
            columns,
            rope=self.turn.read(c, columns) if isinstance(self.turn, Turn) else None,
            qkv_bias=bias,
            out_bias=bias if self.out_bias is None else flag(c, self.out_bias),
            qk_norm=self.qk_norm if normed else None,
            norm_bias=self.norm_bias,
            norm_after=self.norm_after,
            norm_eps=norms_eps(c, self.eps) if self.qk_norm and normed else None,
            scale=c.number(*scale) if isinstance(scale, Says) else scale,
            sinks=self.sinks,
            gate=self.gate,
            alibi=self.alibi,
            not_said=self.not_said,
        )
        return replace(found, **self.read(c)) if self.read else found

    def each(
        self, c: Noted, found: list[str], seen: list[Window | None]
    ) -> Sequence[Grouped]:
        """Read them for layers of these kinds, with these windows."""
        heads = self.one(c)
        ropes = dict.fromkeys(found, heads.rope)
        if isinstance(self.turn, Mapping):
            ropes |= {k: turn.read(c, heads.d_k, k) for k, turn in self.turn.items()}
        return [
            replace(heads, window=window, rope=ropes[kind])
            for kind, window in zip(found, seen, strict=True)
        ]
