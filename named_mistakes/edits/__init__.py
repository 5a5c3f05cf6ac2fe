"""Small changes to an answer, each of which fixes one common slip.

An edit takes a node and the name of the field that holds it, and yields replacements.
The lists below give the edits in the order in which they are tried.
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
