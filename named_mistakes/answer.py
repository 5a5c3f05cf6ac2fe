"""A learner's answer: the function, and its source if available."""

import ast
import dis
import inspect
import textwrap
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

# Raised for code typed at a prompt, for a non-function, or for a lambda within a
# line that does not parse alone.
UNREADABLE = (OSError, TypeError, ValueError, SyntaxError, IndexError)


class Source(NamedTuple):
    """A function's source: its syntax tree and its place in the file."""

    tree: ast.Module
    first: int
    n_lines: int


@dataclass(frozen=True)
class Answer:
    """A function to judge; its source is read and parsed once.

    Parameters
    ----------
    function : function
    """

    function: Callable[..., Any]

    @cached_property
    def source(self) -> Source | None:
        """The syntax tree and its place in the file; None if unavailable."""
        try:
            lines, first = inspect.getsourcelines(self.function)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except UNREADABLE:
            return None
        return Source(tree, first, len(lines))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree, outer ones first; empty without source."""
        return tuple(ast.walk(self.source.tree)) if self.source else ()

    @cached_property
    def quiet(self) -> ast.Module | None:
        """A copy of the tree without decorators and lines that only print."""
        return _Quiet().visit(deepcopy(self.source.tree)) if self.source else None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameter names; empty if there is no signature."""
        try:
            return tuple(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return ()

    @cached_property
    def space(self) -> dict[str, Any] | None:
        """The global and nonlocal names; None if not written in Python."""
        try:
            enclosed = inspect.getclosurevars(self.function).nonlocals
            return {**self.function.__globals__, **enclosed}
        except (TypeError, ValueError, AttributeError):
            return None

    def line_of(self, node: ast.AST) -> int | None:
        """Return a node's line number in the function's file."""
        at = getattr(node, "lineno", None)
        return self.source.first + at - 1 if at and self.source else None

    def holds(self, text: str) -> bool:
        """Tell whether the code, as `ast.unparse` writes it, contains a text."""
        if not text:
            return True
        return self.source is not None and text in ast.unparse(self.source.tree)


class _Quiet(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = []  # already applied
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        called = getattr(node.value, "func", None)
        prints = isinstance(called, ast.Name) and called.id == "print"
        return ast.copy_location(ast.Pass(), node) if prints else node


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
