"""Which layers are meant: by a line of the file, or by counting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attnconfig.noted import Noted, Refusal

MOST_LAYERS = 10_000
# A number, or how a line is read that says it: by "size", "count" or "some" of `Noted`,
# with its name, and with what holds where the file is silent.
Number = int | tuple[str, str, int]
Some = Callable[[Noted], list[bool]]


@dataclass(frozen=True)
class Which:
    """Some layers; all, if nothing is said.

    The first of the lines named here that the file has says it. Without one, layers
    are counted from ``first`` up to ``end``: of each ``step`` of them the one at ``at``
    is meant.
    """

    each: str = ""  # a line with an entry for each layer
    entry: Any = True  # of those that are meant; true and false: what is so
    named: str = ""  # a line that lists their numbers
    when: str = ""  # a line without which, or without whose word, all are
    first: Number = 0
    before: bool = False  # whether all those before the first are meant, or none
    end: Number | None = None
    step: Number = 1
    at: Number = -1  # from 0, or from the end of the step

    def __call__(self, c: Noted) -> list[bool]:
        """Say of each layer whether it is meant."""
        layers = stack(c)
        said = c.each(self.each, len(layers)) if self.each else None
        listed = c.layers(self.named) if self.named else None
        counted = [self._counts(c, i) for i in layers]
        if said:
            is_word = not isinstance(self.entry, bool)
            return [(x if is_word else bool(x)) == self.entry for x in said]
        if listed is not None:
            return [i in listed for i in layers]
        # a window is there where the file is silent, and a switch is off
        is_on = not self.when or c.get(self.when, self.when == "sliding_window")
        return counted if is_on else [True] * len(layers)

    def _counts(self, c: Noted, i: int) -> bool:
        first, step = _number(c, self.first), _number(c, self.step)
        at = _number(c, self.at)
        if i < first or not step:
            return self.before if i < first else True
        end = self.end is None or i < _number(c, self.end)
        return end and (i - first) % step == (at if at >= 0 else step + at)


def _number(c: Noted, said: Number) -> int:
    """Read a number that a line may say."""
    if isinstance(said, int):
        return said
    how, key, default = said
    return getattr(c, how)(key, default) or 0


def stack(c: Noted) -> range:
    """Return the numbers of the layers."""
    n = c.size("num_hidden_layers")
    if n > MOST_LAYERS:
        raise Refusal(f"num_hidden_layers = {n}: this is no model that was ever built.")
    return range(n)


EVERY_LAYER = Which()
