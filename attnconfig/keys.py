"""The table of keys: which lines are harmless and why, and what lines say."""

import functools
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, NamedTuple

Changes = Literal["totals", "attention", "elsewhere", "nothing", "unknown"]
KINDS: dict[str, tuple[type, ...]] = {
    "any": (object,),
    "word": (str,),
    "number": (int, float),
    "scale": (bool, int, float),
}


@dataclass(frozen=True)
class Harmless:
    """A row of the table: keys that change no total, for values of some kind."""

    changes: Changes
    why: str
    keys: tuple[str, ...]
    kind: str = "any"

    def fits(self, key: str, value: Any) -> bool:
        """Say whether a line is one of them."""
        if not isinstance(value, KINDS[self.kind]):
            return False
        if self.kind == "number" and isinstance(value, bool):
            return False
        if key in self.keys:
            return True
        size = self.kind == "number" and like(key, table()["sized"].split())
        return not size and like(key, self.keys)


def like(key: str, patterns: tuple[str, ...] | list[str]) -> bool:
    """Say whether a key fits one of these patterns."""
    return any(fnmatchcase(key, pattern) for pattern in patterns)


@functools.cache
def table() -> dict[str, Any]:
    """Return ``keys.toml``."""
    return tomllib.loads(Path(__file__).with_name("keys.toml").read_text("utf-8"))


@functools.cache
def rows() -> tuple[Harmless, ...]:
    """Return its rows of harmless keys."""
    return tuple(
        Harmless(**{**row, "keys": tuple(row["keys"].split())})
        for row in table()["harmless"]
    )


def harmless(key: str, value: Any) -> Harmless | None:
    """Return the row of a line that changes no total, or None."""
    return next((row for row in rows() if row.fits(key, value)), None)


@functools.cache
def other_names(key: str) -> tuple[str, ...]:
    """Return the other names of a key."""
    groups = [line.split() for line in table()["same"]]
    return tuple(n for group in groups if key in group for n in group if n != key)


def sentence(key: str) -> tuple[Changes, str] | None:
    """Say what a line says, or a line of another name of it, and what that changes."""
    for name in (key, *other_names(key)):
        if name in table()["says"]:
            return "totals", str(table()["says"][name])
        if name in table()["says_of_attention"]:
            return "attention", str(table()["says_of_attention"][name])
    return None


class Line(NamedTuple):
    """A line of the file.

    Parameters
    ----------
    key : str
    changes : str
        What another value would change: "totals", "attention", something "elsewhere",
        "nothing" that is computed, or "unknown".
    sentence : str
    """

    key: str
    changes: Changes
    sentence: str
