"""Code that counts axes from the front, or expects a certain number of them."""

from __future__ import annotations

import ast

from named_mistakes.axes.code import Suspects, calls, count, is_shape, of_module

REDUCE = {
    *("sum", "mean", "max", "min", "var", "std", "prod", "cumsum", "argmax", "argmin"),
    *("amax", "amin", "norm", "sort", "concatenate", "flip"),
}
MOVE = ("transpose", "swapaxes", "moveaxis")


def turned(tree: ast.AST) -> Suspects:
    """Find .T, and transpose without a list of axes."""
    why = "it reverses all axes, a batch's too; only the last two may change places"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "T":
            yield node, why
    for node, name in calls(tree):
        alone = len(node.args) == int(of_module(node))  # the array, or nothing
        if name == "transpose" and alone:
            yield node, why


def letters(tree: ast.AST) -> Suspects:
    """Find subscripts of einsum without an ellipsis."""
    why = "these letters fix how many axes there are; `...` stands for any"
    for node, name in calls(tree):
        text = node.args[0] if name == "einsum" and node.args else None
        if isinstance(text, ast.Constant) and "..." not in str(text.value):
            yield text, why


def unpacked(tree: ast.AST) -> Suspects:
    """Find a shape that is unpacked into a fixed number of names."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not is_shape(node.value):
            continue
        names = node.targets[0]
        if isinstance(names, ast.Tuple | ast.List) and not any(
            isinstance(one, ast.Starred) for one in names.elts
        ):
            why = f"it takes exactly {len(names.elts)} axes"
            yield node, f"{why}; a name with a star takes as many as there are"


def from_the_front(tree: ast.AST) -> Suspects:
    """Find axes, and lengths of axes, that are counted from the front."""
    why = (
        "it counts axes from the front, where a batch comes first; -1 and -2 mean the "
        "same with any number of axes before them"
    )
    for node, name in calls(tree):
        if any(count(one) is not None for one in _axes_of(node, name)):
            yield node, why
    for one in ast.walk(tree):
        if not isinstance(one, ast.Subscript) or not is_shape(one.value):
            continue
        if count(one.slice) is not None:
            yield one, why


def _axes_of(node: ast.Call, name: str) -> list[ast.expr]:
    """List the arguments of a call that say which axes are meant."""
    given = {k.arg: k.value for k in node.keywords}
    axes = [given[word] for word in ("axis", "axes") if word in given]
    first = int(of_module(node))  # np.sum(x, 0), but x.sum(0)
    if name in MOVE:
        axes += node.args
    elif name in REDUCE:
        axes += node.args[first : first + 1]
    return axes


def indexed(tree: ast.AST) -> Suspects:
    """Find an index into the first axis."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        first = parts[0]
        cuts = isinstance(first, ast.Slice) and bool(first.lower or first.upper)
        keeps = isinstance(first, ast.Slice) and not cuts
        if len(parts) > 1 and (keeps or count(first) is not None):
            yield node, "it counts from the first axis; `[..., ]` counts from the last"
        elif len(parts) == 1 and (cuts or count(first) is not None):
            yield node, "it takes from the first axis; `[..., ]` counts from the last"


def length(tree: ast.AST) -> Suspects:
    """Find len(x)."""
    for node, name in calls(tree):
        if name == "len" and node.args and isinstance(node.args[0], ast.Name):
            yield node, "it is the length of the first axis, which may be a batch"
