"""The rotation that a layer is said to make, beside the one that its run shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from attncheck.guess.numbers import number, rounder, short
from attncheck.layers.recorded import Recorded
from attnlib import rotary_frequencies

if TYPE_CHECKING:
    from attnconfig import Rotary

UNTURNED = 1e-7  # of what is turned: what may be left, beside rounding
PAIRS = ("halves", "neighbors", "neighbors, put into halves")
OF_FREQUENCIES = ("rope_theta", "partial_rotary_factor")


class Reading(NamedTuple):
    """What rows were multiplied by, as complex numbers (n, pairs); its tolerance."""

    by: np.ndarray
    within: np.ndarray


@dataclass(frozen=True)
class Turn:
    """A rotation: how fast each pair turns, what all is multiplied by, which pairs."""

    frequencies: np.ndarray
    factor: float
    pairs: str

    def at(self, places: np.ndarray) -> np.ndarray:
        """Return what rows at these places are multiplied by."""
        return np.asarray(self.factor * np.exp(1j * places[:, None] * self.frequencies))


def turn_of(rotary: Rotary, n_positions: int, plain: bool = False) -> Turn:
    """Return the rotation that the file says; with `plain`, without its stretch."""
    said = {k: v for k, v in rotary.scaling.items() if k not in OF_FREQUENCIES}
    frequencies, factor = rotary_frequencies(
        rotary.columns,
        base=rotary.base,
        scaling=None if plain or not said else said,
        n_positions=n_positions,
    )
    return Turn(frequencies, factor, rotary.pairs)


def after(record: Recorded, role: str, last: bool) -> np.ndarray:
    """Return the rows that came of a rotation, in the columns that it was given."""
    before = record.before[role]
    n, columns = before.shape[2:]
    x = record.run.query if role == "query" else record.run.key[:, :, -n:]
    return x[..., -columns:] if last else x[..., :columns]


def read_turn(
    before: np.ndarray, after: np.ndarray, pairs: str, columns: int, eps: float
) -> Reading | None:
    """Read off what each pair of each row was multiplied by; None if it was not."""
    x, y = _complex(before, pairs, columns), _complex(after, pairs, columns, True)
    x, axes = np.broadcast_to(x, y.shape), (0, 1)
    energy = (np.abs(x) ** 2).sum(axes) + 1e-300
    by = (y * x.conj()).sum(axes) / energy
    left = np.sqrt((np.abs(y - by * x) ** 2).sum(axes) / energy)
    rest = np.abs(after[..., columns:] - before[..., columns:]).max(initial=0)
    if left.max() > 8 * eps + UNTURNED or rest > 8 * eps * np.abs(before).max():
        return None
    return Reading(by, 4 * eps + np.abs(by) * 4 * 2.0**-23)


def _complex(x: np.ndarray, pairs: str, columns: int, out: bool = False) -> np.ndarray:
    x = x[..., :columns]
    if pairs == "neighbors" or (pairs != "halves" and not out):
        return np.asarray(x[..., 0::2] + 1j * x[..., 1::2])
    half = columns // 2
    return np.asarray(x[..., :half] + 1j * x[..., half:])


def agrees(reading: Reading, turn: Turn, places: np.ndarray) -> np.ndarray:
    """Say of each row whether a rotation explains it.

    Angles were computed in float32: they are off by the more, the larger they are.
    """
    angles = np.abs(places[:, None] * turn.frequencies)
    within = reading.within + 4 * 2.0**-23 * angles * np.abs(turn.factor)
    return np.asarray((np.abs(reading.by - turn.at(places)) <= within).all(-1))


if TYPE_CHECKING:
    from attnconfig import Facts, Rotary

BASES = np.geomspace(10, 1e9, 801)
FAR = 4096  # how far from its place a row is looked for


class Difference(NamedTuple):
    """A field of the rotation, and the first row that shows it."""

    field: str
    said: Any
    shown: Any
    row: int


def compare(
    record: Recorded, role: str, facts: Facts, start: int, elsewhere: list[Rotary]
) -> Difference | None:
    """Return the field in which a rotation differs from what the file says of it."""
    before, eps = record.before[role], record.run.format.eps
    came = after(record, role, facts.latent is not None)
    rows, close = np.arange(before.shape[2]), 8 * eps * np.abs(before).max()
    if facts.rotary is None:
        same = np.abs(came - before).max() <= close
        return None if same else Difference("rotary", None, "rows that turn", 1)
    said, unmoved = facts.rotary, np.abs(came - before).max() <= close
    turn = turn_of(said, start + len(rows))
    readings = {
        pairs: reading
        for pairs in sorted(PAIRS, key=lambda p: not p.startswith(turn.pairs))
        if (reading := read_turn(before, came, pairs, said.columns, eps))
    }
    if unmoved or not readings:
        shown = None if unmoved else "another change of its rows"
        return Difference("rotary", str(said), shown, 1)
    for pairs, reading in readings.items():
        if agrees(reading, turn, start + rows).all():
            right = pairs.startswith(turn.pairs)
            return None if right else Difference("rotary.pairs", turn.pairs, pairs, 1)
    reading = min(readings.values(), key=lambda x: float(np.ptp(np.abs(x.by))))
    first = int(np.argmin(agrees(reading, turn, start + rows)))
    return _which(reading, turn, said, start + rows, elsewhere, first)


def _which(
    reading: Reading,
    turn: Turn,
    said: Rotary,
    places: np.ndarray,
    elsewhere: list[Rotary],
    first: int,
) -> Difference:
    """Say which one field makes up for what differs."""
    start, rows = int(places[0]), places - places[0]
    for where in _starts(start):
        if agrees(reading, turn, where + rows).all():
            return Difference("first position", start, where, first)
    if agrees(reading, turn, -places).all():
        return Difference("rotary", "forwards", "backwards", first)
    factor = float(np.median(np.abs(reading.by)))
    if agrees(reading, replace(turn, factor=factor), places).all():
        return Difference("rotary factor", turn.factor, short(factor), first)
    for field, shown, other in _one_off(said, int(places[-1]) + 1, elsewhere):
        if agrees(reading, other, places).all():
            told = getattr(said, field)
            return Difference(f"rotary.{field}", told, shown, first)
    return _fitted(reading, said, places, first)


def _starts(start: int) -> Iterator[int]:
    """Yield where the first row may stand instead: at 0, and ever farther away."""
    yield 0
    for away in range(1, FAR):
        yield start + away
        if away <= start:
            yield start - away


def _one_off(
    said: Rotary, n: int, elsewhere: list[Rotary]
) -> Iterator[tuple[str, Any, Turn]]:
    if said.scaling:
        yield "scaling", None, turn_of(said, n, plain=True)
    for other in elsewhere:
        if other.columns == said.columns:
            differs = "scaling" if other.base == said.base else "base"
            yield differs, getattr(other, differs), turn_of(other, n)


def _fitted(
    reading: Reading, said: Rotary, places: np.ndarray, first: int
) -> Difference:
    """Fit a base to the angles, with the stretch that is said and without it."""
    n = int(places[-1]) + 1
    for plain in (False, True) if said.scaling else (True,):

        def of(base: float, plain: bool = plain) -> Turn:
            return turn_of(replace(said, base=base), n, plain)

        def fits(bases: np.ndarray, of: Callable[[float], Turn] = of) -> np.ndarray:
            return np.array([agrees(reading, of(b), places).all() for b in bases])

        def left(bases: np.ndarray, of: Callable[[float], Turn] = of) -> np.ndarray:
            angles = np.array([of(base).at(places) for base in bases])
            apart = (np.abs(reading.by - angles) ** 2).reshape(len(bases), -1)
            return np.asarray(apart.sum(axis=1))

        if fits(np.array([base := number(left, BASES)])).all():
            return Difference("rotary.base", said.base, rounder(base, fits), first)
    return Difference("rotary", str(said), "other angles", first)
