"""Recognize a function in which dots still stand for one or two of its lines."""

from __future__ import annotations

import ast

from named_mistakes.answer import Answer


def gaps(answer: Answer) -> list[int]:
    """Return the lines of a function, from 1, in which dots stand for a value.

    Dots in brackets, as in `x[..., 0]`, are an index, not a gap. Without its source, a
    function has no gaps.
    """
    slices = (node.slice for node in answer.nodes if isinstance(node, ast.Subscript))
    indices = {id(node) for one in slices for node in ast.walk(one)}
    lines = {
        node.lineno
        for node in answer.nodes
        if isinstance(node, ast.Constant) and _is_dots(node) and id(node) not in indices
    }
    return [] if _all_dots(answer) else sorted(lines)


def _all_dots(answer: Answer) -> bool:
    """Tell whether a function holds only dots: it has not been started."""
    kinds = ast.FunctionDef | ast.Lambda
    whole = next((node for node in answer.nodes if isinstance(node, kinds)), None)
    body = getattr(whole, "body", None)
    last = body[-1] if isinstance(body, list) else body
    alone = not isinstance(body, list) or len(body) == 1
    return alone and _is_dots(last.value if isinstance(last, ast.Return) else last)


def _is_dots(node: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def said_of(lines: list[int]) -> str:
    """Say which lines still hold dots.

    Examples
    --------
    >>> said_of([3, 5])
    'Lines 3 and 5 still hold dots.'
    """
    *first, last = map(str, lines)
    if not first:
        return f"Line {last} still holds dots."
    return f"Lines {', '.join(first)} and {last} still hold dots."
