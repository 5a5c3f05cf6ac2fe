"""Estimate: say a quantity within a factor, before anything computes it."""

from __future__ import annotations

import numpy as np

from attncourse.practice.kinds.quantities import QUANTITIES, Quantity
from named_mistakes.report import (
    Verdict,
    show_open,
    show_right,
    show_wrong,
)

NEAR = 0.03  # how close to a known factor still is that factor


def estimate(name: str, guess: float, *, within: float | None = None) -> Verdict:
    """Compare a guess with a quantity that is computed now.

    Parameters
    ----------
    name : str
        One of `QUANTITIES`.
    guess : float, or `...` while there is none
    within : float above 1, optional
        The factor within which a guess is right; if left out, the quantity's own.

    Returns
    -------
    Verdict
        It says by which factor a guess is off, and what would explain that factor; not
        the quantity, until the guess is right.

    Raises
    ------
    ValueError
        If there is no such quantity, or the factor is not above 1.

    Examples
    --------
    >>> _ = estimate("score_table", 1_000_000_000)
    ✗ score_table: not yet.
      counted-numbers: Too small by a factor of 4.3. A float32 number takes 4 bytes.
    """
    if name not in QUANTITIES:
        raise ValueError(
            f"estimate: name must be one of {', '.join(QUANTITIES)}; got {name!r}"
        )
    quantity = QUANTITIES[name]
    within = quantity.within if within is None else within
    if not within > 1:
        raise ValueError(f"estimate: within must be above 1; got {within}")
    if guess is ...:
        return show_open(name, "Put your estimate where the dots are, then run this.")
    if not isinstance(guess, int | float | np.number) or not 0 < guess < np.inf:
        return show_wrong(
            name, "not-a-size", f"Give a positive number alone, not {guess!r}."
        )
    true = quantity.computed()
    ratio = guess / true
    if 1 / within <= ratio <= within:
        return show_right(name, f"It is {true:,} {quantity.unit}.")
    code, cause = _explained(quantity, ratio)
    if code == "another-size":
        code, cause = _in_prefixed(quantity, guess)
    side = "large" if ratio > 1 else "small"
    off = f"Too {side} by a factor of {max(ratio, 1 / ratio):,.2g}."
    return show_wrong(name, code, f"{off} {cause}".strip())


def _in_prefixed(quantity: Quantity, guess: float) -> tuple[str, str]:
    """Recognize a guess in gigabytes, in megabytes or in kilobytes."""
    for power, prefix in ((3, "giga"), (2, "mega"), (1, "kilo")):
        for base in (1000, 1024):
            if abs(guess * base**power / quantity.computed() - 1) <= NEAR:
                unit = quantity.unit
                return "wrong-prefix", f"That is in {prefix}{unit}. Give it in {unit}."
    return "another-size", ""


def _explained(quantity: Quantity, ratio: float) -> tuple[str, str]:
    """Return code and cause of the known factor that is nearest, if one is near."""
    known = quantity.factors
    distances = [abs(np.log(ratio / factor)) for factor, _, _ in known]
    nearest = int(np.argmin(distances))
    _, code, cause = known[nearest]
    room = np.log(1.2) if distances[nearest] > NEAR else NEAR
    return (code, cause) if distances[nearest] <= room else ("another-size", "")
