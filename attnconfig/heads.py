"""Attention as a row of the table says it: what holds where a file is silent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypedDict

from attnconfig.attention import Grouped, Window
from attnconfig.building import dealt_out, norms_eps
from attnconfig.facts import Rotary
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


class Fields(TypedDict, total=False):
    """What of `Grouped` a family may read in a way of its own."""

    kv_heads: int
    rope: Rotary | None
    gate: Literal["query", "matrix", "heads"] | None
    scale: float | None
    softcap: float | None
    not_said: str | None


LLAMAS = Turn()


@dataclass(frozen=True)
class Heads:
    """Grouped heads of a family.

    Attributes
    ----------
    kv, d_k : int or None
        Heads of keys, and columns of a head; None: one for each head, and the width
        dealt out.
    even : bool
        Whether the heads share the width, and no line says anything else.
    turn : Turn, mapping or None
        The rotation; one for each kind of layer; or none.
    eps : float
        Of the norms of queries and keys.
    normed : Flag
        Whether there are these norms.
    bias, out_bias : Flag
        Of queries, keys and values, and of the output; None: as the others.
    read : function or None
        Reads further fields.
    qk_norm, norm_after, norm_bias, sinks, gate, alibi, not_said
        As in `Grouped`.
    """

    kv: int | None = None
    d_k: int | None = None
    even: bool = False
    turn: Turn | Mapping[str, Turn] | None = LLAMAS
    eps: float = 1e-6
    normed: Flag = True
    bias: Flag = False
    out_bias: Flag | None = None
    read: Callable[[Noted], Fields] | None = None
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
        bias, normed = flag(c, self.bias), flag(c, self.normed)
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
