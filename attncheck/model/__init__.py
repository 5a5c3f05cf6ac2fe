"""Attention in float64 with every convention as a field: right ones and wrong ones."""

from attncheck.model.attending import (
    NORMALIZED,
    Attended,
    attend,
    products,
    relative_bias,
)
from attncheck.model.domain import ALL, DOMAIN, LARGE
from attncheck.model.fields import (
    EPS,
    SCALES,
    Bounds,
    Measured,
    Model,
    Rule,
    Sizes,
    band,
    heads_alike,
    of_first,
    scale_of,
)
from attncheck.model.moves import rotate
from attncheck.model.values import Value

__all__ = [
    "ALL",
    "DOMAIN",
    "EPS",
    "LARGE",
    "NORMALIZED",
    "SCALES",
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
