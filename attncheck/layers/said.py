"""What a layer's attention is said to compute, as a claim that runs can refute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attncheck.claim import Claim
from attncheck.model import Bounds, Model, Rule
from attnlib import alibi_bias

if TYPE_CHECKING:
    from attnconfig import Facts

# Who sees whom: the corner that places are counted from, and keys after one's own.
SIDES: dict[str, tuple[str, int | None]] = {
    "end": ("end", 0),
    "start": ("start", 0),
    "none": ("end", None),
    "strict": ("end", -1),
    "one-too-many": ("end", 1),
}
SINKS = ("none", "measured")


@dataclass(frozen=True)
class Said:
    """The fields of a configuration that show in queries, keys, values and outputs."""

    scale: float
    alignment: str = "end"
    window: Bounds | None = None
    chunk: int | None = None
    softcap: float | None = None
    sinks: str = "none"  # or "as given", or "measured", and so others
    position: str | None = None  # "alibi", which shows in scores
    kv_heads: str = "neighbors share"  # or "every so many share"

    def claim(self, sinks: np.ndarray | None, n_heads: int) -> Claim:
        """Return what it claims of runs whose heads have these sinks."""
        corner, right = SIDES[self.alignment]
        left = self.window[0] if self.window else None
        model = Model(
            scale=self.scale,
            softcap=self.softcap,
            window=(left, right),
            corner=corner,
            grouping="repeat" if self.kv_heads == "neighbors share" else "tile",
            picture=Rule("chunks", self.chunk) if self.chunk else None,
        )
        if self.sinks != "none" and sinks is not None:
            model = model.change(normalized="sink", sink=sinks)
        if self.position == "alibi":
            slopes = -np.asarray(alibi_bias(n_heads, 2))[:, 1, 0]
            model = model.change(slopes=slopes)
        return Claim(model)

    def differs(self, shown: Said) -> Iterator[tuple[str, Any, Any]]:
        """Yield each field that is shown otherwise: its name, said, shown."""
        found = asdict(shown)
        for name, said in asdict(self).items():
            if said != found[name]:
                yield name, said, found[name]


def said_of(facts: Facts) -> Said:
    """Return what the facts of a layer say."""
    return Said(
        scale=facts.scale,
        alignment=facts.alignment,
        window=facts.window,
        chunk=facts.chunk,
        softcap=facts.softcap,
        sinks="as given" if facts.sinks else "none",
        position="alibi" if facts.position == "alibi" else None,
    )


def others(said: Said, d_k: int, n_keys: int, elsewhere: list[Said]) -> Iterator[Said]:
    """Yield what else a layer may do, the likeliest first.

    What the file says of other layers, one field off, a window of any width, and two
    of these.
    """
    apart = ("window", "chunk", "softcap", "scale", "sinks", "position")
    changes: list[dict[str, Any]]
    changes = [{name: getattr(one, name) for name in apart} for one in elsewhere]
    changes += [{"sinks": "none"}, {"sinks": "measured"}, {"softcap": None}]
    changes += [{"window": None, "chunk": None}, {"position": None}]
    changes += [{"scale": x} for x in (d_k**-0.5, 1.0, 1 / d_k)]
    changes += [{"alignment": side} for side in SIDES]
    changes += [{"kv_heads": "every so many share"}]
    windows: list[dict[str, Any]]
    windows = [{"window": (left, 0), "chunk": None} for left in range(n_keys)]
    first = [replace(said, **change) for change in changes]
    second = [replace(one, **change) for one in first for change in changes]
    second += [replace(said, **x, sinks=y) for y in SINKS for x in windows]
    wide = [replace(said, **change) for change in windows]
    yield from (one for one in dict.fromkeys([*first, *wide, *second]) if one != said)
