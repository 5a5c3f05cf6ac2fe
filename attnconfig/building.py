"""Building blocks of families: sizes, kinds of layers, windows, the decoder."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from attnconfig.noted import Noted, Refusal
from attnconfig.turning import FULL, SWA
from attnconfig.which import Some, stack

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
