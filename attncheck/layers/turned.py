"""The rotation that a run shows: angles, read off rows before and after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
