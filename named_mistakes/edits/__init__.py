"""Small changes to an answer, each of which fixes one common slip.

An edit takes a node and the name of the field that holds it, and yields replacements.
The lists below give the edits in the order in which they are tried.
"""

from functools import partial
from typing import Any

from named_mistakes.edits import axes, operators, products, values
from named_mistakes.mutation import Edits

# Slips that are easy to recognize: a change that fixes one is what was meant.
SURE: Edits = (
    *(operators.comparison, values.truth, values.larger, operators.brackets),
    *(values.parts, values.columns, axes.repeated, axes.turned, axes.axis),
    *(axes.length, axes.lined_up, values.lowest),
)


def likely(given: dict[str, Any]) -> Edits:
    """List the edits that could also succeed by chance, given the function's inputs.

    Extra steps come first; a number or an operator is often one of several.
    """
    asking = (partial(values.written_down, given), partial(values.other_input, given))
    last = (operators.sides, values.number, operators.operator)
    return (operators.left_out, *asking, *last)


# Names for the changes that give away no more than where to look.
CHANGE = {
    operators.ORDER: "brackets",
    operators.COMPARED: "brackets",
    values.NONE: "another condition",
    axes.AXIS: "another axis",
    axes.KEPT: "keepdims",
    axes.LENGTH: "the length of another axis",
    axes.SINGLE: "an axis",
    axes.LINED_UP: "an axis of length 1",
    values.STARTS: "another slice",
    values.COLUMNS: "other places to fill",
    axes.REPEATED: "another way to repeat",
    values.LOWEST: "another value to begin with",
    values.LARGER: "another function",
    values.NUMBER: "another number",
    operators.OPERATOR: "another operator",
    axes.TURNED: "no [::-1]",
    operators.NEEDED: "a step left out",
    operators.SIDES: "the two sides exchanged",
    values.INPUT: "another input",
    values.LENGTH_OF: "the length of another input",
    products.MEANT: "another product",
    products.MEETING: "a transpose more, or one less",
    products.SUMMED: "a step left out",
}
