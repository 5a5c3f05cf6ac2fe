"""Code that works on all numbers, or along the first axis, whatever that is."""

from __future__ import annotations

import ast

from named_mistakes.axes.code import Suspects, calls, is_attribute, of_module

JOIN = ("concatenate", "stack", "vstack", "hstack", "split", "repeat")
WHOLE = {*("cumsum", "norm", "argmax", "argmin", "max", "min", "amax", "sum", "take")}


def walked(tree: ast.AST) -> Suspects:
    """Find a loop over a whole argument, or a list made from one."""
    why = "a loop goes along its first axis, and in a batch that is the batch"
    given = {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    for node in ast.walk(tree):
        over: ast.expr | None = None
        if isinstance(node, ast.For | ast.comprehension):
            over = node.iter
        elif isinstance(node, ast.Starred):
            over = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "list":
            over = node.args[0] if node.args else None
        if isinstance(over, ast.Name) and over.id in given:
            yield over, why


def dot(tree: ast.AST) -> Suspects:
    """Find products that pair every entry of one batch with every other."""
    for node, name in calls(tree):
        if name in ("dot", "inner", "tensordot", "outer"):
            why = f"{name} pairs every entry of one batch with every entry of the other"
            yield node, f"{why}; @ takes them side by side"


def joined(tree: ast.AST) -> Suspects:
    """Find calls that join or split arrays without naming an axis."""
    for node, name in calls(tree):
        named = any(k.arg == "axis" for k in node.keywords) or len(node.args) > 2
        if name in JOIN and is_attribute(node) and not named:
            why = "without an axis it works on the first one, or on all numbers"
            yield node, f"{why}, and a batch comes first"


def flat(tree: ast.AST) -> Suspects:
    """Find calls that flatten several axes into one."""
    why = "it makes one axis of all that come first, and their lengths are lost"
    for node, name in calls(tree):
        first = ast.unparse(node.args[0]) if node.args else ""
        if name in ("ravel", "flatten") or (name == "reshape" and first == "-1"):
            yield node, why


def without_axis(tree: ast.AST) -> Suspects:
    """Find calls without an axis, such as np.sum(x) and x.sum()."""
    for node, name in calls(tree):
        alone = len(node.args) == int(of_module(node))
        named = any(k.arg == "axis" for k in node.keywords)
        if name in WHOLE and is_attribute(node) and alone and not named:
            yield node, f"without an axis, {name} goes through all numbers at once"


def paired(tree: ast.AST) -> Suspects:
    """Find an index made of several arrays."""
    why = (
        "arrays of indices are paired with each other, for all that comes first; "
        "np.take_along_axis keeps a batch apart"
    )
    counted = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "arange" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            several = [p for p in node.slice.elts if isinstance(p, ast.Name | ast.Call)]
            text = [ast.unparse(one) for one in several]
            if len(several) > 1 and any(t in counted or "arange" in t for t in text):
                yield node, why
