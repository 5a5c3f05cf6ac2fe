"""Describe a small change to an answer in words."""

from __future__ import annotations

from named_mistakes.edits.axes import (
    AXIS,
    KEPT,
    LENGTH,
    LINED_UP,
    REPEATED,
    SINGLE,
    TURNED,
)
from named_mistakes.edits.operators import COMPARED, NEEDED, OPERATOR, ORDER, SIDES
from named_mistakes.edits.values import (
    COLUMNS,
    INPUT,
    LARGER,
    LENGTH_OF,
    LOWEST,
    NONE,
    NUMBER,
    STARTS,
)
from named_mistakes.slips import MEANT, MEETING, SUMMED

# Names for the changes that give away no more than where to look.
CHANGE = {
    ORDER: "brackets",
    COMPARED: "brackets",
    NONE: "another condition",
    AXIS: "another axis",
    KEPT: "keepdims",
    LENGTH: "the length of another axis",
    SINGLE: "an axis",
    LINED_UP: "an axis of length 1",
    STARTS: "another slice",
    COLUMNS: "other places to fill",
    REPEATED: "another way to repeat",
    LOWEST: "another value to begin with",
    LARGER: "another function",
    NUMBER: "another number",
    OPERATOR: "another operator",
    TURNED: "no [::-1]",
    NEEDED: "a step left out",
    SIDES: "the two sides exchanged",
    INPUT: "another input",
    LENGTH_OF: "the length of another input",
    MEANT: "another product",
    MEETING: "a transpose more, or one less",
    SUMMED: "a step left out",
}
