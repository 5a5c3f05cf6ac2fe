"""The runs of a file, by layer: what went into attention there, and what came out."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.claim import Run
from attncheck.exchange import NEEDED, guess_formats, load, prepare
from attncheck.subject import to_numpy

NAMES = (*NEEDED, "sinks", "query_before", "key_before")
RULE = "names must be LAYER.CALL.WHAT, as 0.0.query, and WHAT one of"


@dataclass(frozen=True)
class Recorded:
    """One call of one layer."""

    call: int
    run: Run
    sinks: np.ndarray | None  # (n_heads,)
    before: dict[str, np.ndarray]  # (b, h, n, columns), by role: what was rotated

    @property
    def cached(self) -> int:
        """How many more keys there are than queries."""
        return self.run.sizes.m - self.run.sizes.n


def recorded(
    runs: Mapping[str, Any] | str | os.PathLike[str],
) -> dict[int, list[Recorded]]:
    """Return the calls of each layer, in their order."""
    arrays = runs if isinstance(runs, Mapping) else load(Path(runs))
    calls: dict[tuple[int, int], dict[str, Any]] = {}
    for name, x in arrays.items():
        layer, _, rest = name.partition(".")
        call, _, what = rest.partition(".")
        if not (layer.isdigit() and call.isdigit() and what in NAMES):
            raise ValueError(f"layers: {RULE} {', '.join(NAMES)}; got {name!r}")
        calls.setdefault((int(layer), int(call)), {})[what] = x
    found: dict[int, list[Recorded]] = {}
    for (i, number), given in sorted(calls.items()):
        found.setdefault(i, []).append(_record(i, number, given))
    return found


def _record(layer: int, call: int, given: dict[str, Any]) -> Recorded:
    if missing := [name for name in NEEDED if name not in given]:
        names = ", ".join(f"{layer}.{call}.{name}" for name in missing)
        raise ValueError(f"layers: the runs must hold {names} too")
    q, k, v, out = prepare({name: given[name] for name in NEEDED}, None)
    *_, fmt = guess_formats(given["output"], q, k, v, out)
    run, sinks = Run(q, k, v, out, fmt), given.get("sinks")
    before = {
        role: _rows_third(to_numpy(given[f"{role}_before"]), q.shape[2])
        for role in ("query", "key")
        if f"{role}_before" in given
    }
    return Recorded(call, run, None if sinks is None else to_numpy(sinks), before)


def _rows_third(x: np.ndarray, n: int) -> np.ndarray:
    """Bring what is rotated to (b, h, n, columns): some programs have n before h."""
    x = np.asarray(x, float).reshape((1,) * (4 - x.ndim) + x.shape)
    return x.swapaxes(1, 2) if x.shape[2] != n and x.shape[1] == n else x
