"""A learner's answer: the function, and its text where that can be had."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

# Typed at a prompt, no function, or a lambda amid a line that is no statement.
UNREADABLE = (OSError, TypeError, ValueError, SyntaxError, IndexError)


class Source(NamedTuple):
    """A function's source: its syntax tree, and where it stands in its file."""

    tree: ast.Module
    first: int
    n_lines: int


@dataclass(frozen=True)
class Answer:
    """A function to judge; its text is read and parsed once.

    Parameters
    ----------
    function : function
    """

    function: Callable[..., Any]

    @cached_property
    def source(self) -> Source | None:
        """Its tree and place; None if its text cannot be had."""
        try:
            lines, first = inspect.getsourcelines(self.function)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except UNREADABLE:
            return None
        return Source(tree, first, len(lines))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of its tree, outer ones first; none without its text."""
        return tuple(ast.walk(self.source.tree)) if self.source else ()

    @cached_property
    def quiet(self) -> ast.Module | None:
        """A tree without decorators, and without lines that only print."""
        return _Quiet().visit(deepcopy(self.source.tree)) if self.source else None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters; none where they cannot be had."""
        try:
            return tuple(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return ()

    @cached_property
    def space(self) -> dict[str, Any] | None:
        """The names it sees from outside; None for what is not written in Python."""
        try:
            enclosed = inspect.getclosurevars(self.function).nonlocals
            return {**self.function.__globals__, **enclosed}
        except (TypeError, ValueError, AttributeError):
            return None

    def line_of(self, node: ast.AST) -> int | None:
        """Return the line of a piece of its text in its file."""
        at = getattr(node, "lineno", None)
        return self.source.first + at - 1 if at and self.source else None

    def holds(self, text: str) -> bool:
        """Tell whether its code, as Python reads it, holds a text; "" is in any."""
        if not text:
            return True
        return self.source is not None and text in ast.unparse(self.source.tree)


class _Quiet(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = []  # what they do is done
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        called = getattr(node.value, "func", None)
        prints = isinstance(called, ast.Name) and called.id == "print"
        return ast.copy_location(ast.Pass(), node) if prints else node
