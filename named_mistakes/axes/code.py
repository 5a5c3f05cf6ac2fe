"""Recognize pieces of code that have to do with axes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

# Pieces of code that depend on the number of leading axes, and why they do.
Suspects = Iterator[tuple[ast.expr | ast.stmt, str]]


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """List the calls, with the last name of what is called: `sum` in np.sum(x)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            yield node, getattr(name, "attr", getattr(name, "id", ""))


def count(node: ast.AST) -> int | None:
    """Return the value of a literal whole number, 0 or more."""
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and value >= 0 else None


def is_attribute(node: ast.Call) -> bool:
    """Tell whether a call is np.sum(x) or x.sum(), not sum(x), which knows no axes."""
    return isinstance(node.func, ast.Attribute)


def of_module(node: ast.Call) -> bool:
    """Tell whether a call is np.f(x) or f(x), not x.f()."""
    owner = getattr(node.func, "value", None)
    name = getattr(owner, "id", getattr(owner, "attr", ""))
    return owner is None or name in ("np", "numpy", "linalg")


def is_shape(node: ast.AST) -> bool:
    """Tell whether a node is x.shape."""
    return isinstance(node, ast.Attribute) and node.attr == "shape"
