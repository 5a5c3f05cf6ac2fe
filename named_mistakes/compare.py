"""Compare a result with the expected one, and with what a mistake would give."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from named_mistakes.exercise import Case, Exercise, Truth
from named_mistakes.runner import Outcome

Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Judged:
    """An outcome beside what was expected.

    Parameters
    ----------
    outcome : Outcome
    wanted : tuple of array
    truth : Truth, optional
        How to read numbers as True and False, if that is what is compared.
    """

    outcome: Outcome
    wanted: Arrays
    truth: Truth | None = None

    @property
    def case(self) -> Case:
        """The case of this call."""
        return self.outcome.case

    @cached_property
    def got(self) -> Any:
        """What came back, or None; as True and False where those are expected."""
        values = self.outcome.values
        if values is None or not self.truth:
            return values
        return tuple(self.truth.read(x) for x in values)

    @cached_property
    def tolerance(self) -> float:
        """The tolerance for rounding in the answer's dtype; it grows with the numbers.

        The differences that mistakes make are a thousand times as large. In float32, a
        score of 1500 is off by 1e-4, and so is the logarithm of its weight.
        """
        floats = [x.dtype for x in self.got or () if x.dtype.kind == "f"]
        eps = max((float(np.finfo(dtype).eps) for dtype in floats), default=0.0)
        coarse = self.case.is_large and eps > 1e-10
        return max(1e-2 if coarse else 2e-5, 30 * eps)

    @property
    def fits(self) -> bool:
        """Whether all shapes are right."""
        return self.got is not None and all(
            x.shape == w.shape for x, w in zip(self.got, self.wanted, strict=True)
        )

    @cached_property
    def right(self) -> bool:
        """Whether every number is right."""
        return self.fits and all(
            np.all(self.close(x, w)) for x, w in zip(self.got, self.wanted, strict=True)
        )

    def close(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Compare number by number; NaN equals NaN, and ∞ equals ∞."""
        x, y = _numbers(x), _numbers(y)
        with np.errstate(all="ignore"):
            same = (x == y) | (np.isnan(x) & np.isnan(y))
            return same | (np.abs(x - y) <= self._room(y))

    def _room(self, y: np.ndarray) -> np.ndarray:
        y = np.abs(y)
        return self.tolerance * (y.max(initial=1.0, where=np.isfinite(y)) + y)

    @cached_property
    def _told(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Squeeze each array, and mark the numbers to compare.

        Non-finite numbers and special rows have findings of their own, and so does an
        extra axis of length 1.
        """
        told = [(_numbers(x), self.counted(x)) for x in self.got]
        return [(np.squeeze(x), np.squeeze(np.isfinite(x) & c)) for x, c in told]

    def is_explained_by(self, given: Arrays) -> tuple[bool, bool]:
        """Tell whether a mistake could have given this result.

        Returns
        -------
        possible : bool
            The answer may be that mistake's.
        telling : bool
            It also differs here from the right answer.
        """
        squeezed = [np.squeeze(_numbers(g)) for g in given]
        for (x, seen), g in zip(self._told, squeezed, strict=True):
            if x.shape != g.shape:
                return False, False
            with np.errstate(all="ignore"):
                far = ~(np.abs(x - g) <= self._room(g)) & seen
            if far.any():
                return False, False
        return True, any(map(self._differ, squeezed, self.wanted, self._told))

    def _differ(self, g: np.ndarray, w: np.ndarray, told: tuple) -> bool:
        w = np.squeeze(w)
        differs = ~self.close(g, w) if g.shape == w.shape else np.True_
        return bool(np.any(differs & told[1]))

    def counted(self, x: np.ndarray) -> np.ndarray:
        """Mark the numbers outside the special rows."""
        rows = self.case.special_rows
        if rows is None or x.shape[:-1] != rows.shape:
            return np.ones(x.shape, dtype=bool)
        return np.broadcast_to(~rows[..., None], x.shape)


def judge(exercise: Exercise, outcome: Outcome) -> Judged:
    """Compare an outcome with what was expected."""
    return Judged(outcome, exercise.wanted(outcome.case), exercise.truth)


def _numbers(x: np.ndarray) -> np.ndarray:
    return x if x.dtype.kind == "c" else x.astype(float, copy=False)
