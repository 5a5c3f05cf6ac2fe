"""A change to a piece of code: what would stand there, and what to look at."""

from __future__ import annotations

import ast
from typing import NamedTuple


class Edit(NamedTuple):
    """What would stand there instead, what to look at, and what the finding is."""

    node: ast.AST
    look: str
    code: str = "one-piece-wrong"


def parsed(text: str) -> ast.expr:
    """Read an expression."""
    return ast.parse(text, mode="eval").body


def called(node: ast.Call) -> str:
    """Name what is called, as it is written: `np.max`."""
    return ast.unparse(node.func)
