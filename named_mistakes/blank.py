"""Recognize a starter that nobody has written in yet."""

from __future__ import annotations

import ast
import dis
from typing import Any

from named_mistakes.answer import Answer

GIVES = {"LOAD_CONST", "RETURN_CONST"}
EMPTY = {"RESUME", "NOP", "RETURN_VALUE", *GIVES}


def is_blank(answer: Answer) -> bool:
    """Tell whether a function's body holds only dots, strings or `pass`.

    A function that says `return None` compiles to the same instructions, and that is
    an answer, though a wrong one; the source, if available, tells them apart.
    """
    code = getattr(answer.function, "__code__", None)
    if code is None or code.co_name == "<lambda>" or not _returns_none_at_once(code):
        return False
    functions = [node for node in answer.nodes if isinstance(node, ast.FunctionDef)]
    return not functions or all(map(_says_nothing, functions[0].body))


def _returns_none_at_once(code: Any) -> bool:
    return all(
        step.opname in EMPTY and (step.opname not in GIVES or step.argval is None)
        for step in dis.get_instructions(code)
    )


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value is Ellipsis or isinstance(
            statement.value.value, str
        )
    return isinstance(statement, ast.Pass)
