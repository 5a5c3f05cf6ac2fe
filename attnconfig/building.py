"""Building blocks of families: which layers are meant, their kinds and windows."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, SWA

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


CHUNK, LINEAR, CONV = "chunked_attention", "linear_attention", "conv"
SYNONYMS = {
    "attention": FULL,
    "mamba": LINEAR,
    "recurrent": LINEAR,
    "short_conv": CONV,
    "deepseek_sparse_attention": FULL,
}
EPS = ("rms_norm_eps", "norm_eps", "layer_norm_eps")
WAYS: dict[str, Callable[..., Any]] = {}  # what rows of the table call by name
Function = TypeVar("Function", bound=Callable[..., Any])


def way(function: Function) -> Function:
    """Let rows of the table name a function."""
    WAYS[function.__name__] = function
    return function


def dealt_out(width: int, n: int) -> int:
    """Return the columns of one of n heads that share a width."""
    if width % n:
        raise Refusal(f"num_attention_heads: {n} do not divide a width of {width}.")
    return width // n


def norms_eps(c: Noted, default: float) -> float:
    """Read what norms add under the root."""
    key = next((key for key in EPS if c.get(key)), EPS[0])
    return c.number(key, default)


def kinds(c: Noted, rules: Mapping[str, Some], rest: str, *allowed: str) -> list[str]:
    """List the kind of each layer: what the file says, or the first rule that holds."""
    layers = stack(c)
    said = c.each("layer_types", len(layers))
    some = {kind: rule(c) for kind, rule in rules.items()}
    found = [next((kind for kind in some if some[kind][i]), rest) for i in layers]
    if said:
        found = [SYNONYMS.get(str(kind), str(kind)) for kind in said]
        c.ignore("sliding_window_pattern", why="layer_types says it for each layer.")
    for kind in found:
        if kind not in allowed:
            raise Refusal(f"layer_types holds {kind!r}: not known in this family.")
    return found


def windows(
    c: Noted, found: list[str], default: int | None = None, switch: str | None = None
) -> list[int | None]:
    """Return how many keys the window of each layer of these kinds has.

    ``switch``: the line that turns windows on.
    """
    why = "layer_types has layers with a window"
    if switch and not c.flag(switch):
        names = ("sliding_window", "max_window_layers")
        c.ignore(*names, why=f"{switch} is false.", changes="nothing")
        if SWA in found:
            raise Refusal(f"{why}, but {switch} is false.")
        return [None] * len(found)
    size = c.some("sliding_window", default)
    if SWA in found and size is None:
        raise Refusal(f"{why}, but sliding_window gives no size.")
    return [size if kind == SWA else None for kind in found]


def up(value: float, multiple: int) -> int:
    """Round up to a multiple."""
    return math.ceil(value / multiple) * multiple
