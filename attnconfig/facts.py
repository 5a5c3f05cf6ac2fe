"""A layer's attention as typed values, to be compared with a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Rotary:
    """Rotary positions (RoPE).

    Attributes
    ----------
    base : float
    columns : int
        How many columns of a head turn.
    pairs : str
        "halves": column i turns with i + columns / 2; "neighbors": 2i with 2i + 1.
    scaling : mapping
        What stretches the positions, as the file says it; empty for nothing.
    sections : tuple of int or None
        How many pairs turn by time, by height and by width (M-RoPE); in text all three
        are the position.
    """

    base: float
    columns: int
    pairs: Literal["halves", "neighbors"] = "halves"
    scaling: Mapping[str, Any] = field(default_factory=lambda: NOTHING, hash=False)
    sections: tuple[int, ...] | None = None

    @property
    def stretch(self) -> str | None:
        """The name of what stretches the positions, or None."""
        kind = self.scaling.get("rope_type") or self.scaling.get("type")
        return str(kind) if kind else None

    def __str__(self) -> str:
        turned = f"base {self.base:,g}, {self.columns} columns in {self.pairs}"
        factor = self.scaling.get("factor")
        times = f" × {factor:g}" if isinstance(factor, int | float) else ""
        return f"{turned}, {self.stretch}{times}" if self.scaling else turned


@dataclass(frozen=True)
class Facts:
    """What one layer's softmax attention computes.

    Attributes
    ----------
    heads, kv_heads : int
        Heads of queries, and of keys and values: ``heads / kv_heads`` neighbors share.
    d_k, d_v : int
    scale : float
        What query · key is multiplied by.
    alignment : str
        "end": the last query sees all keys.
    window : (int, int) or None
        How many keys before and after its own place a query sees.
    chunk : int or None
        A query sees its own chunk of so many tokens, up to itself.
    softcap : float or None
        Scores s become c tanh(s / c).
    sinks : bool
        Whether each head has a learned logit in the denominator.
    position : str or None
        "rotary", "alibi", or None.
    rotary : Rotary or None
    qk_norm : str or None
        Norm of queries and keys: "head" (one gain for all heads), "heads" (one each),
        "width" (before the split into heads), "plain" (no gain).
    norm_after : bool
        Whether that norm comes after the rotation.
    norm_eps : float or None
        What it adds under the root.
    output_gate : bool
    latent : int or None
        Of latent attention, how wide the row is that all keys and values are made from.
    chosen : int or None
        How many keys an indexer lets a query see.
    keys_of : int or None
        The layer whose keys and values are used, where it has none of its own.
    not_said : str or None
        What it does beside all this.
    """

    heads: int
    kv_heads: int
    d_k: int
    d_v: int
    scale: float
    alignment: Literal["end"] = "end"
    window: tuple[int, int] | None = None
    chunk: int | None = None
    softcap: float | None = None
    sinks: bool = False
    position: Literal["rotary", "alibi"] | None = None
    rotary: Rotary | None = None
    qk_norm: Literal["head", "heads", "width", "plain"] | None = None
    norm_after: bool = False
    norm_eps: float | None = None
    output_gate: bool = False
    latent: int | None = None
    chosen: int | None = None
    keys_of: int | None = None
    not_said: str | None = None

    def __str__(self) -> str:
        said = {k: v for k, v in vars(self).items() if v not in (None, False)}
        return ", ".join(k if v is True else f"{k} {v}" for k, v in said.items())

    def plain(self) -> dict[str, Any]:
        """Return the facts as what JSON can hold."""
        if not self.rotary:
            return dict(vars(self))
        rotary = {**vars(self.rotary), "scaling": dict(self.rotary.scaling)}
        return {**vars(self), "rotary": rotary}


def turned(rotary: Rotary | None) -> dict[str, Any]:
    """Return the two facts of a rotation, or of none."""
    return {"rotary": rotary, "position": "rotary" if rotary else None}


def plain_facts(
    heads: int, kv_heads: int, d_k: int, rotary: Rotary | None, **more: Any
) -> Facts:
    """Return the facts of heads that scale by 1/√d_k, with values as wide as keys."""
    said = {"d_v": d_k, "scale": d_k**-0.5, **turned(rotary), **more}
    return Facts(heads, kv_heads, d_k, **said)
