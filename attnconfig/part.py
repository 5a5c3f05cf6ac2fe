"""Parts of a layer: their common interface, and the norms."""

from dataclasses import dataclass
from typing import ClassVar

from attnconfig.weights import Kept, Weight, Work


@dataclass(frozen=True)
class Part:
    """What a layer is made of; ``title``: in the field's own words."""

    title: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """Its title, and what of its fields the field speaks of."""
        return self.title

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
class Extra(Part):
    """Weights that one family alone has, as that family calls them."""

    called: str
    arrays: tuple[Weight, ...]

    @property
    def name(self) -> str:
        """What the family calls them."""
        return self.called

    def weights(self, d: int) -> list[Weight]:
        """List them."""
        return list(self.arrays)
