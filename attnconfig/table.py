"""The table of families: what holds where a file is silent, and which lines it has.

``families.toml`` has a row for each family, which is read into a `Family`; the comment
at its top says how. What no row can say is a function, which the row names: see `way`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypedDict

from attnconfig.attention import Grouped, Rope, Window
from attnconfig.building import (
    WAYS,
    Kinds,
    block,
    dealt_out,
    decoder,
    kinds,
    norms_eps,
    stack,
    windows,
)
from attnconfig.model import Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import PARAMETERS, Noted, Refusal
from attnconfig.part import LAYER, LAYER_NO_BIAS, PLAIN, RMS, Norm, Part
from attnconfig.turning import FULL, SWA, Turn, still
from attnconfig.weights import Weight


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

    rope: Rope | None
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


class Mixer(Protocol):
    """What mixes positions, in each layer."""

    def each(
        self, c: Noted, found: list[str], seen: list[Window | None]
    ) -> Sequence[Part]:
        """Read it for layers of these kinds, with these windows."""


@dataclass(frozen=True)
class Wide:
    """A network of two matrices, or of three, as wide as the line ``key`` says.

    Attributes
    ----------
    times : int or None
        Without that line, it is so many times as wide as the model.
    change : function or None
        Makes another network of it.
    """

    gated: bool = True
    bias: Flag = False
    key: str = "intermediate_size"
    default: int | None = None
    times: int | None = None
    learned: int = 0
    change: Callable[[Noted, Network], Network] | None = None

    def one(self, c: Noted) -> Network:
        """Read it."""
        if self.times:
            said = c.maybe(self.key) if self.key else None
            ff = said or self.times * c.size("hidden_size")
        else:
            ff = c.size(self.key, self.default, *PARAMETERS)
        found = Network(ff, flag(c, self.bias), self.gated, self.learned)
        return self.change(c, found) if self.change else found

    def each(self, c: Noted) -> Sequence[Part]:
        """Read that of each layer: it is the same."""
        return [self.one(c)] * len(stack(c))


def all_layers(c: Noted) -> list[bool]:
    """Say that all layers have experts."""
    return [True] * len(stack(c))


@dataclass(frozen=True)
class Mixture:
    """Experts of a family: a router over networks, in some layers.

    Attributes
    ----------
    n, used : int or None
        How many there are, and how many a token goes through.
    expert : Wide
    some : function
        Says which layers have experts; the others have the network ``dense``.
    shared : Says or None
        So many experts that every token uses, as one network.
    shared_width : Says or None
        Or a network so wide.
    shared_bias : Flag
        Of that network.
    corrected : bool
        Whether the router learns a correction of each expert's score.
    shared_gate, router_bias
        As in `Experts`.
    """

    n: int | None = None
    used: int | None = None
    expert: Wide = Wide(key="moe_intermediate_size")
    some: Callable[[Noted], list[bool]] = all_layers
    dense: Wide = Wide()
    shared: Says | None = None
    shared_width: Says | None = None
    shared_bias: Flag = False
    shared_gate: bool = False
    router_bias: bool = False
    corrected: bool = False

    def one(self, c: Noted) -> Experts:
        """Read the router, and as many experts as the file says."""
        many, expert = c.size("num_experts", self.n), self.expert.one(c)
        used = c.maybe("num_experts_per_tok", self.used)
        if used is None or used > many:
            said = "a token cannot go through" if used else "no number of experts"
            why = f"num_experts_per_tok = {used}: {said} of {many}."
            c.refuse(why, "n_active_parameters")
            used = many
        ff = 0
        if self.shared_width:
            ff = c.count(*self.shared_width)
        if self.shared:
            ff = (c.some(*self.shared) or 0) * expert.ff
        shared = Network(ff, flag(c, self.shared_bias), gated=True)
        return Experts(
            many,
            used,
            expert,
            shared=shared if ff or self.shared_gate else None,
            shared_gate=self.shared_gate,
            router_bias=self.router_bias,
            more=(Weight("correction of the router", (many,)),) * self.corrected,
        )

    def each(self, c: Noted) -> Sequence[Part]:
        """Read the network or the experts of each layer."""
        some = self.some(c)
        if not any(some):
            names = ["num_experts", "num_experts_per_tok", self.expert.key]
            names += [line.key for line in (self.shared, self.shared_width) if line]
            c.ignore(*names, why="No layer has experts.", changes="nothing")
            return self.dense.each(c)
        many = self.one(c)
        if all(some):
            why = "All layers have experts."
            c.ignore(self.dense.key, why=why, changes="nothing")
        return [many if has else self.dense.one(c) for has in some]


@dataclass(frozen=True)
class Family:
    """A family: its layers, and what stands around them.

    Attributes
    ----------
    mixer : Mixer
        Attention, or what else mixes positions.
    network : Wide or Mixture
    kinds : Kinds or None
        The kinds of the layers; None: all the same, and no line says it.
    window : int or None
        The size of the window; 0: none unless the file says; None: no line says it.
    switch : str or None
        The line that turns windows on.
    states : mapping
        What reads the mixer of other kinds of layers.
    change : function or None
        Changes the mixers, once their kinds are known.
    norm, norms
        Of a layer: which, and how many, by number or by what the file says.
    around : function or None
        Lists what else is learned outside the layers.
    built_by : function or None
        Builds what no row can say.
    refused : str or None
        What it is, if it is no decoder.
    only : mapping
        What a line has to say, or a list of that; anything else is refused.
    elsewhere, nothing : mapping
        Reasons for lines that change no total, each with the names of its lines.
    """

    mixer: Mixer = Heads()
    network: Wide | Mixture = Wide()
    kinds: Kinds | None = None
    window: int | None = None
    switch: str | None = None
    states: Mapping[str, Callable[[Noted], Part]] = field(default_factory=dict)
    change: Callable[[Noted, list[str], Sequence[Any]], Sequence[Part]] | None = None
    norm: Norm = RMS
    norms: int | Callable[[Noted], int] = 2
    around: Callable[[Noted], tuple[Weight, ...]] | None = None
    tied: bool = False
    head_bias: Flag = False
    built_by: Callable[[Noted], Model] | None = None
    refused: str | None = None
    only: Mapping[str, Any] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    nothing: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, c: Noted) -> Model:
        """Build the model of a file."""
        if self.refused:
            said = f"model_type {c.get('model_type')!r} is {self.refused}"
            raise Refusal(f"{said}: not counted here.")
        self._note(c)
        if self.built_by:
            return self.built_by(c)
        norms = self.norms if isinstance(self.norms, int) else self.norms(c)
        layers = [
            block(mixer, network, norm=self.norm, norms=norms)
            for mixer, network in zip(
                self._mixers(c), self.network.each(c), strict=True
            )
        ]
        return decoder(
            c,
            layers,
            tied=self.tied,
            norm=self.norm,
            head_bias=flag(c, self.head_bias),
            around=self.around(c) if self.around else (),
        )

    def _note(self, c: Noted) -> None:
        for key, allowed in self.only.items():
            several = allowed if isinstance(allowed, list) else [allowed]
            c.only(key, *(None if one == "null" else one for one in several))
        for why, names in self.elsewhere.items():
            c.ignore(*names.split(), why=why)
        for why, names in self.nothing.items():
            c.ignore(*names.split(), why=why, changes="nothing")

    def _mixers(self, c: Noted) -> Sequence[Part]:
        found = self._kinds(c)
        mixers: Sequence[Part] = self.mixer.each(c, found, self._windows(c, found))
        if self.change:
            mixers = self.change(c, found, mixers)
        states = {kind: read(c) for kind, read in self.states.items()}
        return [states.get(kind, one) for kind, one in zip(found, mixers, strict=True)]

    def _kinds(self, c: Noted) -> list[str]:
        some = () if self.window is None else (SWA,)
        if self.kinds:
            return kinds(c, self.kinds, FULL, *some, *self.states)
        seen = some and c.some("sliding_window", self.window)
        return [SWA if seen else FULL] * len(stack(c))

    def _windows(self, c: Noted, found: list[str]) -> list[Window | None]:
        if self.window is None:
            return [None] * len(found)
        return windows(c, found, self.window, self.switch)


# The rows of ``families.toml``, read.

FAMILIES: dict[str, tuple[Family, dict[str, int]]] = {}  # with sizes of a text_config

NORMS = {"LayerNorm": LAYER, "LayerNorm, no bias": LAYER_NO_BIAS, "plain": PLAIN}
FLAGS = ("bias", "out_bias", "normed", "shared_bias", "head_bias")
SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    "vocab_size",
)
WAYS_OF = ("read", "some", "kinds", "change", "around", "states", "built_by")


def line(said: str, default: Any = None) -> Says:
    """Read the name of a line, and what holds without it: ``num_experts = 8``."""
    key, _, given = said.partition(" = ")
    if given:
        default = (
            json.loads(given) if given[0] in "0123456789tf" else line(given, False)
        )
    return Says(key, default)


def way(said: Any) -> Any:
    """Find the function that a row names, alone or with what to call it with first."""
    if isinstance(said, dict):
        return {key: way(one) for key, one in said.items()}
    return WAYS[said] if isinstance(said, str) else WAYS[said[0]](*said[1:])


def turn(said: Any) -> Any:
    """Read a rotation, or one for each kind of layer; false: nothing turns."""
    if not said:
        return None
    if FULL in said:
        return {kind: Turn(**one) for kind, one in said.items()}
    return Turn(**said)


def entries(row: Mapping[str, Any]) -> dict[str, Any]:
    """Read what a row, or a part of one, says."""
    return {key: _entry(key, said) for key, said in row.items()}


def _entry(key: str, said: Any) -> Any:
    if key in FLAGS and isinstance(said, str):
        return line(said, False)
    if key in WAYS_OF or (key == "norms" and isinstance(said, str)):
        return way(said)
    return MADE[key](said) if key in MADE else said


MADE: dict[str, Callable[[Any], Any]] = {
    "turn": turn,
    "norm": NORMS.__getitem__,
    "shared": line,
    "shared_width": line,
    "expert": lambda said: Wide(**entries(said)),
    "dense": lambda said: Wide(**entries(said)),
    "heads": lambda said: Heads(**entries(said)),
    "network": lambda said: Wide(**entries(said)),
    "experts": lambda said: Mixture(**entries(said)),
    "latent": lambda said: WAYS["Mla"](**entries(said)),
}


def family_of(row: Mapping[str, Any]) -> Family:
    """Read a row."""
    own = entries({key: said for key, said in row.items() if key != "sizes"})
    mixer = own.pop("latent", None) or own.pop("heads", Heads())
    network = own.pop("experts", None) or own.pop("network", Wide())
    return Family(mixer, network, **own)


def enter_table() -> None:
    """Enter the families of ``families.toml``; ``like``: as another, but for this."""
    text = Path(__file__).with_name("families.toml").read_text("utf-8")
    table: dict[str, dict[str, Any]] = tomllib.loads(text)
    for names, row in table.items():
        if "like" in row:
            like = table[row.pop("like")]
            heads = {**like.get("heads", {}), **row.get("heads", {})}
            row = table[names] = {**like, **row, "heads": heads}
        sizes = dict(zip(SIZES, row.get("sizes", ()), strict=False))
        for name in names.split():
            FAMILIES[name] = family_of(row), sizes
