"""One run on file: its numbers, what was meant, and what rounding may have done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attncheck.formats import FORMATS, Format, find_format, round_to
from attncheck.layouts import CANONICAL
from attncheck.libraries import to_numpy
from attncheck.mistakes import Sizes
from attncheck.model import Attended, Model, attend

CHUNK = 2**22  # scores at a time
EXPLAINED = 0.1  # a mistake explains an output to this share of it, or not at all


@dataclass(frozen=True)
class Run:
    """Query, key, value and output as float64, (batch, n_heads, n, d)."""

    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    output: np.ndarray
    format: Format

    @property
    def sizes(self) -> Sizes:
        """The sizes that mistakes depend on."""
        h, n, d = self.query.shape[1:]
        return Sizes(h, self.key.shape[1], n, self.key.shape[2], d, self.value.shape[3])

    def take(self, batch: int) -> Run:
        """Return one sentence of the batch."""
        return self._each(lambda x: x[batch : batch + 1])

    def part(self, heads: int, columns: int | None = None) -> Run:
        """Return the first heads; each way of sharing gives them the first key head."""
        value, output = self.value[..., :columns], self.output[..., :columns]
        narrow = replace(self, value=value, output=output)
        return narrow._each(lambda x: x[:, :heads])

    def _each(self, change: Callable[[np.ndarray], np.ndarray]) -> Run:
        arrays = (self.query, self.key, self.value, self.output)
        query, key, value, output = map(change, arrays)
        return Run(query, key, value, output, self.format)

    def compute(self, model: Model, rows: np.ndarray | None = None) -> Attended:
        """Compute what a model gives for some of the queries."""
        return attend(self.query, self.key, self.value, model, rows)

    def error(
        self,
        model: Model,
        rows: np.ndarray | None = None,
        fmt: Format | None = None,
        most: float = np.inf,
    ) -> float:
        """Return the largest error as a share of what rounding may do; 1 or less fits.

        NaN where only one of the two is NaN counts as infinitely wrong. `most` bounds
        the tolerance: with scores of thousands, rounding could explain anything.
        """
        found = self.compute(model, rows)
        output = self.output if rows is None else self.output[..., rows, :]
        if found.output.shape != output.shape:
            return np.inf
        share = shares(output, found, fmt or self.format, most)
        return float(share.max(initial=0.0))

    def chunks(self) -> list[np.ndarray]:
        """Split the queries so that scores take little memory."""
        per_row = self.query.shape[0] * self.query.shape[1] * self.key.shape[2]
        n = self.query.shape[2]
        n_chunks = max(1, -(-n * per_row // CHUNK))
        return [rows for rows in np.array_split(np.arange(n), n_chunks) if rows.size]

    def error_everywhere(
        self,
        model: Model,
        fmt: Format | None = None,
        stop: bool = True,
        most: float = np.inf,
    ) -> float:
        """Return the largest error over all queries, a few at a time.

        With `stop`, the first error that rounding does not explain is enough.
        """
        if model.over_queries:
            return self.error(model, None, fmt, most)
        worst = 0.0
        for rows in self.chunks():
            worst = max(worst, self.error(model, rows, fmt, most))
            if stop and worst > 1:
                break
        return worst


def shares(
    output: np.ndarray, found: Attended, fmt: Format, most: float = np.inf
) -> np.ndarray:
    """Return |output − expected| as a share of what rounding may do."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(output - found.output)
        share = off / tolerance(found, fmt, most)
    same = np.isnan(output) & np.isnan(found.output)
    same |= np.isinf(output) & (output == found.output)
    return np.where(same, 0.0, np.where(np.isfinite(share), share, np.inf))


def tolerance(found: Attended, fmt: Format, most: float = np.inf) -> np.ndarray:
    """Bound what rounding alone may do to an output.

    A score whose terms have the size s may be wrong by eps · s, and so its weight by
    that share; a weight is rounded once or twice, and so is the output. Sums over m
    keys are kept in float32 at least.
    """
    m = found.weights.shape[-1]
    sums = min(fmt.eps, FORMATS["float32"].eps) * m**0.5
    spread = np.abs(found.weights) @ np.abs(found.value)
    largest = np.abs(found.value).max(initial=0)
    share = np.minimum(fmt.eps * (4 + 2 * found.size) + sums, most)
    least = 1e-2 * fmt.eps * largest + fmt.smallest * fmt.eps + 1e-300
    return np.asarray(share * spread + least)


def prepare(arrays: dict[str, Any], layout: str | None) -> list[np.ndarray]:
    """Bring arrays of any library to (b, h, n, d) in float64.

    Raises
    ------
    ValueError
        If an array has another number of axes, or shapes do not go together.
    """
    q, k, v, o = found = [to_numpy(x) for x in arrays.values()]
    names = layout or {2: "nd", 3: "hnd", 4: "bhnd"}.get(q.ndim, "")
    if {x.ndim for x in found} != {len(names)} or not names:
        shapes = ", ".join(
            f"{name} {x.shape}" for name, x in zip(arrays, found, strict=True)
        )
        raise ValueError(
            "read_run: all arrays must have two, three or four axes, as 'nd', 'hnd' or "
            f"'bhnd', or as layout says; got {shapes}"
        )
    q, k, v, o = (_canonical(x, names) for x in found)
    fits = k.shape[:3] == v.shape[:3] and q.shape[0] == k.shape[0]
    fits = fits and q.shape[3] == k.shape[3] and q.shape[1] % k.shape[1] == 0
    if not fits or o.shape != (*q.shape[:3], v.shape[3]):
        shapes = ", ".join(
            f"{name} {x.shape}" for name, x in zip(arrays, found, strict=True)
        )
        raise ValueError(
            "read_run: query (b, h, n, d), key (b, g, m, d), value (b, g, m, d_v) and "
            f"output (b, h, n, d_v) must go together, h a multiple of g; got {shapes}"
        )
    return [q, k, v, o]


def _canonical(x: np.ndarray, layout: str) -> np.ndarray:
    kept = [letter for letter in CANONICAL if letter in layout]
    x = x.transpose([layout.index(letter) for letter in kept])
    for axis, letter in enumerate(CANONICAL):
        if letter not in layout:
            x = np.expand_dims(x, axis)
    return x


def guess_format(given: Any, inputs: list[np.ndarray], output: np.ndarray) -> Format:
    """Find the format that the numbers were rounded to, whatever they are stored in."""
    if given is not None:
        return find_format(given, "read_run")
    of_output = _narrowest(output)
    of_inputs = _narrowest(np.concatenate([x.ravel() for x in inputs]))
    return min(of_output, of_inputs, key=lambda fmt: fmt.bits)


def _narrowest(x: np.ndarray) -> Format:
    """Return the narrowest format that holds all of these numbers."""
    x = x.ravel()[:: max(1, x.size // 20_000)]
    x = x[np.isfinite(x)]
    if len(np.unique(np.abs(x))) < 16:  # zeros and ones tell nothing
        return FORMATS["float64"]
    for name in ("bfloat16", "float16", "float32"):
        if np.array_equal(round_to(x, name), x):
            return FORMATS[name]
    return FORMATS["float64"]
