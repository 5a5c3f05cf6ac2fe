"""A change to a piece of code: its replacement, and what to look at."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Edit(NamedTuple):
    """The replacement, what to look at, and the code of the finding."""

    node: ast.AST
    look: str
    code: str = "one-piece-wrong"


def parsed(text: str) -> ast.expr:
    """Parse an expression."""
    return ast.parse(text, mode="eval").body


def called(node: ast.Call) -> str:
    """Return the name of the called function as written: `np.max`."""
    return ast.unparse(node.func)
