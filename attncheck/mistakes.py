"""The catalogue: each known mistake is attention with one convention changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attncheck.model import SCALES, Model, scale_of
from attnlib import alibi_bias


class Sizes(NamedTuple):
    """The sizes of a run."""

    n_heads: int
    n_kv_heads: int
    n: int
    m: int
    d: int
    d_v: int


@dataclass(frozen=True)
class Mistake:
    """One convention changed.

    Attributes
    ----------
    code : str
    group : str
        Two mistakes of a group exclude each other.
    sentence : str
    change : function of a Model and Sizes
        Returns the changed model, or None where it makes no sense or no difference.
    """

    code: str
    group: str
    sentence: str
    change: Callable[[Model, Sizes], Model | None]


def catalogue() -> list[Mistake]:
    """Return all known mistakes."""
    return [
        *_scales(),
        *_windows(),
        *_masks(),
        *_sums(),
        *_roles(),
        *_caps(),
        *_positions(),
        *_tails(),
    ]


def _scales() -> Iterator[Mistake]:
    for name in SCALES:

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            now = scale_of(model.scale, s.d, s.n_heads)
            new = scale_of(name, s.d, s.n_heads)
            same = not np.isfinite(new) or abs(new / now - 1) < 1e-6 if now else True
            return None if same else model.change(scale=name)

        yield Mistake(
            f"scale: {name}", "scale", f"scores are multiplied by {name}", change
        )


ALIGNMENTS = {
    "none": ((None, None), "start", "no causal mask: every query sees every key"),
    "start": ((None, 0), "start", "causal, aligned at the first query (j ≤ i)"),
    "end": ((None, 0), "end", "causal, aligned at the last key (j ≤ i + m − n)"),
    "strict": ((None, -1), "start", "only keys before its own (j < i)"),
    "strict at the end": ((None, -1), "end", "only keys before its own, at the end"),
    "one-too-many": ((None, 1), "start", "one key too many (j ≤ i + 1)"),
    "one-too-many at the end": ((None, 1), "end", "one key too many, at the end"),
    "inverted": ((1, None), "start", "only later keys (j > i): inverted"),
    "inverted with its own": ((0, None), "start", "this and later keys (j ≥ i)"),
    "inverted at the end": ((1, None), "end", "only later keys, aligned at the end"),
}
LEFTS = {"inverted": -1, "inverted at the end": -1}


def _masks() -> Iterator[Mistake]:
    for name, (window, corner, words) in ALIGNMENTS.items():
        sides = (LEFTS.get(name, window[0]), window[1])

        def change(
            model: Model, s: Sizes, sides: tuple = sides, corner: str = corner
        ) -> Model | None:
            if corner == "end" and s.n == s.m:
                return None
            return _unless_same(
                model, model.change(window=sides, corner=corner, offset=0), s
            )

        yield Mistake(f"alignment: {name}", "band", words, change)
    yield Mistake("offset: one less", "band", "positions are one too small", _shift(-1))
    yield Mistake("offset: one more", "band", "positions are one too large", _shift(1))
    yield Mistake("mask: ignored", "mask", "the mask is ignored", _ignored)
    yield Mistake(
        "mask: may not attend", "mask", "True is read as: may not attend", _inverted
    )
    yield Mistake("mask: added", "mask", "the mask is added as 0 and 1", _added)
    yield Mistake(
        "mask: transposed",
        "mask",
        "queries and keys of the mask are exchanged",
        _turned,
    )
    yield Mistake(
        "mask: multiplied after",
        "after",
        "what is forbidden is set to 0 after the softmax",
        _after,
    )
    yield Mistake("mask: −10,000 for −∞", "after", "a row of nobody is a mean", _mean)


def _unless_same(model: Model, changed: Model, s: Sizes) -> Model | None:
    from attncheck.model import band

    same = np.array_equal(band(s.n, s.m, model), band(s.n, s.m, changed))
    return None if same else changed


def _shift(by: int) -> Callable[[Model, Sizes], Model | None]:
    def change(model: Model, s: Sizes) -> Model | None:
        if model.window == (None, None):
            return None
        return _unless_same(model, model.change(offset=model.offset + by), s)

    return change


def _ignored(model: Model, s: Sizes) -> Model | None:
    if model.allowed is None and model.bias is None:
        return None
    return model.change(allowed=None, bias=None)


def _inverted(model: Model, s: Sizes) -> Model | None:
    return None if model.allowed is None else model.change(allowed=~model.allowed)


def _added(model: Model, s: Sizes) -> Model | None:
    if model.allowed is None:
        return None
    return model.change(allowed=None, bias=model.allowed.astype(float))


def _turned(model: Model, s: Sizes) -> Model | None:
    mask = model.allowed
    if mask is None or mask.ndim < 2 or mask.shape[-1] != mask.shape[-2]:
        return None
    return model.change(allowed=mask.swapaxes(-1, -2))


def _after(model: Model, s: Sizes) -> Model | None:
    hidden = model.window != (None, None) or model.allowed is not None
    return model.change(masked="after") if hidden else None


def _mean(model: Model, s: Sizes) -> Model | None:
    hidden = model.window != (None, None) or model.allowed is not None
    return model.change(empty="mean") if hidden and model.empty != "mean" else None


def _windows() -> Iterator[Mistake]:
    for side, by in ((0, 1), (0, -1), (1, 1), (1, -1)):

        def change(
            model: Model, s: Sizes, side: int = side, by: int = by
        ) -> Model | None:
            sides = list(model.window)
            if model.window[0] is None or sides[side] is None:
                return None
            sides[side] += by  # type: ignore[operator]
            return _unless_same(model, model.change(window=tuple(sides)), s)

        where, words = ("left", "right")[side], "more" if by > 0 else "less"
        yield Mistake(
            f"window: one {words} to the {where}",
            "window",
            f"the window has one key {words} to the {where}",
            change,
        )
    yield Mistake("window: ignored", "window", "the window is ignored", _no_window)


def _no_window(model: Model, s: Sizes) -> Model | None:
    left, right = model.window
    if left is None:
        return None
    return _unless_same(model, model.change(window=(None, right)), s)


SUMS = {
    "queries": "softmax runs over the queries",
    "heads": "softmax runs over the heads",
    "all": "softmax runs over all pairs of queries and keys",
    "no": "weights are exp(score), divided by nothing",
    "no, less the largest": "weights are exp(score − largest), divided by nothing",
    "sigmoid": "weights are sigmoids",
}


def _sums() -> Iterator[Mistake]:
    for name, words in SUMS.items():

        def change(model: Model, s: Sizes, name: str = name) -> Model | None:
            if name == model.normalized or (name == "heads" and s.n_heads == 1):
                return None
            if name == "queries" and s.n == 1:
                return None
            return model.change(normalized=name, sink=None)

        yield Mistake(f"normalized: {name}", "sum", words, change)
    yield Mistake(
        "normalized: sink", "sum", "1 is added to every sum (a sink of 0)", _sink
    )


def _sink(model: Model, s: Sizes) -> Model | None:
    zero = np.zeros(1)
    return (
        None if model.sink is not None else model.change(normalized="sink", sink=zero)
    )


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


def _roles() -> Iterator[Mistake]:
    for roles, words in ROLES.items():

        def change(model: Model, s: Sizes, roles: str = roles) -> Model | None:
            square = s.n == s.m and s.n_heads == s.n_kv_heads
            if s.d != s.d_v and "v" in roles[:2] + ("" if roles[2] == "v" else "v"):
                return None
            if not square and (roles[0] == "k" or "q" in roles[1:]):
                return None
            return model.change(roles=roles)

        yield Mistake(f"roles: {roles}", "roles", words, change)
    for values, words in VALUES.items():

        def reorder(model: Model, s: Sizes, values: str = values) -> Model | None:
            return None if s.m == 1 else model.change(values=values)

        yield Mistake(f"values: {values}", "values", words, reorder)
    yield Mistake(
        "grouping: tile", "heads", "query heads share key heads in turn (tile)", _tile
    )


def _tile(model: Model, s: Sizes) -> Model | None:
    plain = s.n_kv_heads in (1, s.n_heads)
    return None if plain or model.grouping == "tile" else model.change(grouping="tile")


def _caps() -> Iterator[Mistake]:
    yield Mistake("softcap: none", "cap", "scores are not capped", _uncapped)
    yield Mistake(
        "softcap: after the mask", "order", "the cap follows the mask", _cap_last
    )
    for cap in (20.0, 30.0, 50.0):

        def change(model: Model, s: Sizes, cap: float = cap) -> Model | None:
            return None if model.softcap == cap else model.change(softcap=cap)

        yield Mistake(
            f"softcap: {cap:g}", "cap", f"scores are capped at {cap:g}", change
        )


def _uncapped(model: Model, s: Sizes) -> Model | None:
    return None if model.softcap is None else model.change(softcap=None)


def _cap_last(model: Model, s: Sizes) -> Model | None:
    return None if model.softcap is None else model.change(order="mask, cap")


def _positions() -> Iterator[Mistake]:
    for interleaved in (False, True):

        def change(model: Model, s: Sizes, pairs: bool = interleaved) -> Model | None:
            if s.d % 2 or model.rotary is not None:
                return None
            return model.change(rotary={"interleaved": pairs})

        how = "neighbors" if interleaved else "halves"
        words = f"queries and keys are rotated (rotary, pairs of {how}, base 10,000)"
        yield Mistake(f"position: rotary, {how}", "position", words, change)
    yield Mistake("position: alibi", "position", "ALiBi is added to the scores", _alibi)


def _alibi(model: Model, s: Sizes) -> Model | None:
    slopes = -np.asarray(alibi_bias(s.n_heads, 2))[:, 1, 0]
    return None if model.slopes is not None else model.change(slopes=slopes)


def _tails() -> Iterator[Mistake]:
    for block in (16, 32, 64, 128, 256):

        def change(model: Model, s: Sizes, block: int = block) -> Model | None:
            full = s.m - s.m % block
            return None if full in (0, s.m) else _hide(model, s, np.arange(s.m) < full)

        words = f"the keys after the last full block of {block} are dropped"
        yield Mistake(f"tail: blocks of {block}", "tail", words, change)
    yield Mistake("tail: the last key", "tail", "the last key is never seen", _no_last)
    yield Mistake(
        "tail: the first key", "tail", "the first key is never seen", _no_first
    )


def only_large() -> list[Mistake]:
    """Return the mistakes that ordinary scores do not show."""
    return [
        Mistake(
            "large: no maximum subtracted",
            "sum",
            "exp overflows: the largest score is not subtracted",
            lambda model, s: model.change(normalized="keys, no maximum"),
        ),
        Mistake(
            "large: a maximum from −50,000",
            "sum",
            "the running maximum starts at −50,000, not at −∞",
            lambda model, s: model.change(lowest=-5e4),
        ),
    ]


def _hide(model: Model, s: Sizes, seen: np.ndarray) -> Model:
    allowed = seen if model.allowed is None else model.allowed & seen
    return model.change(allowed=allowed)


def _no_last(model: Model, s: Sizes) -> Model | None:
    return None if s.m == 1 else _hide(model, s, np.arange(s.m) < s.m - 1)


def _no_first(model: Model, s: Sizes) -> Model | None:
    return None if s.m == 1 else _hide(model, s, np.arange(s.m) > 0)
