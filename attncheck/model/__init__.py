"""Attention in float64 with every convention as a field: right ones and wrong ones."""

from attncheck.model.attending import NORMALIZED, Attended, attend, normalized
from attncheck.model.blocks import BLOCKS, SMALL
from attncheck.model.fields import FULL, SCALES, Bounds, Model, of_first, scale_of
from attncheck.model.masking import relative_bias
from attncheck.model.moves import reorder, rotate
from attncheck.model.places import band, reach, seen_of

__all__ = [
    "BLOCKS",
    "FULL",
    "NORMALIZED",
    "SCALES",
    "SMALL",
    "Attended",
    "Bounds",
    "Model",
    "attend",
    "band",
    "normalized",
    "of_first",
    "reach",
    "relative_bias",
    "reorder",
    "rotate",
    "scale_of",
    "seen_of",
]
