"""Small changes to an answer, each of which fixes one common slip.

An edit takes a node and the name of the field that holds it, and yields replacements.
The lists below give the edits in the order in which they are tried.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from named_mistakes.edits.axes import (
    AXIS,
    KEPT,
    LENGTH,
    LINED_UP,
    REPEATED,
    SINGLE,
    TURNED,
    axis,
    length,
    lined_up,
    repeated,
    turned,
)
from named_mistakes.edits.operators import (
    COMPARED,
    NEEDED,
    OPERATOR,
    ORDER,
    SIDES,
    brackets,
    comparison,
    left_out,
    operator,
    sides,
)
from named_mistakes.edits.products import MEANT, MEETING, SUMMED
from named_mistakes.edits.values import (
    COLUMNS,
    INPUT,
    LARGER,
    LENGTH_OF,
    LOWEST,
    NONE,
    NUMBER,
    STARTS,
    columns,
    larger,
    lowest,
    number,
    other_input,
    parts,
    truth,
    written_down,
)
from named_mistakes.mutation import Edits

# Slips that are easy to recognize: a change that fixes one is what was meant.
SURE: Edits = (
    *(comparison, truth, larger, brackets, parts, columns, repeated, turned, axis),
    *(length, lined_up, lowest),
)


def likely(given: dict[str, Any]) -> Edits:
    """List the edits that could also succeed by chance, given the function's inputs.

    Extra steps come first; a number or an operator is often one of several.
    """
    asking = (partial(written_down, given), partial(other_input, given))
    return (left_out, *asking, sides, number, operator)


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
