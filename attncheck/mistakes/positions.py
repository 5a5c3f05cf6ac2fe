"""Mistakes with positions: rotary embeddings and ALiBi."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.model import Model
from attnlib import alibi_bias


def positions() -> Iterator[Mistake]:
    """Yield positions where none were meant."""
    for interleaved in (False, True):

        def change(model: Model, s: Sizes, pairs: bool = interleaved) -> Model | None:
            if s.d % 2 or model.rotary is not None:
                return None
            return model.change(rotary={"interleaved": pairs})

        how = "neighbors" if interleaved else "halves"
        words = f"queries and keys are rotated (rotary, pairs of {how}, base 10,000)"
        yield Mistake(f"position: rotary, {how}", "position", words, change)
    yield Mistake("position: alibi", "position", "ALiBi is added to the scores", _alibi)


TURNS: dict[str, tuple[dict[str, Any], str]] = {
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


def turns() -> Iterator[Mistake]:
    """Yield rotary embeddings of which a half is wrong."""
    for pairs in (False, True):
        for name, (more, words) in TURNS.items():
            rotary = {"interleaved": pairs, **more}

            def change(model: Model, s: Sizes, rotary: Any = rotary) -> Model | None:
                odd = s.d % 2 or s.d_v % 2 or model.rotary is not None
                return None if odd else model.change(rotary=rotary)

            how, other = ("halves", "neighbors")[:: -1 if pairs else 1]
            yield Mistake(
                f"rotary: {name}, {how}",
                "position",
                f"{words.format(other=other)} (pairs of {how})",
                change,
                alone=True,
            )


def _alibi(model: Model, s: Sizes) -> Model | None:
    slopes = -np.asarray(alibi_bias(s.n_heads, 2))[:, 1, 0]
    return None if model.slopes is not None else model.change(slopes=slopes)
