"""The rotation that a layer is said to make, beside the one that its run shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from attncheck.guess.numbers import number, rounder, short
from attncheck.layers.recorded import Recorded
from attnlib import rotary_frequencies

if TYPE_CHECKING:
    from attnconfig import Facts, Rotary

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
    unmoved = np.abs(came - before).max() <= 8 * eps * np.abs(before).max()
    if facts.rotary is None:
        return None if unmoved else Difference("rotary", None, "rows that turn", 1)
    said, rows = facts.rotary, np.arange(before.shape[2])
    turn = turn_of(said, start + len(rows))
    readings = {
        pairs: reading
        for pairs in sorted(PAIRS, key=lambda p: not p.startswith(turn.pairs))
        if (reading := read_turn(before, came, pairs, said.columns, eps))
    }
    if unmoved or not readings:
        shown = None if unmoved else "another change of its rows"
        return Difference("rotary", str(said), shown, 1)
    places = start + rows
    for pairs, reading in readings.items():
        if agrees(reading, turn, places).all():
            right = pairs.startswith(turn.pairs)
            return None if right else Difference("rotary.pairs", turn.pairs, pairs, 1)
    reading = min(readings.values(), key=lambda x: float(np.ptp(np.abs(x.by))))
    first = int(np.argmin(agrees(reading, turn, places)))
    for field, of, shown, other, at in _others(reading, turn, said, places, elsewhere):
        if agrees(reading, other, at).all():
            return Difference(field, of, shown, first)
    return Difference("rotary", str(said), "other angles", first)


def _others(
    reading: Reading,
    turn: Turn,
    said: Rotary,
    places: np.ndarray,
    elsewhere: list[Rotary],
) -> Iterator[tuple[str, Any, Any, Turn, np.ndarray]]:
    """Yield one field off: its name, said, shown; that rotation, and its places."""
    start, n = int(places[0]), int(places[-1]) + 1
    for where in (0, *range(max(0, start - FAR), start + FAR)):
        yield "first position", start, where, turn, places - start + where
    yield "rotary", "forwards", "backwards", turn, -places
    factor = float(np.median(np.abs(reading.by)))
    scaled = replace(turn, factor=factor)
    yield "rotary factor", turn.factor, short(factor), scaled, places
    if said.scaling:
        plain = turn_of(said, n, plain=True)
        yield "rotary.scaling", said.scaling, None, plain, places
    for other in elsewhere:
        if other.columns == said.columns:
            field = "scaling" if other.base == said.base else "base"
            of, shown = getattr(said, field), getattr(other, field)
            yield f"rotary.{field}", of, shown, turn_of(other, n), places
    for stretched in dict.fromkeys((bool(said.scaling), False)):
        base = _fitted_base(reading, said, places, not stretched)
        fitted = turn_of(replace(said, base=base), n, not stretched)
        yield "rotary.base", said.base, base, fitted, places


def _fitted_base(
    reading: Reading, said: Rotary, places: np.ndarray, plain: bool
) -> float:
    """Fit a base to the angles, with the stretch that is said or without it."""
    n = int(places[-1]) + 1

    def turns(bases: np.ndarray) -> list[Turn]:
        return [turn_of(replace(said, base=base), n, plain) for base in bases]

    def left(bases: np.ndarray) -> np.ndarray:
        off = (reading.by - turn.at(places) for turn in turns(bases))
        return np.array([(np.abs(x) ** 2).sum() for x in off])

    def fits(bases: np.ndarray) -> np.ndarray:
        return np.array([agrees(reading, x, places).all() for x in turns(bases)])

    return rounder(number(left, BASES), fits)
