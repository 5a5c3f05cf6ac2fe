"""Feed-forward networks and experts, and what a row of the table says of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attnconfig.building import EVERY_LAYER, Some, stack
from attnconfig.heads import Flag, Says, flag
from attnconfig.noted import PARAMETERS, Noted, Refusal
from attnconfig.part import Part
from attnconfig.weights import Weight, matrix


@dataclass(frozen=True)
class Network(Part):
    """A feed-forward network: two matrices, or three where one is a gate."""

    ff: int  # how wide it is inside
    bias: bool = False
    gated: bool = False  # SwiGLU or GeGLU, as the function inside says
    learned: int = 0  # numbers that the function inside learns

    @property
    def name(self) -> str:
        """In the field's own words."""
        return "gated network (SwiGLU)" if self.gated else "network"

    def weights(self, d: int) -> list[Weight]:
        """List its matrices."""
        return self.named(d, "network")

    def named(
        self, d: int, label: str, *, copies: int = 1, used: int = 1
    ) -> list[Weight]:
        """List the matrices of so many such networks."""
        found = []
        for name in (("gate",) if self.gated else ()) + ("up",):
            title = f"{label}: {name}"
            found += matrix(title, d, self.ff, self.bias, copies=copies, used=used)
        title = f"{label}: down"
        found += matrix(title, self.ff, d, self.bias, copies=copies, used=used)
        more = Weight("activation", (self.learned,))
        return [*found, more] if self.learned else found


@dataclass(frozen=True)
class Experts(Part):
    """A router, the networks that it chooses from, and those that every token uses."""

    n: int
    used: int
    each: Network
    shared: Network | None = None
    shared_gate: bool = False  # whether the shared network's output is gated
    router_bias: bool = False
    # the experts work on rows of this width, in place of the model's
    latent: int | None = None
    more: tuple[Weight, ...] = ()  # what the family's router learns beside

    def __post_init__(self) -> None:
        if not 1 <= self.used <= self.n:
            said = f"a token cannot go through {self.used} of {self.n} experts"
            raise Refusal(f"num_experts_per_tok: {said}.")

    @property
    def name(self) -> str:
        """In the field's own words."""
        return f"MoE {self.used} of {self.n}" + (" + shared" if self.shared else "")

    def weights(self, d: int) -> list[Weight]:
        """List router, experts and the shared network."""
        found = [*matrix("router", d, self.n, self.router_bias), *self.more]
        if self.latent:
            found += matrix("into the experts", d, self.latent)
            found += matrix("out of the experts", self.latent, d)
        width = self.latent or d
        found += self.each.named(width, "experts", copies=self.n, used=self.used)
        if self.shared:
            found += self.shared.named(d, "shared expert")
        gate = matrix("gate of the shared expert", d, 1)
        return found + (gate if self.shared and self.shared_gate else [])


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
