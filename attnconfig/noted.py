"""A configuration that notes which of its lines were read, and for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attnconfig import keys

PARAMETERS: Final = ("n_parameters", "n_active_parameters")
ALL: Final = (*PARAMETERS, "cache_bytes")
MISSING = object()


class Refusal(ValueError):
    """All totals cannot be had; the sentence names the line that they fail for."""


class Noted(Mapping[str, Any]):
    """The lines of a file, read-only."""

    def __init__(
        self, lines: Mapping[str, Any], sizes: Mapping[str, int] | None = None
    ) -> None:
        self.lines = dict(lines)
        self.sizes = sizes or {}  # the family's, for a text_config without them
        self.seen: set[str] = set()  # the keys that were asked for
        # what the family does not use, with what it changes and why
        self.ignored: dict[str, tuple[keys.Changes, str]] = {}
        self.fixed: dict[str, tuple[Any, ...]] = {}  # the values that are understood
        self.assumed: set[str] = set()  # left out, and what follows is in no fact
        self.refused: dict[str, str] = {}  # of each such total, the first reason
        self.nested: dict[str, Noted] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, key: str) -> Any:
        self.seen.add(key)
        for name in (key, *keys.other_names(key)):
            if name in self.lines:
                self.seen.add(name)
                return self.lines[name]
        raise KeyError(key)

    def refuse(self, sentence: str, *totals: str) -> None:
        """Refuse some totals, or all; the first reason stays."""
        for total in totals or ALL:
            self.refused.setdefault(total, sentence)

    def ignore(
        self, *names: str, why: str, changes: keys.Changes = "elsewhere"
    ) -> None:
        """Say of lines that they change no total in this family, and why."""
        for name in names:
            self.ignored[name] = (changes, why)

    def assume(self, key: str) -> None:
        """Note a line whose value changes attention where the file leaves it out too.

        The facts do not tell what it changes: the model's `unsaid` names it.
        """
        if key not in self.lines:
            self.assumed.add(key)

    def size(self, key: str, default: int | None = None, *totals: str) -> int:
        """Return a size: a whole number from 1.

        Where there is none, the totals that need it are refused: all, or those named.
        """
        value = self.get(key, self.sizes.get(key, default))
        if value is None and totals:
            self.refuse(f"{key} is missing.", *totals)
            return 1
        if value is None:
            raise Refusal(f"{key} is missing.")
        return self._whole(key, value, 1)

    def maybe(self, key: str, default: int | None = None) -> int | None:
        """Return a whole number from 1, or None where the line or default is null."""
        value = self.get(key, default)
        return None if value is None else self._whole(key, value, 1)

    def count(self, key: str, default: int) -> int:
        """Return a whole number from 0."""
        return self._whole(key, self.get(key, self.sizes.get(key, default)), 0)

    def some(self, key: str, default: int | None = None) -> int | None:
        """Return a whole number from 1, or None for null and for 0: there are none."""
        value = self.get(key, default)
        return (None if value is None else self._whole(key, value, 0)) or None

    def number(self, key: str, default: float) -> float:
        """Return a number above 0."""
        return number(key, self.get(key, default))

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.get(key, default)
        if not isinstance(value, bool):
            raise Refusal(f"{key} = {value!r}: this should be true or false.")
        return value

    def only(self, key: str, *allowed: Any) -> None:
        """Refuse all but values that are understood; a line left out is the first."""
        value, self.fixed[key] = self.get(key, allowed[0]), allowed
        if value is not None and not any(_same(value, one) for one in allowed):
            raise Refusal(f"{key} = {value!r}: what that changes is not known here.")

    def layers(self, key: str) -> list[Any] | None:
        """Return a list of numbers of layers, or None."""
        value = self.get(key)
        if not isinstance(value, list | None):
            raise Refusal(f"{key} = {value!r}: this should be a list of layers.")
        return value

    def each(self, key: str, n: int) -> list[Any] | None:
        """Return a list with an entry for each of n layers, or None."""
        value = self.get(key)
        if value is None or value == []:
            return None
        if not isinstance(value, list) or len(value) != n:
            many = len(value) if isinstance(value, list) else repr(value)
            raise Refusal(f"{key} has {many} entries for {n} layers.")
        return value

    def inside(self, key: str) -> Noted:
        """Return the lines nested under a key; those of them not read count too."""
        value = self.get(key) or {}
        if not isinstance(value, dict):
            raise Refusal(f"{key} should hold lines of its own, got {value!r}.")
        return self.nested.setdefault(key, Noted(value))

    @staticmethod
    def _whole(key: str, value: Any, least: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            said = f"this should be a whole number from {least}"
            raise Refusal(f"{key} = {value!r}: {said}.")
        return value


def number(key: str, value: Any) -> float:
    """Return a number above 0, or refuse."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise Refusal(f"{key} = {value!r}: this should be a number above 0.")
    return value


def _same(value: Any, one: Any) -> bool:
    return type(value) is type(one) and bool(value == one)
