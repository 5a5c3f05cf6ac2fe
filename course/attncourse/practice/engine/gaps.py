"""Fill in: a function with dots in the place of one or two of its lines."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

UNREADABLE = (OSError, TypeError, SyntaxError, IndexError)


def gaps(answer: Any) -> list[int]:
    """Return the lines of a function, from 1, in which dots stand for a value.

    Dots in brackets, `x[..., 0]`, are an index and no gap. A function whose text cannot
    be had has none.
    """
    try:
        text = textwrap.dedent(inspect.getsource(answer))
        tree = ast.parse(text)
    except UNREADABLE:
        return []
    indices = {
        id(dots)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        for dots in ast.walk(node.slice)
    }
    found = (node for node in ast.walk(tree) if _is_dots(node))
    return sorted({node.lineno for node in found if id(node) not in indices})


def _is_dots(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def said_of(lines: list[int]) -> str:
    """Say which lines are left.

    Examples
    --------
    >>> said_of([3, 5])
    'Lines 3 and 5 still hold dots.'
    """
    *first, last = map(str, lines)
    if not first:
        return f"Line {last} still holds dots."
    return f"Lines {', '.join(first)} and {last} still hold dots."
