"""Recognize a starter that nobody has written in yet."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from typing import Any

EMPTY = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


def is_blank(answer: Any) -> bool:
    """Tell whether a function has a body of dots, words or `pass` alone.

    A function that says `return None` compiles to the same instructions, and that is
    an answer, though a wrong one; the source tells them apart where it can be had.
    """
    code = getattr(answer, "__code__", None)
    if code is None or code.co_name == "<lambda>" or not _returns_none_at_once(code):
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError, IndexError):
        return True
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return not functions or all(map(_says_nothing, functions[0].body))


def _returns_none_at_once(code: Any) -> bool:
    steps = list(dis.get_instructions(code))
    if not {step.opname for step in steps} <= EMPTY:
        return False
    return all(
        step.argval is None
        for step in steps
        if step.opname in ("LOAD_CONST", "RETURN_CONST")
    )


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value is Ellipsis or isinstance(
            statement.value.value, str
        )
    return isinstance(statement, ast.Pass)
