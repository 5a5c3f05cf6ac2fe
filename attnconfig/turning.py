"""Rotation of queries and keys: the file's word before the family's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from attnconfig.facts import NOTHING, Rotary
from attnconfig.noted import Noted, number

FULL, SWA = "full_attention", "sliding_attention"
UNSTRETCHED = (None, "default", "mrope")
LENGTH = "original_max_position_embeddings"
# Of a rotation, and no stretch of it.
APART = ("rope_theta", "partial_rotary_factor", "mrope_section")


@dataclass(frozen=True)
class Turn:
    """The rotation of a family whose file says nothing of it."""

    base: float = 10_000.0
    share: float = 1.0  # which share of a head's columns turns
    columns: str | None = None  # the line that says how many columns turn
    neighbors: bool = False  # whether pairs are columns 2i and 2i + 1
    # what stretches the positions
    scaling: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    key: str | None = "rope_theta"  # the line of the base; None: no line sets it
    # lines that name no kind of layer turn the layers without a window only
    apart: bool = False
    beside: bool = False  # the base is read only beside what stretches the positions
    scaled: bool = True  # whether ``rope_scaling`` is read

    def read(self, c: Noted, d_k: int, kind: str = FULL) -> Rotary:
        """Read the rotation of the layers of one kind."""
        base = c.get(self.key) if self.key else None
        if self.beside and not parameters(c):
            base = None
        own, share = stated(c, kind) if self.scaled else {}, c.get(APART[1])
        if self.apart and kind == SWA and kind not in parameters(c):
            own, base = {}, c.get("rope_local_base_freq")
        said = c.some(self.columns) if self.columns else None
        default = said / d_k if said else self.share
        share = _first(own.get(APART[1]), share, default)
        columns = d_k if share == 1 else int(number(APART[1], share) * d_k)
        base = _first(own.get("rope_theta"), base, self.base)
        theta = float(number("rope_theta", base))
        scaling, sections = self._scaling(c, own), own.get("mrope_section")
        sections = tuple(sections) if isinstance(sections, list) else None
        pairs: Literal["halves", "neighbors"]
        pairs = "neighbors" if self.neighbors else "halves"
        return Rotary(theta, columns, pairs, scaling, sections)

    def _scaling(self, c: Noted, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what stretches the rotation, with the length of training."""
        scaling = {k: v for k, v in (own or self.scaling).items() if k not in APART}
        length = c.get(LENGTH)
        if (scaling.get("rope_type") or scaling.get("type")) in UNSTRETCHED:
            return NOTHING
        return {LENGTH: length, **scaling} if length else scaling


def still(c: Noted) -> None:
    """Accept the lines of a rotation where nothing turns."""
    lines = (*APART, "rope_scaling", "rope_parameters", LENGTH)
    c.ignore(*lines, why="Its layers do not turn.", changes="nothing")


def parameters(c: Noted) -> dict[str, Any]:
    """Return what the file says of the rotation, under either of its names."""
    said = c.get("rope_parameters") or c.get("rope_scaling")
    c.get("rope_scaling")
    return said if isinstance(said, dict) else {}


def stated(c: Noted, kind: str) -> dict[str, Any]:
    """Return what it says of the layers of one kind."""
    said = parameters(c)
    own = said.get(kind, said)
    return own if isinstance(own, dict) else {}


def _first(*values: Any) -> Any:
    """Return the first that is said at all: 0 is said, and refused."""
    return next(value for value in values if value is not None)
