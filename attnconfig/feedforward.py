"""Networks and experts as a row of the table says them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attnconfig.heads import Flag, Says, flag
from attnconfig.networks import Experts, Network
from attnconfig.noted import PARAMETERS, Noted
from attnconfig.part import Part
from attnconfig.weights import Weight
from attnconfig.which import EVERY_LAYER, Some, stack


@dataclass(frozen=True)
class Wide:
    """A network of two matrices, or of three, as wide as the line ``key`` says."""

    gated: bool = True
    bias: Flag = False
    key: str = "intermediate_size"
    default: int | None = None
    # without that line, it is so many times as wide as the model
    times: int | None = None
    learned: int = 0
    listed: bool = False  # whether that line may list the width of each layer
    # makes another network of it
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
        n = len(stack(c))
        several = self.listed and isinstance(c.get(self.key), list)
        widths = c.each(self.key, n) if several else None
        if widths:
            bias = flag(c, self.bias)
            return [Network(ff, bias, self.gated, self.learned) for ff in widths]
        return [self.one(c)] * n


@dataclass(frozen=True)
class Mixture:
    """Experts of a family: a router over networks, in some layers."""

    # how many there are, and how many a token goes through
    n: int | None = None
    used: int | None = None
    expert: Wide = Wide(key="moe_intermediate_size")
    # says which layers have experts; the others have the network ``dense``
    some: Some = EVERY_LAYER
    dense: Wide = Wide()
    shared: Says | None = None  # so many experts that every token uses, as one network
    shared_width: Says | None = None  # or a network so wide
    shared_bias: Flag = False  # of that network
    # as in `Experts`
    shared_gate: bool = False
    router_bias: bool = False
    # whether the router learns a correction of each expert's score
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
