"""A family: a row of the table, which builds the model of a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attnconfig.building import Some, kinds, stack, windows
from attnconfig.heads import Flag, Heads, flag
from attnconfig.model import Layer, Model
from attnconfig.networks import Mixture, Wide
from attnconfig.noted import PARAMETERS, Noted, Refusal
from attnconfig.part import RMS, Norm, Part
from attnconfig.turning import FULL, SWA
from attnconfig.weights import Weight

HEADS, WIDE = Heads(), Wide()


@dataclass(frozen=True)
class Family:
    """A family: its layers, and what stands around them."""

    mixer: Any = HEADS  # or Mla of families/latent.py, or None
    network: Wide | Mixture | None = WIDE
    # which layers are of a kind; the rest have a window, or the first of the states;
    # None: all are the same, and no line says it
    kinds: Mapping[str, Some] | None = None
    # the size of the window; 0: none unless the file says; None: no line says it
    window: int | None = None
    switch: str | None = None  # the line that turns windows on
    # what reads the mixer of other kinds of layers
    states: Mapping[str, Callable[[Noted], Part]] = field(default_factory=dict)
    # changes the mixers, once their kinds are known
    change: Callable[[Noted, list[str], Sequence[Any]], Sequence[Part]] | None = None
    # of a layer: which, and how many; or a line, and how many if it is on, and off
    norm: Norm = RMS
    norms: Any = 2
    # of each layer, what stands between its mixer and its network, and behind them
    beside: Callable[[Noted], Part] | None = None
    behind: Callable[[Noted, Part | None], Part | None] | None = None
    # lists what else is learned outside the layers
    around: Callable[[Noted], tuple[Weight, ...]] | None = None
    tied: bool = False
    head_bias: Flag = False
    narrow: int | None = None  # how wide the embedding is, if not as the layers
    final: bool = True  # whether a norm stands behind the layers
    # reads fields that depend on the file
    own: Callable[[Noted], Mapping[str, Any]] | None = None
    layers: Callable[[Noted], Iterable[Layer]] | None = None  # what no row can say
    refused: str | None = None  # what it is, if it is no decoder
    # what a line has to say, or a list of that; anything else is refused
    only: Mapping[str, Any] = field(default_factory=dict)
    # reasons for lines that change no total, each with the names of its lines
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    nothing: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, c: Noted) -> Model:
        """Build the model of a file."""
        if self.refused:
            said = f"model_type {c.get('model_type')!r} is {self.refused}"
            raise Refusal(f"{said}: not counted here.")
        self._note(c)
        return replace(self, **self.own(c))._built(c) if self.own else self._built(c)

    def _built(self, c: Noted) -> Model:
        return Model(
            None,
            tuple(self.layers(c) if self.layers else self._layers(c)),
            c.size("hidden_size"),
            c.size("vocab_size", None, *PARAMETERS),
            c.flag("tie_word_embeddings", self.tied),
            self.norm if self.final else None,
            self.narrow,
            flag(c, self.head_bias),
            self.around(c) if self.around else (),
        )

    def _layers(self, c: Noted) -> list[Layer]:
        norms = self.norms
        if not isinstance(norms, int):
            key, on, off = norms
            norms = on if flag(c, key) else off
        beside, behind = self.beside and self.beside(c), self.behind
        mixers = self._mixers(c)
        networks = self.network.each(c) if self.network else [None] * len(mixers)
        return [
            Layer(*[self.norm] * norms, one, beside, then, behind and behind(c, then))
            for one, then in zip(mixers, networks, strict=True)
        ]

    def _note(self, c: Noted) -> None:
        for key, allowed in self.only.items():
            several = allowed if isinstance(allowed, list) else [allowed]
            c.only(key, *(None if one == "null" else one for one in several))
        for why, names in self.elsewhere.items():
            c.ignore(*names.split(), why=why)
        for why, names in self.nothing.items():
            c.ignore(*names.split(), why=why, changes="nothing")

    def _mixers(self, c: Noted) -> Sequence[Part | None]:
        found = self._kinds(c)
        mixers: Sequence[Any] = [None] * len(found)
        if self.mixer:
            mixers = self.mixer.each(c, found, self._windows(c, found))
        if self.change:
            mixers = self.change(c, found, mixers)
        states = {kind: read(c) for kind, read in self.states.items()}
        return [states.get(kind, one) for kind, one in zip(found, mixers, strict=True)]

    def _kinds(self, c: Noted) -> list[str]:
        some = () if self.window is None else (SWA,)
        if self.kinds:
            rest = next(iter(self.states), SWA)
            return kinds(c, self.kinds, rest, FULL, *some, *self.kinds, *self.states)
        seen = some and c.some("sliding_window", self.window)
        return [SWA if seen else FULL] * len(stack(c))

    def _windows(self, c: Noted, found: list[str]) -> list[int | None]:
        if self.window is None:
            return [None] * len(found)
        return windows(c, found, self.window, self.switch)
