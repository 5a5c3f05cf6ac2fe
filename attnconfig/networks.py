"""Feed-forward networks, and experts."""

from dataclasses import dataclass

from attnconfig.noted import Refusal
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
