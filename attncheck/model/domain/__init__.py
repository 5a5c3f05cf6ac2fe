"""DOMAIN: for each field of a model the values in use, right and wrong."""

from attncheck.model.domain.masks import masks
from attncheck.model.domain.positions import HALF_TURNS, positions
from attncheck.model.domain.scores import scores
from attncheck.model.domain.softmax import LARGE, softmaxes
from attncheck.model.domain.value import Value
from attncheck.model.domain.values import roles
from attncheck.model.domain.windows import windows

__all__ = ["ALL", "DOMAIN", "HALF_TURNS", "LARGE", "Value"]

ALL: tuple[Value, ...] = (
    *scores(),
    *positions(),
    *windows(),
    *masks(),
    *softmaxes(),
    *roles(),
)
DOMAIN: dict[str, list[Value]] = {}
for _value in (*ALL, *LARGE):
    DOMAIN.setdefault(_value.field, []).append(_value)
