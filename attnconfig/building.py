"""Building blocks of families: sizes, kinds of layers, networks, the decoder."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypedDict, Unpack

from attnconfig.attention import Grouped, Window
from attnconfig.model import Layer, Model
from attnconfig.networks import Experts, Network
from attnconfig.noted import PARAMETERS, Noted, Refusal
from attnconfig.part import RMS, Norm, Part
from attnconfig.turning import FULL, SWA, Turn, still
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
Build = Callable[[Noted], Model]
FAMILIES: dict[str, tuple[Build, dict[str, int]]] = {}
SIZES = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"),
    "vocab_size",
)


def family(*names: str, sizes: Sequence[int] = ()) -> Callable[[Build], Build]:
    """Enter a function under the names of its families.

    ``sizes`` are those of the class in transformers, for a ``text_config`` that leaves
    them out.
    """

    def enter(build: Build) -> Build:
        for name in names:
            FAMILIES[name] = build, dict(zip(SIZES, sizes, strict=False))
        return build

    return enter


class Around(TypedDict, total=False):
    """What stands around the layers, beside embedding, last norm and output."""

    around: tuple[Weight, ...]
    narrow: int | None
    head_bias: bool


class Biases(TypedDict):
    """The biases of the projections."""

    qkv_bias: bool
    out_bias: bool


class Normed(TypedDict, total=False):
    """The norms of queries and keys."""

    qk_norm: Literal["head", "heads", "width", "plain"] | None
    norm_bias: bool
    norm_after: bool


class Fields(Normed, total=False):
    """What `grouped` may set, beside sizes and rotation."""

    d_v: int | None
    window: Window | None
    qkv_bias: bool
    out_bias: bool
    scale: float | None
    softcap: float | None
    sinks: bool
    gate: Literal["query", "matrix", "heads"] | None
    alibi: bool
    k_is_v: bool
    not_said: str | None


def decoder(
    c: Noted,
    layers: Iterable[Layer],
    *,
    tied: bool = False,
    norm: Norm | None = RMS,
    **around: Unpack[Around],
) -> Model:
    """Put embedding, layers, a norm and the output together."""
    return Model(
        None,
        tuple(layers),
        c.size("hidden_size"),
        c.size("vocab_size", None, *PARAMETERS),
        c.flag("tie_word_embeddings", tied),
        norm,
        **around,
    )


def block(
    mixer: Part | None, network: Part | None, *, norm: Norm = RMS, norms: int = 2
) -> Layer:
    """Put norms, attention (or a state) and a network together."""
    return Layer(*[norm] * norms, mixer, network)


def alike(c: Noted, mixer: Part | None, network: Part | None) -> Model:
    """Return a decoder of equal layers, as Llama is one."""
    return decoder(c, [block(mixer, network)] * len(stack(c)))


def stack(c: Noted) -> range:
    """Return the numbers of the layers."""
    n = c.size("num_hidden_layers")
    if n > MOST_LAYERS:
        raise Refusal(f"num_hidden_layers = {n}: this is no model that was ever built.")
    return range(n)


def heads(
    c: Noted, kv: int | None = None, d_k: int | None = None
) -> tuple[int, int, int]:
    """Return heads, heads of keys, and columns of a head.

    ``kv`` and ``d_k`` are the family's where the file is silent; None: one for each
    head, and the width dealt out.
    """
    n = c.size("num_attention_heads")
    groups = c.maybe("num_key_value_heads", kv) or n
    columns = c.maybe("head_dim", d_k)
    return n, groups, columns or dealt_out(c.size("hidden_size"), n)


def dealt_out(width: int, n: int) -> int:
    """Return the columns of one of n heads that share a width."""
    if width % n:
        raise Refusal(f"num_attention_heads: {n} do not divide a width of {width}.")
    return width // n


def grouped(
    c: Noted,
    *,
    kv: int | None = None,
    d_k: int | None = None,
    turn: Turn | None = Turn(),  # noqa: B008 (it cannot be changed)
    eps: float = 1e-6,
    **fields: Unpack[Fields],
) -> Grouped:
    """Read grouped heads, which turn as the family's do where the file is silent.

    ``eps`` is that of its norms of queries and keys.
    """
    n, groups, columns = heads(c, kv, d_k)
    rope = turn.read(c, columns) if turn else None
    if rope is None:
        still(c)
    norm_eps = norms_eps(c, eps) if fields.get("qk_norm") else None
    return Grouped(n, groups, columns, rope=rope, norm_eps=norm_eps, **fields)


def norms_eps(c: Noted, default: float) -> float:
    """Read what norms add under the root."""
    key = next((key for key in EPS if c.get(key)), EPS[0])
    return c.number(key, default)


def biased(c: Noted, default: bool = False) -> Biases:
    """Read ``attention_bias``: of all four matrices."""
    bias = c.flag("attention_bias", default)
    return {"qkv_bias": bias, "out_bias": bias}


def kinds(
    c: Noted, default: Callable[[int], str], *allowed: str, key: str = "layer_types"
) -> list[str]:
    """List the kind of each layer: what the file says, or ``default(i)``."""
    layers = stack(c)
    said = c.each(key, len(layers))
    found = [default(i) for i in layers]
    if said:
        found = [SYNONYMS.get(str(kind), str(kind)) for kind in said]
        c.ignore("sliding_window_pattern", why="layer_types says it for each layer.")
    for kind in found:
        if kind not in allowed:
            raise Refusal(f"{key} holds {kind!r}: not known in this family.")
    return found


def every(n: int | None, kind: str = SWA, other: str = FULL) -> Callable[[int], str]:
    """One layer in n is ``other``, the last of them."""
    return lambda i: kind if n and (i + 1) % n else other


def always(kind: str) -> Callable[[int], str]:
    """All layers are of one kind."""
    return lambda i: kind


def window(c: Noted, default: int | None = None) -> Window | None:
    """Return the window that the file or the family has, or None."""
    size = c.some("sliding_window", default)
    return Window(size) if size else None


def windows(
    c: Noted, found: list[str], default: int | None = None
) -> list[Window | None]:
    """Return the window of each layer of these kinds."""
    size = window(c, default)
    if SWA in found and size is None:
        said = "layer_types has layers with a window"
        raise Refusal(f"{said}, but sliding_window gives no size.")
    return [size if kind == SWA else None for kind in found]


def network(c: Noted, bias: bool = False) -> Network:
    """Two matrices, as wide as the file says."""
    return Network(c.size("intermediate_size", None, *PARAMETERS), bias)


def gated(c: Noted, bias: bool = False) -> Network:
    """SwiGLU or GeGLU, as wide as the file says."""
    return Network(c.size("intermediate_size", None, *PARAMETERS), bias, gated=True)


class Routed(TypedDict, total=False):
    """What `experts` may set beside their number."""

    shared: Network | None
    shared_gate: bool
    router_bias: bool
    latent: int | None
    more: tuple[Weight, ...]


def experts(
    c: Noted,
    each: Network,
    *,
    n: int | None = None,
    used: int | None = None,
    **more: Unpack[Routed],
) -> Experts:
    """Read a router over networks, as many as the file says."""
    many = c.size("num_experts", n)
    through = c.maybe("num_experts_per_tok", used)
    if through is None or through > many:
        said = "a token cannot go through" if through else "no number of experts"
        why = f"num_experts_per_tok = {through}: {said} of {many}."
        c.refuse(why, "n_active_parameters")
        through = many
    return Experts(many, through, each, **more)


def expert(c: Noted, bias: bool = False) -> Network:
    """One expert, as wide as ``moe_intermediate_size`` says."""
    return Network(c.size("moe_intermediate_size"), bias, gated=True)


def side_by_side(
    c: Noted, each: Network, default: int | None, key: str = "n_shared_experts"
) -> Network | None:
    """So many experts that every token uses, as one network."""
    n = c.some(key, default)
    return Network(n * each.ff, each.bias, gated=each.gated) if n else None


def up(value: float, multiple: int) -> int:
    """Round up to a multiple."""
    return math.ceil(value / multiple) * multiple
