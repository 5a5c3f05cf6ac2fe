"""DOMAIN: for each field of a model the values in use, right and wrong, each a row."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.attending import EPS, reach
from attncheck.model.fields import SCALES, Bounds, Model, Rule, Sees, Sizes, scale_of
from attncheck.model.softmax import BLOCKS
from attnlib import alibi_bias

Fields = dict[str, Any]
BY_PLACE = {"window", "corner", "offset"}


@dataclass(frozen=True)
class Value:
    """A value that a field of a model has in some program.

    Attributes
    ----------
    field : str
        Two values of one field exclude each other.
    name, words : str
    sets : function of a Model and Sizes
        Returns the fields that it sets, or None where it makes no sense.
    source : str
        Where it is defined, or what goes wrong where it is a mistake.
    rare : bool
        Not tried together with another.
    """

    field: str
    name: str
    words: str
    sets: Callable[[Model, Sizes], Fields | None]
    source: str
    rare: bool = False

    @property
    def code(self) -> str:
        """The field and the name: "scale: 1/d_k"."""
        return f"{self.field}: {self.name}"

    def change(self, model: Model, sizes: Sizes) -> Model | None:
        """Return the changed model; None where it makes no sense or no difference."""
        fields = self.sets(model, sizes)
        if fields is None or _alike(model, fields, sizes):
            return None
        return model.change(**fields)


def _alike(model: Model, fields: Fields, s: Sizes) -> bool:
    """Say whether a model has these fields already, or others that mean the same."""
    if set(fields) <= BY_PLACE:
        both = (reach(s.n, s.m, x) for x in (model, model.change(**fields)))
        return all(np.array_equal(*sides) for sides in zip(*both, strict=True))
    return all(_same(name, getattr(model, name), x, s) for name, x in fields.items())


def _same(name: str, a: Any, b: Any, s: Sizes) -> bool:
    if name == "scale":
        a, b = (scale_of(x, s.d, s.n_heads) for x in (a, b))
        return bool(abs(b - a) < 1e-6 * abs(a))
    return a is b or (np.ndim(a) == np.ndim(b) == 0 and bool(a == b))


def _fitting(
    field: str, x: Any, fits: Callable[[Any, Model, Sizes], Any], model: Model, s: Sizes
) -> Fields | None:
    return {field: x} if fits(x, model, s) else None


def rows(
    field: str,
    table: Mapping[str, str | tuple[str, Any]],
    source: str,
    *,
    fits: Callable[[Any, Model, Sizes], Any] = lambda x, model, s: True,
    sets: Callable[[Any, Model, Sizes], Fields | None] | None = None,
    rare: bool = False,
    within: str = "{}",
) -> Iterator[Value]:
    """Yield a value for each row of a table: its name, and its words within others.

    The field gets the name, or what stands beside the words, where that `fits` the
    model and the sizes; or `sets` returns the fields.
    """
    for name, row in table.items():
        words, x = (row, name) if isinstance(row, str) else row
        change = partial(sets, x) if sets else partial(_fitting, field, x, fits)
        yield Value(field, name, within.format(words), change, source, rare)


# Scores: their scale, their cap, and how queries and keys are compared.

SCALE_SOURCES = {
    "1/√d_k": "Vaswani et al. 2017, equation 1",
    "1 (none)": "T5 (Raffel et al. 2020): the scale is in the weights",
    "1/d_k": "muP (Yang et al. 2022)",
    "log2(e)/√d_k (exp for exp2)": "kernels that compute exp2, and scale for it",
    "1/√(n_heads·d_k)": "the width of the model in place of that of a head",
}
TIMES = "scores are multiplied by {}"
# Tried together with another value.
USUAL = ("1/√d_k", "1 (none)", "1/d_k", "√d_k", "−1/√d_k (negated)")
BY_LENGTH: dict[str, tuple[str, Callable[[Model, Sizes], float]]] = {
    "1/√n_keys": ("1/√n_keys", lambda model, s: float(s.m**-0.5)),
    "1/√n_queries": ("1/√n_queries", lambda model, s: float(s.n**-0.5)),
}
TWICE = {"twice": ("scores are scaled twice", lambda model, s: _scale(model, s) ** 2)}
NO_SCORES = {
    "0": ("scores do not count: all keys that a query sees weigh the same", 0.0)
}
LATE = {"after the softmax": "the scale comes after the softmax"}
CAPS = {
    f"{cap:g}": (f"scores are capped at {cap:g}", cap) for cap in (20.0, 30.0, 50.0)
}
WRONG_CAPS: dict[str, tuple[str, Callable[[float, float], Fields]]] = {
    "before the scale": (
        "the cap comes before the scale",
        lambda cap, scale: {"softcap": cap * abs(scale)},
    ),
    "not multiplied": (
        "tanh is not multiplied by the cap",
        lambda cap, scale: {"softcap": 1.0, "scale": scale / cap},
    ),
    "not divided": (
        "scores are not divided by the cap before tanh",
        lambda cap, scale: {"scale": scale * cap},
    ),
    "clipped": (
        "scores are clipped at the cap, without tanh",
        lambda cap, scale: {"squash": "clip"},
    ),
}
PRODUCTS = {
    "cosine": "scores are cosines",
    "rms": "queries and keys are divided by their root mean square",
    **{
        x: f"queries and keys are divided by √(mean square + {EPS[x]:.2g})" for x in EPS
    },
    "distance": "scores are distances, negated",
    "squared distance": "scores are squared distances, negated",
    "halves": "the keys' first and last halves of columns are exchanged",
    "reversed": "the keys' columns are in reversed order",
    "reshaped": "keys are reshaped to (d, n_keys), not transposed",
}
COLUMNS: dict[str, tuple[str, Callable[[int], int]]] = {
    "half of them": ("half of them", lambda d: d // 2),
    "all but one": ("all but one", lambda d: d - 1),
    "full blocks of 16": ("full blocks of 16", lambda d: d - d % 16),
    "full blocks of 32": ("full blocks of 32", lambda d: d - d % 32),
    "full blocks of 64": ("full blocks of 64", lambda d: d - d % 64),
}


def _always(fields: Fields, model: Model, s: Sizes) -> Fields | None:
    return fields


def _scale(model: Model, s: Sizes) -> Any:
    return scale_of(model.scale, s.d, s.n_heads)


def _scaled(name: str, model: Model, s: Sizes) -> Fields | None:
    is_number = math.isfinite(scale_of(name, s.d, s.n_heads))
    return {"scale": name} if is_number and _scale(model, s) else None


def _of_sizes(
    rule: Callable[[Model, Sizes], float], model: Model, s: Sizes
) -> Fields | None:
    """Set a scale, unless a rule of SCALES gives the same."""
    x, known = rule(model, s), (scale_of(name, s.d, s.n_heads) for name in SCALES)
    return None if any(abs(x / y - 1) < 1e-6 for y in known) else {"scale": x}


def _late(name: str, model: Model, s: Sizes) -> Fields | None:
    scale = _scale(model, s)
    usual = s.d**-0.5 if scale == 1 else scale
    once = model.factor == 1.0 and usual != 1
    return {"scale": 1.0, "factor": usual} if once else None


def _wrongly_capped(
    fields: Callable[[float, float], Fields], model: Model, s: Sizes
) -> Fields | None:
    if model.softcap is None:
        return None
    return fields(model.softcap, _scale(model, s))


def _shortened(end: Callable[[int], int], model: Model, s: Sizes) -> Fields | None:
    return {"columns": (0, end(s.d))} if 0 < end(s.d) < s.d else None


def scores() -> Iterator[Value]:
    """Yield the values of scale, softcap, product and columns."""
    for name in SCALES:
        words, source = TIMES.format(name), SCALE_SOURCES.get(name)
        sets, rare = partial(_scaled, name), name not in USUAL
        yield Value("scale", name, words, sets, source or "a slip in the scale", rare)
    source = "n in place of d_k"
    yield from rows("scale", BY_LENGTH, source, sets=_of_sizes, rare=True, within=TIMES)
    yield from rows("scale", TWICE, "two layers scale", sets=_of_sizes)
    source = "a mask that is added twice: harvard-edge/cs249r_book#1785"
    yield from rows("scale", NO_SCORES, source, fits=_many_keys, rare=True)
    yield from rows("scale", LATE, "google-research ViT ports", sets=_late)
    none = {"none": ("scores are not capped", None)}
    yield from rows("softcap", none, "a cap that is dropped")
    last = {"after the mask": ("the cap follows the mask", "mask, cap")}
    source = "a cap that brings masked scores back"
    yield from rows("order", last, source, fits=lambda x, model, s: model.softcap)
    yield from rows("softcap", CAPS, "Gemma 2 (2024), Grok-1 (2024)")
    yield from rows("softcap", WRONG_CAPS, "a slip in the cap", sets=_wrongly_capped)
    yield from rows("product", PRODUCTS, "QK-norm (Henry et al. 2020), …")
    source, within = "a loop over columns", "only the first columns are multiplied, {}"
    yield from rows(
        "columns", COLUMNS, source, sets=_shortened, rare=True, within=within
    )


# Positions inside of attention: rotary embeddings and ALiBi.

# Rotary embeddings of which a half is wrong: words, and the fields.
HALF_TURNS: dict[str, tuple[str, dict[str, Any]]] = {
    "queries alone": ("only the queries are rotated", {"only": "q"}),
    "keys alone": ("only the keys are rotated", {"only": "k"}),
    "keys one later": ("the keys are rotated by one place more", {"late": 1}),
    "keys one earlier": ("the keys are rotated by one place less", {"late": -1}),
    "values too": ("the values are rotated, too", {"values": True}),
    "apart": ("queries and keys are rotated in opposite directions", {"apart": True}),
    "laid out for the other pairs": (
        "the angles are laid out for pairs of {other}, and columns rotated in others",
        {"laid": True},
    ),
    "not conjugate": (
        "queries and keys are multiplied as complex numbers, with no conjugate",
        {"conjugate": True},
    ),
}
ALIBI = {"alibi": "ALiBi is added to the scores"}


def _can_rotate(rotary: dict[str, Any], model: Model, s: Sizes) -> bool:
    odd = s.d % 2 or (len(rotary) > 1 and s.d_v % 2)
    return not odd and model.rotary is None


def _alibi(name: str, model: Model, s: Sizes) -> Fields | None:
    slopes = -np.asarray(alibi_bias(s.n_heads, 2))[:, 1, 0]
    return None if model.slopes is not None else {"slopes": slopes}


def positions() -> Iterator[Value]:
    """Yield the values of rotary and slopes."""
    for how, other in (("halves", "neighbors"), ("neighbors", "halves")):
        rotary = {"interleaved": how == "neighbors"}
        words = f"queries and keys are rotated (rotary, pairs of {how}, base 10,000)"
        source = "RoFormer (Su et al. 2021), section 3.4.2"
        yield from rows("rotary", {how: (words, rotary)}, source, fits=_can_rotate)
        wrong = {
            f"{name}, {how}": (
                f"{words.format(other=other)} (pairs of {how})",
                rotary | more,
            )
            for name, (words, more) in HALF_TURNS.items()
        }
        source = "half a rotation"
        yield from rows("rotary", wrong, source, fits=_can_rotate, rare=True)
    source = "ALiBi (Press et al. 2021), section 3"
    yield from rows("slopes", ALIBI, source, sets=_alibi)


# Who sees whom by place: causal masks, offsets, windows, blocks, chunks.

ALIGNMENTS: dict[str, tuple[str, tuple[Bounds, str]]] = {
    "none": ("no causal mask: every query sees every key", ((None, None), "start")),
    "start": ("causal, aligned at the first query (j ≤ i)", ((None, 0), "start")),
    "end": ("causal, aligned at the last key (j ≤ i + m − n)", ((None, 0), "end")),
    "strict": ("only keys before its own (j < i)", ((None, -1), "start")),
    "strict at the end": ("only keys before its own, at the end", ((None, -1), "end")),
    "one-too-many": ("one key too many (j ≤ i + 1)", ((None, 1), "start")),
    "one-too-many at the end": ("one key too many, at the end", ((None, 1), "end")),
    "inverted": ("only later keys (j > i): inverted", ((-1, None), "start")),
    "inverted with its own": ("this and later keys (j ≥ i)", ((0, None), "start")),
    "inverted at the end": ("only later keys, aligned at the end", ((-1, None), "end")),
}
FROM_0 = {
    "ignored": "queries are counted from 0, and not from the offset that was meant"
}
SHIFTS = {
    "one less": ("positions are too small by one", -1),
    "one more": ("positions are too large by one", 1),
}
SIDES: dict[str, tuple[str, Callable[[int, int], Bounds]]] = {
    "one more to the left": ("has one key more to the left", lambda a, b: (a + 1, b)),
    "one less to the left": ("has one key less to the left", lambda a, b: (a - 1, b)),
    "one more to the right": ("has one key more to the right", lambda a, b: (a, b + 1)),
    "one less to the right": ("has one key less to the right", lambda a, b: (a, b - 1)),
    "sides exchanged": ("has its sides exchanged", lambda a, b: (b, a)),
    "left alone": ("has its left side alone", lambda a, b: (a, 0)),
    "right alone": ("has its right side alone", lambda a, b: (0, b)),
    "unlimited right": ("is unlimited to the right", lambda a, b: (a, None)),
    "both sides": ("is as wide to the right", lambda a, b: (a, a)),
    "halved": ("is halved", lambda a, b: (a // 2, b // 2)),
}
IGNORED = {"ignored": "the window is ignored"}
BLOCKED = {size: f"of {size}" for size in (4, 8, 16, 32, 64, 128)}
TILES = {f"blocks {of}": (of, size) for size, of in BLOCKED.items()}
CHUNKS = {f"chunks {of}": (of, Rule("chunks", size)) for size, of in BLOCKED.items()}
OWN_BLOCK = "a query sees all keys of its own block {}, later ones too"
OWN_CHUNK = "a query sees only keys of its own chunk {}"
CORNERS = "attnlib, SDPA of PyTorch: start; FlashAttention 2.1, ONNX: end"
WINDOWS = "Mistral 7B (2023); too long by one: zml#763; ignored: sglang#30050"


def _aligned(to: tuple[Bounds, str], model: Model, s: Sizes) -> Fields | None:
    window, corner = to
    if corner == "end" and s.n == s.m:
        return None
    return {"window": window, "corner": corner, "offset": 0}


def _from_0(name: str, model: Model, s: Sizes) -> Fields | None:
    # Without a left side, it is an alignment, and has that name.
    return None if model.window[0] is None else {"offset": 0}


def _shifted(by: int, model: Model, s: Sizes) -> Fields | None:
    free = model.window == (None, None)
    return None if free else {"offset": model.offset + by}


def _sides(
    sides_of: Callable[[int, int], Bounds], model: Model, s: Sizes
) -> Fields | None:
    left, right = model.window
    return None if left is None or right is None else {"window": sides_of(left, right)}


def _ignored(name: str, model: Model, s: Sizes) -> Fields | None:
    left, right = model.window
    return None if left is None else {"window": (None, right)}


def _tiles(size: int, model: Model, s: Sizes) -> Fields | None:
    if model.window[1] is None or model.offset or s.n != s.m or s.n <= size:
        return None
    return {"window": (model.window[0], None), "picture": Rule("blocks", size)}


def _fits_chunks(rule: Rule, model: Model, s: Sizes) -> bool:
    return not np.ndim(model.offset) and s.n > rule.size


def windows() -> Iterator[Value]:
    """Yield the values of window, offset, blocks and chunks."""
    yield from rows("window", ALIGNMENTS, CORNERS, sets=_aligned)
    yield from rows("offset", FROM_0, "mlx-vlm#1619", sets=_from_0)
    yield from rows("offset", SHIFTS, "a cache that counts", sets=_shifted)
    yield from rows("window", SIDES, WINDOWS, sets=_sides, within="the window {}")
    yield from rows("window", IGNORED, WINDOWS, sets=_ignored)
    source = "diagonal tiles"
    yield from rows("picture", TILES, source, sets=_tiles, rare=True, within=OWN_BLOCK)
    yield from rows("picture", CHUNKS, "Llama 4", fits=_fits_chunks, within=OWN_CHUNK)


# A mask that is passed, and keys at an end that are lost.

NARROWED: dict[str, tuple[str, Any]] = {
    "of the first batch item": ("batch items get the mask of the first", np.s_[:1]),
    "of the first head": ("heads get the mask of the first", np.s_[:, :1]),
}
BIASES: dict[str, tuple[str, Callable[[Model, Sizes], float]]] = {
    "subtracted": ("subtracted, not added", lambda model, s: -1.0),
    "added twice": ("added twice", lambda model, s: 2.0),
    "scaled": ("added before the scale: it is scaled with the scores", _scale),
}
FILLS = {
    "0 for −∞": ("0, not −∞: they are multiplied, or filled with 0", 0.0),
    "-10 for −∞": ("−10, not −∞", -10.0),
    "1 for −∞": ("1, not −∞", 1.0),
    "-100 for −∞": ("a low number, not −∞ (−100 fits)", -100.0),
}
LOW_FILLS = {  # (the calls do not tell which number it is)
    f"{fill:g} for −∞": (f"a low number, not −∞ (−{-fill:,.0f} fits)", fill)
    for fill in (-1e3, -1e4, -1e5)
}


def _all_but_the_tail(block: int, j: np.ndarray, m: int) -> np.ndarray:
    return j < (m - m % block or m)


def _full_blocks(block: int, j: np.ndarray, m: int) -> np.ndarray:
    return j < m - m % block


def _first_block(block: int, j: np.ndarray, m: int) -> np.ndarray:
    return j < block


def _last_block(block: int, j: np.ndarray, m: int) -> np.ndarray:
    return np.asarray(j // block == (m - 1) // block)


LOST_TAILS = {
    f"after blocks of {b}": (f"{b} are dropped", partial(_all_but_the_tail, b))
    for b in (16, 32, 64, 128, 256, 8)
}
LOST_SHORT = {
    f"but full blocks of {b}": (f"of {b} are seen", partial(_full_blocks, b))
    for b in (8, 16, 32, 64, 128)
}
LOST_BLOCKS = {
    f"but the {end} {b}": (f"the {end} block of {b} keys", partial(sees, b))
    for b in (8, 16, 32, 64, 128)
    for end, sees in (("first", _first_block), ("last", _last_block))
}
LOST_ENDS: dict[str, tuple[str, Sees]] = {
    "the last key": ("last", lambda j, m: (j != m - 1) | (m == 1)),
    "the first key": ("first", lambda j, m: (j != 0) | (m == 1)),
}


def _hides(x: Any, model: Model, s: Sizes) -> bool:
    """Say whether a model hides any key."""
    by_place = model.window != (None, None) or model.picture is not None
    return by_place or model.allowed is not None or model.lost is not None


def _inverted(name: str, model: Model, s: Sizes) -> Fields | None:
    return None if model.allowed is None else {"allowed": ~model.allowed}


def _added(name: str, model: Model, s: Sizes) -> Fields | None:
    if model.allowed is None:
        return None
    return {"allowed": None, "bias": model.allowed.astype(float)}


def _turned(name: str, model: Model, s: Sizes) -> Fields | None:
    mask = model.allowed
    if mask is None or mask.ndim < 2 or mask.shape[-1] != mask.shape[-2]:
        return None
    return {"allowed": mask.swapaxes(-1, -2)}


def _narrowed(part: Any, model: Model, s: Sizes) -> Fields | None:
    """Take a part of a mask (b, h, n, m) that has more, and give it to all."""
    name = "allowed" if model.allowed is not None else "bias"
    mask = getattr(model, name)
    if np.ndim(mask) != 4 or mask[part].shape == mask.shape:
        return None
    return {name: mask[part]}


def _biased(
    factor: Callable[[Model, Sizes], float], model: Model, s: Sizes
) -> Fields | None:
    return None if model.bias is None else {"bias": factor(model, s) * model.bias}


def _loses(sees: Sees, model: Model, s: Sizes) -> bool:
    return not sees(np.arange(s.m), s.m).all()


def masks() -> Iterator[Value]:
    """Yield the values of allowed, bias, fill, masked, empty and lost keys."""
    mean, source = "a fully masked row is a mean of all values", "a least number for −∞"
    yield from rows("empty", {"mean": mean}, source, fits=_hides)
    ignored = {"ignored": ("the mask is ignored", {"allowed": None, "bias": None})}
    yield from rows("allowed", ignored, "mask dropped", sets=_always)
    inverted = {"may not attend": "True is read as: may not attend"}
    yield from rows("allowed", inverted, "MultiheadAttention", sets=_inverted)
    added = {"added": "the mask is added as 0 and 1"}
    yield from rows("allowed", added, "mlx#2626", sets=_added)
    turned = {"transposed": "queries and keys of the mask are exchanged"}
    yield from rows("allowed", turned, "a mask transposed", sets=_turned)
    source, within = "a stride of 0", "all {}"
    yield from rows(
        "allowed", NARROWED, source, sets=_narrowed, rare=True, within=within
    )
    source, within = "a slip in adding the mask", "the mask is {}"
    yield from rows("bias", BIASES, source, sets=_biased, rare=True, within=within)
    after = {
        "multiplied after": ("masked weights are set to 0 after the softmax", "after")
    }
    yield from rows("masked", after, "a mask on weights", fits=_hides)
    number, becomes = "masked_fill's number", "hidden scores become {}"
    yield from rows("fill", FILLS, number, fits=_hides, within=becomes)
    yield from rows("fill", LOW_FILLS, number, fits=_hides, rare=True, within=becomes)
    tail, within = (
        "the tail of a loop over blocks",
        "the keys after the last full block of {}",
    )
    yield from rows("lost", LOST_TAILS, tail, fits=_loses, within=within)
    within = "only keys of full blocks {}: of fewer keys, none"
    yield from rows("lost", LOST_SHORT, tail, fits=_loses, rare=True, within=within)
    source, within = "sums not kept from block to block", "only {} is seen"
    yield from rows("lost", LOST_BLOCKS, source, fits=_loses, rare=True, within=within)
    source, within = "an end too early", "the {} key is never seen"
    yield from rows("lost", LOST_ENDS, source, fits=_loses, within=within)


# The softmax: what it sums over, and how blocks of keys are put together.

SUMS = {
    "queries": "softmax runs over the queries",
    "heads": "softmax runs over the heads",
    "all": "softmax runs over all pairs of queries and keys",
    "no": "weights are exp(score), divided by nothing",
    "no, less the largest": "weights are exp(score − largest), divided by nothing",
    "sigmoid": "weights are sigmoids",
    "twice": "softmax is taken twice",
    "relu": "weights are the positive scores, divided by their sum",
    "linear": "weights are the scores: there is no softmax",
    "hard": "the largest score takes all the weight",
    "key maximum": "the largest score of each key is subtracted, not that of each "
    "query",
    "maximum of another": "from the scores of key j, the largest of query j is "
    "subtracted: an axis is missing",
}
SINK = {"sink": "1 is added to every sum (a sink of 0)"}
PADS = {f"blocks of {size}": (f"{size}", size) for size in (8, 16, 32, 64, 128)}
IN_BLOCKS = {name: (words, (name, least)) for name, (least, _, words) in BLOCKS.items()}
STARTS = {
    "no maximum subtracted": (
        "the largest score of a row is not subtracted",
        {"normalized": "keys, no maximum"},
    ),
    "−50,000": ("the running maximum starts at −50,000, not at −∞", {"lowest": -5e4}),
    "0": ("the running maximum starts at 0, not at −∞", {"lowest": 0.0}),
}


def _summed(name: str, model: Model, s: Sizes) -> Fields | None:
    square = s.n == s.m or name != "maximum of another"
    fits = name != model.normalized and square and s.m > 0
    return {"normalized": name, "sink": None} if fits else None


def _in_blocks(of: tuple[str, int], model: Model, s: Sizes) -> Fields | None:
    name, least = of
    return _summed(name, model, s) if s.m > least else None


def _sink(name: str, model: Model, s: Sizes) -> Fields | None:
    new = model.sink is None
    return {"normalized": "sink", "sink": np.zeros(1)} if new else None


def softmaxes() -> Iterator[Value]:
    """Yield the values of normalized, sink and pad."""
    source = "another axis, or a step left out"
    yield from rows("normalized", SUMS, source, sets=_summed)
    source = "off by one (Miller 2023); sinks of gpt-oss (2025); dropped: vllm#52156"
    yield from rows("normalized", SINK, source, sets=_sink)
    yield from rows(
        *("pad", PADS, "padding that takes part"),
        fits=lambda size, model, s: s.m % size,
        rare=True,
        within="keys of 0 that fill a block of {} are attended to",
    )
    source = "online softmax (Milakov and Gimelshein 2018), FlashAttention (2022)"
    yield from rows("normalized", IN_BLOCKS, source, sets=_in_blocks, rare=True)


# What is used as what: queries, keys, values, heads, and the output's order.

ROLES = {
    "qvk": "keys and values are exchanged",
    "qkk": "keys are used as values",
    "qvv": "values are used as keys",
    "kqv": "queries and keys are exchanged",
    "kkv": "keys are used as queries",
    "qqv": "queries are used as keys",
    "qkq": "queries are used as values",
}
VALUES = {
    "reversed": "the values are read in reversed order",
    "one later": "each weight goes to the value after its own",
    "one earlier": "each weight goes to the value before its own",
}
TURNED = {
    "transposed weights": (
        "the weights are transposed before the product with the values",
        "of transposed weights",
    )
}
INPUTS = {
    "not transposed": "heads are split off by a reshape without a transpose",
    "not transposed back": "the inputs are read as if tokens came before heads",
    "queries not transposed": "the queries alone are reshaped without a transpose",
    "keys not transposed": "the keys alone are reshaped without a transpose",
    "values not transposed": "the values alone are reshaped without a transpose",
    "queries one head later": "each head reads the queries of the head before it",
    "queries one head earlier": "each head reads the queries of the head after it",
    "values of reversed heads": "the heads of the values are in reversed order",
    "keys one later": "keys stand one place too late: the first is 0, the last is lost",
    "keys one earlier": "keys stand one place too early: the first is lost, the last "
    "is 0",
    "values one later": "values stand one place too late: the first is 0, the last is "
    "lost",
    "values one earlier": "values stand one place too early: the first is lost, the "
    "last is 0",
    "queries one place later": "queries stand one place too late: the first is 0",
}
OUTPUTS = {
    "columns one later": "the output's columns are one too late",
    "columns one earlier": "the output's columns are one too early",
    "heads reversed": "the output's heads are in reversed order",
    "heads one later": "each head's output stands where the next head's belongs",
    "heads one earlier": "each head's output stands where the head before it belongs",
    "heads exchanged in pairs": "the outputs of heads 0 and 1, 2 and 3 … are exchanged",
    "not transposed": "the output's heads are put side by side without a transpose",
    "not transposed back": "the output is read as if tokens came before heads",
    "last query 0": "the output of the last query is 0",
}
ADDED = {"q": "queries", "k": "keys", "v": "values"}
LAYOUTS = {
    "bnhd": "heads and tokens are exchanged: arrays are read as (batch, tokens, heads)"
}
GROUPS = {
    "tile": "query heads share key heads in turn (tile)",
    "first": "all query heads read the first key head",
    "by count": "query head h reads key head h ÷ n_kv_heads, not h ÷ (n_heads ÷ "
    "n_kv_heads)",
}


def _many_keys(x: Any, model: Model, s: Sizes) -> bool:
    return s.m > 1


def _as_large(name: str, model: Model, s: Sizes) -> bool:
    """Say whether arrays can take each other's places."""
    square = s.n == s.m and s.n_heads == s.n_kv_heads
    moved = "v" in name[:2] or name[2] != "v"
    return (s.d == s.d_v or not moved) and (
        square or not (name[0] == "k" or "q" in name[1:])
    )


