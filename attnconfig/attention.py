"""Softmax attention whose heads share keys and values: MHA, GQA, MQA, with a window."""

from dataclasses import dataclass
from typing import Literal

from attnconfig.facts import Facts, Rotary
from attnconfig.noted import Refusal
from attnconfig.part import Listed, Part
from attnconfig.weights import EACH, Kept, Rows, Weight, Work, matrix

NORM_BIAS = "queries and keys get a LayerNorm with a bias"


@dataclass(frozen=True)
class Window:
    """A query sees ``size`` keys, its own among them; or its own chunk of so many."""

    size: int
    chunks: bool = False


class SoftmaxAttention(Part):
    """What `Layer.attention` gives: attention with a softmax, so with facts."""

    def facts(self) -> Facts:
        """Say what it computes."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ListedAttention(Listed, SoftmaxAttention):
    """Attention as its arrays, which the family that has it lists."""

    computes: Facts

    def facts(self) -> Facts:
        """Say what it computes."""
        return self.computes


@dataclass(frozen=True)
class Grouped(SoftmaxAttention):
    """Heads of queries, some of which share a head of keys and values."""

    heads: int
    kv_heads: int
    d_k: int
    d_v: int | None = None  # None: d_k
    rope: Rotary | None = None
    window: Window | None = None
    qkv_bias: bool = False
    out_bias: bool = False
    # "head", "heads", "width" or "plain", as in `Facts`
    qk_norm: Literal["head", "heads", "width", "plain"] | None = None
    norm_bias: bool = False  # whether those norms learn a bias too
    norm_after: bool = False  # whether they come after the rotation
    norm_eps: float | None = None
    scale: float | None = None  # None: 1 / √d_k
    softcap: float | None = None
    sinks: bool = False
    # of the output: "query" (W^Q is twice as wide), "matrix", "heads" (one each)
    gate: Literal["query", "matrix", "heads"] | None = None
    alibi: bool = False
    keys_of: int | None = None  # the earlier layer whose keys and values it uses
    k_is_v: bool = False  # whether one matrix makes both
    not_said: str | None = None  # what no call of attention can say

    def __post_init__(self) -> None:
        if self.heads % self.kv_heads:
            said = f"{self.kv_heads} do not divide {self.heads} heads of queries"
            raise Refusal(f"num_key_value_heads: {said}.")

    @property
    def values(self) -> int:
        """How many numbers a value of one head has."""
        return self.d_k if self.d_v is None else self.d_v

    @property
    def name(self) -> str:
        """In the field's own words."""
        kind = {self.heads: "MHA", 1: "MQA"}.get(self.kv_heads, "GQA")
        seen = ""
        if self.window:
            seen = (
                f" + {'chunks' if self.window.chunks else 'SWA'} {self.window.size:,}"
            )
        normed = " + QK-norm" if self.qk_norm else ""
        return kind + seen + normed + (" + sinks" if self.sinks else "")

    def weights(self, d: int) -> list[Weight]:
        """List the projections, norms, gate and sinks."""
        h, g, v = self.heads, self.kv_heads, self.values
        wide = 2 if self.gate == "query" else 1
        found = matrix("W^Q", d, wide * h * self.d_k, self.qkv_bias)
        if self.keys_of is None:
            found += matrix("W^K", d, g * self.d_k, self.qkv_bias)
            found += [] if self.k_is_v else matrix("W^V", d, g * v, self.qkv_bias)
        found += matrix("W^O", h * v, d, self.out_bias)
        if self.gate in ("matrix", "heads"):
            found += matrix("gate of heads", d, h * (v if self.gate == "matrix" else 1))
        sinks = [Weight("sinks", (h,))] if self.sinks else []
        return found + self._norms() + sinks

    def _norms(self) -> list[Weight]:
        sharing = {"queries": self.heads}
        if self.keys_of is None:
            sharing["keys"] = self.kv_heads
        if self.qk_norm in (None, "plain"):
            return []
        found = []
        for x, n in sharing.items():
            shape = (self.d_k,) if self.qk_norm == "head" else (n, self.d_k)
            found.append(Weight(f"gain of the norm of {x}", shape))
            found += [Weight(f"b of the norm of {x}", shape)] if self.norm_bias else []
        return found

    @property
    def rows(self) -> Rows:
        """How many rows of keys are kept."""
        return Rows(self.window.size) if self.window else EACH

    def kept(self) -> list[Kept]:
        """List keys and values; none where an earlier layer's are used."""
        if self.keys_of is not None:
            return []
        return [
            Kept("keys", (self.kv_heads, self.d_k), self.rows),
            Kept("values", (self.kv_heads, self.values), self.rows),
        ]

    def work(self) -> list[Work]:
        """Count a score and a share of the value for each key."""
        return [Work("keys", self.heads * (self.d_k + self.values), self.rows)]

    def facts(self) -> Facts:
        """Say what it computes."""
        w, has_norm_bias = self.window, self.qk_norm and self.norm_bias
        return Facts(
            self.heads,
            self.kv_heads,
            self.d_k,
            self.values,
            self.d_k**-0.5 if self.scale is None else self.scale,
            window=(w.size - 1, 0) if w and not w.chunks else None,
            chunk=w.size if w and w.chunks else None,
            softcap=self.softcap,
            sinks=self.sinks,
            position="alibi" if self.alibi else "rotary" if self.rope else None,
            rotary=self.rope,
            qk_norm=self.qk_norm,
            norm_after=self.norm_after,
            norm_eps=self.norm_eps,
            output_gate=self.gate is not None,
            keys_of=self.keys_of,
            not_said=self.not_said or (NORM_BIAS if has_norm_bias else None),
        )
