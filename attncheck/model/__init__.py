"""Attention in float64 with every convention as a field: right ones and wrong ones."""

from attncheck.model.attending import EPS, NORMALIZED, Attended, attend, products
from attncheck.model.blocks import BLOCKS
from attncheck.model.domain import ALL, DOMAIN, HALF_TURNS, LARGE, Sizes, Value
from attncheck.model.fields import (
    FULL,
    SCALES,
    Bounds,
    Model,
    heads_alike,
    of_first,
    scale_of,
)
from attncheck.model.masking import band, reach, relative_bias
from attncheck.model.moves import reorder, rotate
from attncheck.model.rules import WRONG, Rule

__all__ = [
    "ALL",
    "BLOCKS",
    "DOMAIN",
    "EPS",
    "FULL",
    "HALF_TURNS",
    "LARGE",
    "NORMALIZED",
    "SCALES",
    "WRONG",
    "Attended",
    "Bounds",
    "Model",
    "Rule",
    "Sizes",
    "Value",
    "attend",
    "band",
    "heads_alike",
    "of_first",
    "products",
    "reach",
    "relative_bias",
    "reorder",
    "rotate",
    "scale_of",
]
