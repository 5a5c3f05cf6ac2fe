"""Positions inside of attention: rotary embeddings and ALiBi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from attncheck.model.domain.value import Sizes, Value
from attncheck.model.fields import Model
from attnlib import alibi_bias

# Rotary embeddings of which a half is wrong: the fields, and words.
HALF_TURNS: dict[str, tuple[dict[str, Any], str]] = {
    "queries alone": ({"only": "q"}, "only the queries are rotated"),
    "keys alone": ({"only": "k"}, "only the keys are rotated"),
    "keys one later": ({"late": 1}, "the keys are rotated by one place more"),
    "keys one earlier": ({"late": -1}, "the keys are rotated by one place less"),
    "values too": ({"values": True}, "the values are rotated, too"),
    "apart": ({"apart": True}, "queries and keys are rotated in opposite directions"),
    "laid out for the other pairs": (
        {"laid": True},
        "the angles are laid out for pairs of {other}, and columns rotated in others",
    ),
    "not conjugate": (
        {"conjugate": True},
        "queries and keys are multiplied as complex numbers, with no conjugate",
    ),
}
ROFORMER = "RoFormer (Su et al. 2021), section 3.4.2"


def positions() -> Iterator[Value]:
    """Yield the values of rotary and slopes."""
    for pairs in (False, True):
        how, other = ("halves", "neighbors")[:: -1 if pairs else 1]
        words = f"queries and keys are rotated (rotary, pairs of {how}, base 10,000)"
        yield _rotated(how, {"interleaved": pairs}, words, ROFORMER)
        for name, (more, half) in HALF_TURNS.items():
            words = f"{half.format(other=other)} (pairs of {how})"
            rotary = {"interleaved": pairs, **more}
            yield _rotated(f"{name}, {how}", rotary, words, "half a rotation", True)
    yield Value("slopes", "alibi", "ALiBi is added to the scores", _alibi, PRESS)


PRESS = "ALiBi (Press et al. 2021), section 3"


def _rotated(
    name: str, rotary: dict[str, Any], words: str, source: str, rare: bool = False
) -> Value:
    def change(model: Model, s: Sizes) -> Model | None:
        odd = s.d % 2 or model.rotary is not None or (rare and s.d_v % 2)
        return None if odd else model.change(rotary=rotary)

    return Value("rotary", name, words, change, source, rare)


def _alibi(model: Model, s: Sizes) -> Model | None:
    slopes = -np.asarray(alibi_bias(s.n_heads, 2))[:, 1, 0]
    return None if model.slopes is not None else model.change(slopes=slopes)
