"""Small changes to an answer, each of which mends one common slip.

An edit is a function of a piece of code, and of the field in which it stands there. It
yields what could stand there instead. The tables below say which are tried, in order.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from named_mistakes.edits.axes import axis, length, lined_up, repeated, turned
from named_mistakes.edits.edit import Edit
from named_mistakes.edits.operators import (
    brackets,
    comparison,
    left_out,
    operator,
    sides,
)
from named_mistakes.edits.values import (
    columns,
    larger,
    lowest,
    number,
    other_input,
    parts,
    truth,
    written_down,
)

Edits = tuple[Callable[[ast.AST, str], Iterator[Edit]], ...]

# Slips that have one look: what mends them is what was meant.
SURE: Edits = (
    *(comparison, truth, larger, brackets, parts, columns, repeated, turned, axis),
    *(length, lined_up, lowest),
)


def likely(given: dict[str, Any]) -> Edits:
    """List the changes that could also mend by chance, for a function of these inputs.

    A step too many comes first; a number or an operator is often one of several.
    """
    asking = (partial(written_down, given), partial(other_input, given))
    return (left_out, *asking, sides, number, operator)