def _shared(name: str, model: Model, s: Sizes) -> bool:
    same = s.n_kv_heads == 1
    same |= name != "first" and s.n_kv_heads == s.n_heads
    return not (same or (name == "by count" and s.n_heads == s.n_kv_heads**2))


def _many_inputs(name: str, model: Model, s: Sizes) -> bool:
    by_place = name.startswith(("keys one", "values one", "queries one place"))
    heads = s.n_kv_heads if name.startswith(("keys", "values")) else s.n_heads
    return (s.m if by_place else heads) > 1


def _many_outputs(name: str, model: Model, s: Sizes) -> bool:
    by_head = name.startswith(("heads", "not transposed"))
    return (s.n_heads if by_head else min(s.n, s.d_v)) > 1


def _addable(role: str, model: Model, s: Sizes) -> bool:
    return (role == "v" or s.d == s.d_v) and (role == "q" or s.n == s.m)


def _other_layout(name: str, model: Model, s: Sizes) -> bool:
    unmasked = model.allowed is None and model.bias is None
    return s.n_heads > 1 and s.n == s.m and unmasked


def roles() -> Iterator[Value]:
    """Yield the values of roles, values, grouping, takes, gives, adds and layout."""
    yield from rows("roles", ROLES, "names", fits=_as_large)
    yield from rows("values", VALUES, "an index that is off", fits=_many_keys)
    yield from rows(
        *("values", TURNED, "one transpose too many"),
        fits=lambda x, model, s: s.n == s.m > 1,
        rare=True,
    )
    gqa = "GQA (Ainslie et al. 2023): repeat"
    yield from rows("grouping", GROUPS, gqa, fits=_shared)
    shifted = "heads or rows shifted"
    yield from rows("takes", INPUTS, shifted, fits=_many_inputs, rare=True)
    yield from rows("gives", OUTPUTS, "heads or columns moved", fits=_many_outputs)
    source, within = "a residual sum inside", "the {} are added to the output"
    yield from rows("adds", ADDED, source, fits=_addable, within=within)
    yield from rows("layout", LAYOUTS, "mlx#3585", fits=_other_layout, rare=True)


ALL: tuple[Value, ...] = (
    *scores(),
    *positions(),
    *windows(),
    *masks(),
    *softmaxes(),
    *roles(),
)
# What ordinary scores do not show.
LARGE = tuple(
    rows("lowest", STARTS, "zeroed heads: flash-attention#2082", sets=_always)
)
DOMAIN: dict[str, list[Value]] = {}
for _value in (*ALL, *LARGE):
    DOMAIN.setdefault(_value.field, []).append(_value)
