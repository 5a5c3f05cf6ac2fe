"""The seed that sheets are drawn from: secret, since whoever has it has the key."""

from __future__ import annotations

import hashlib
import secrets

BITS = 64  # of a seed that is drawn here
GUESSED = 2**32  # below this, trying them all takes no time


def seed_or_new(seed: int | None) -> int:
    """Return a seed, or a new one that nobody can guess."""
    return secrets.randbits(BITS) if seed is None else seed


def digest(seed: int) -> str:
    """Return what heads the sheets: it tells exams apart, and does not tell the seed.

    Examples
    --------
    >>> digest(2**61) == digest(2**61)
    True
    >>> len(digest(2**61))
    8
    """
    return hashlib.sha256(f"attncourse {seed}".encode()).hexdigest()[:8]


def told(seed: int) -> str:
    """Return what the teacher reads in the terminal, and nobody on a sheet."""
    how = "is short enough to be guessed" if seed < GUESSED else "is yours to keep"
    return (
        f"The seed {seed} stands on no sheet and {how}: whoever has it has the key. "
        f"It gives these sheets again; they are headed {digest(seed)}."
    )
