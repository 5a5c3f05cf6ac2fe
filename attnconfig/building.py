"""Building blocks of families: sizes, kinds of layers, windows, the decoder."""

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attnconfig.model import Layer, Model
from attnconfig.noted import PARAMETERS, Noted, Refusal
from attnconfig.part import RMS, Norm, Part
from attnconfig.turning import FULL, SWA
from attnconfig.weights import Weight

CHUNK, LINEAR, CONV = "chunked_attention", "linear_attention", "conv"
SYNONYMS = {
    "attention": FULL,
    "mamba": LINEAR,
    "recurrent": LINEAR,
    "short_conv": CONV,
    "deepseek_sparse_attention": FULL,
}
EPS = ("rms_norm_eps", "norm_eps", "layer_norm_eps")
MOST_LAYERS = 10_000
# What a layer is, by its number, where layer_types does not say it.
Kinds = Callable[[Noted, int], str]
WAYS: dict[str, Callable[..., Any]] = {}  # what rows of the table call by name
Function = TypeVar("Function", bound=Callable[..., Any])


def way(function: Function) -> Function:
    """Let rows of the table name a function."""
    WAYS[function.__name__] = function
    return function


def decoder(
    c: Noted,
    layers: Iterable[Layer],
    *,
    tied: bool = False,
    norm: Norm | None = RMS,
    narrow: int | None = None,
    head_bias: bool = False,
    around: tuple[Weight, ...] = (),
) -> Model:
    """Put embedding, layers, a norm and the output together."""
    return Model(
        None,
        tuple(layers),
        c.size("hidden_size"),
        c.size("vocab_size", None, *PARAMETERS),
        c.flag("tie_word_embeddings", tied),
        norm,
        narrow,
        head_bias,
        around,
    )


def block(
    mixer: Part | None, network: Part | None, *, norm: Norm = RMS, norms: int = 2
) -> Layer:
    """Put norms, attention (or a state) and a network together."""
    return Layer(*[norm] * norms, mixer, network)


def stack(c: Noted) -> range:
    """Return the numbers of the layers."""
    n = c.size("num_hidden_layers")
    if n > MOST_LAYERS:
        raise Refusal(f"num_hidden_layers = {n}: this is no model that was ever built.")
    return range(n)


def dealt_out(width: int, n: int) -> int:
    """Return the columns of one of n heads that share a width."""
    if width % n:
        raise Refusal(f"num_attention_heads: {n} do not divide a width of {width}.")
    return width // n


def norms_eps(c: Noted, default: float) -> float:
    """Read what norms add under the root."""
    key = next((key for key in EPS if c.get(key)), EPS[0])
    return c.number(key, default)


def kinds(c: Noted, default: Kinds, *allowed: str) -> list[str]:
    """List the kind of each layer: what the file says, or ``default(c, i)``."""
    layers = stack(c)
    said = c.each("layer_types", len(layers))
    found = [default(c, i) for i in layers]
    if said:
        found = [SYNONYMS.get(str(kind), str(kind)) for kind in said]
        c.ignore("sliding_window_pattern", why="layer_types says it for each layer.")
    for kind in found:
        if kind not in allowed:
            raise Refusal(f"layer_types holds {kind!r}: not known in this family.")
    return found


@way
def every(n: int | None, kind: str = SWA) -> Kinds:
    """One layer in n sees everything, the last of them."""
    return lambda c, i: kind if n and (i + 1) % n else FULL


@way
def one_in(key: str, n: int, kind: str = SWA) -> Kinds:
    """One layer in as many as a line says sees everything."""
    return lambda c, i: every(c.size(key, n), kind)(c, i)


@way
def pattern(n: int) -> Kinds:
    """Say the same by ``sliding_window_pattern``: 0 and null: all layers do."""
    return lambda c, i: every(c.some("sliding_window_pattern", n))(c, i)


@way
def always(kind: str) -> Kinds:
    """All layers are of one kind."""
    return lambda c, i: kind


@way
def late(first: int) -> Kinds:
    """Give the layers from one on a window."""
    return lambda c, i: SWA if i >= c.count("max_window_layers", first) else FULL


@way
def where(key: str, name: str, *more: Any) -> Kinds:
    """Say as another way does, where a line is on; else all layers see everything.

    A switch is off where the file is silent, and a window is there.
    """

    def kind(c: Noted, i: int) -> str:
        found: str = WAYS[name](*more)(c, i)
        return found if c.get(key, key == "sliding_window") else FULL

    return kind


@way
def listed(key: str, kind: str, other: str, default: bool = False) -> Kinds:
    """Give the layers that a list names a kind; without it, all or none."""

    def named(c: Noted, i: int) -> str:
        layers = c.layers(key)
        return kind if (default if layers is None else i in layers) else other

    return named


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
