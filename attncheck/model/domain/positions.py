"""Positions inside of attention: rotary embeddings and ALiBi."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from attncheck.model.domain.value import Fields, Value
from attncheck.model.fields import Model, Sizes
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
PRESS = "ALiBi (Press et al. 2021), section 3"


def positions() -> Iterator[Value]:
    """Yield the values of rotary and slopes."""
    for pairs in (False, True):
        how, other = ("halves", "neighbors")[:: -1 if pairs else 1]
        words = f"queries and keys are rotated (rotary, pairs of {how}, base 10,000)"
        sets = partial(_rotated, {"interleaved": pairs})
        yield Value("rotary", how, words, sets, ROFORMER)
        for name, (more, half) in HALF_TURNS.items():
            words = f"{half.format(other=other)} (pairs of {how})"
            sets = partial(_half, {"interleaved": pairs, **more})
            source = "half a rotation"
            yield Value("rotary", f"{name}, {how}", words, sets, source, True)
    yield Value("slopes", "alibi", "ALiBi is added to the scores", _alibi, PRESS)


def _rotated(rotary: dict[str, Any], model: Model, s: Sizes) -> Fields | None:
    odd = s.d % 2 or model.rotary is not None
    return None if odd else {"rotary": rotary}


def _half(rotary: dict[str, Any], model: Model, s: Sizes) -> Fields | None:
    return None if s.d_v % 2 else _rotated(rotary, model, s)


def _alibi(model: Model, s: Sizes) -> Fields | None:
    slopes = -np.asarray(alibi_bias(s.n_heads, 2))[:, 1, 0]
    return None if model.slopes is not None else {"slopes": slopes}
