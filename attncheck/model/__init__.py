"""Attention in float64 with every convention as a field: right ones and wrong ones."""

from attncheck.model.attending import (
    EPS,
    NORMALIZED,
    Attended,
    attend,
    band,
    products,
    relative_bias,
)
from attncheck.model.domain import ALL, DOMAIN, HALF_TURNS, LARGE, Value
from attncheck.model.fields import (
    SCALES,
    WRONG,
    Bounds,
    Measured,
    Model,
    Rule,
    Sizes,
    heads_alike,
    of_first,
    scale_of,
)
from attncheck.model.moves import rotate

__all__ = [
    "ALL",
    "DOMAIN",
    "EPS",
    "HALF_TURNS",
    "LARGE",
    "NORMALIZED",
    "SCALES",
    "WRONG",
    "Attended",
    "Bounds",
    "Measured",
    "Model",
    "Rule",
    "Sizes",
    "Value",
    "attend",
    "band",
    "heads_alike",
    "of_first",
    "products",
    "relative_bias",
    "rotate",
    "scale_of",
]
