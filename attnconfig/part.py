"""Parts of a layer: their common interface, norms, and states of fixed size."""

from dataclasses import dataclass

from attnconfig.weights import Kept, Weight, Work


class Part:
    """What a layer is made of."""

    @property
    def name(self) -> str:
        """In the field's own words."""
        raise NotImplementedError

    def weights(self, d: int) -> list[Weight]:
        """List what is learned, in a model of width d."""
        return []

    def kept(self) -> list[Kept]:
        """List what is kept of the tokens before."""
        return []

    def work(self) -> list[Work]:
        """List the multiplications of one query, beside those with its matrices."""
        return []


@dataclass(frozen=True)
class Norm(Part):
    """RMSNorm or LayerNorm, with what it learns."""

    kind: str = "RMSNorm"
    gain: bool = True
    bias: bool = False

    @property
    def name(self) -> str:
        """In the field's own words."""
        return self.kind

    def weights(self, d: int) -> list[Weight]:
        """List its gain and bias, if it has them."""
        learned = (("gain", self.gain), ("bias", self.bias))
        return [Weight(f"{x} of norm", (d,)) for x, has in learned if has]


RMS, LAYER = Norm(), Norm("LayerNorm", bias=True)
LAYER_NO_BIAS, PLAIN = Norm("LayerNorm"), Norm("norm", gain=False)


@dataclass(frozen=True)
class Listed(Part):
    """A part as its arrays, which the family that has it lists."""

    called: str
    learned: tuple[Weight, ...]
    remembered: tuple[Kept, ...] = ()
    multiplied: tuple[Work, ...] = ()

    @property
    def name(self) -> str:
        """In the field's own words."""
        return self.called

    def weights(self, d: int) -> list[Weight]:
        """List what is learned."""
        return list(self.learned)

    def kept(self) -> list[Kept]:
        """List what is kept."""
        return list(self.remembered)

    def work(self) -> list[Work]:
        """List the multiplications."""
        return list(self.multiplied)


FLOAT32 = "float32"  # what transformers 5.23 keeps states in, whatever the weights are


class State(Listed):
    """A state that is decayed, written to and read."""


def state(
    name: str,
    learned: tuple[Weight, ...],
    shape: tuple[int, ...],
    mixed: int = 0,
    kernel: int = 0,
    dtype: str | None = FLOAT32,
) -> State:
    """Make a layer's state, beside a convolution over so many columns, if there is one.

    Each number of the state costs three multiplications a token.
    """
    kept = Kept("state", shape, dtype=dtype)
    convolved = (Kept("short convolution", (mixed, kernel)),) * bool(mixed)
    return State(name, learned, (kept, *convolved), (Work("state", 3 * kept.row),))


def convolution(columns: int, kernel: int, bias: bool) -> list[Weight]:
    """List the weights of a convolution over the last tokens, one for each column."""
    found = [Weight("short convolution", (columns, kernel))]
    more = Weight("b of short convolution", (columns,))
    return [*found, more] if bias else found
