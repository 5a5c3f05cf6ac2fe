"""An expression of a table, as a step of a recipe."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any


class Formula:
    """An expression of a table, as a step of a recipe.

    Parameters
    ----------
    tree : ast.expr
    file : str
        The table, for tracebacks.
    namespace : mapping of str to object
        What the expression may use besides the inputs and the steps before it.
    """

    def __init__(self, tree: ast.expr, file: str, namespace: Mapping[str, Any]):
        self.tree, self.file, self.namespace = tree, file, namespace
        self._code = compile(ast.Expression(tree), file, "eval")

    def __call__(self, s: SimpleNamespace) -> Any:
        """Compute the expression from the inputs and the steps so far."""
        return eval(self._code, {**self.namespace, **vars(s), "s": s})

    def __str__(self) -> str:
        return ast.unparse(self.tree)

    def with_names(self, **names: str) -> Formula:
        """Return the formula with some of its names replaced."""
        tree = ast.parse(str(self), mode="eval").body
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
        return Formula(tree, self.file, self.namespace)
