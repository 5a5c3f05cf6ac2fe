"""The catalogue: each known mistake is attention with one convention changed."""

from __future__ import annotations

from attncheck.mistakes.bands import bands
from attncheck.mistakes.masks import masks
from attncheck.mistakes.mistake import Mistake, Sizes
from attncheck.mistakes.scores import scores
from attncheck.mistakes.softmax import only_large, softmaxes
from attncheck.mistakes.values import roles

__all__ = ["Mistake", "Sizes", "catalogue", "only_large"]


def catalogue() -> list[Mistake]:
    """Return all known mistakes."""
    return [*scores(), *bands(), *masks(), *softmaxes(), *roles()]
