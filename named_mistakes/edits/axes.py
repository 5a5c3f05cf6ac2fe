"""Changes to axes: which one, its length, whether it is kept, how arrays line up."""

import ast
from collections.abc import Iterator

from named_mistakes.mutation import Edit, called, parsed

REDUCING = ("sum", "mean", "max", "min", "any", "all", "argmax", "norm", "var", "std")
AXIS = "along which axis does it go, and along which should it?"
KEPT = "does the shape that comes out line up with what it meets? Think of keepdims"
LENGTH = "of which axis, counted from the end, should this be the length?"
SINGLE = "it takes all numbers together: how many should come out, one for each what?"
LINED_UP = (
    "how its axes line up with the other array, from the last to the first: which one "
    "lacks an axis of length 1?"
)
REPEATED = "np.repeat gives 0 0 1 1, np.tile gives 0 1 0 1: which of the two fits here?"
TURNED = "does the order have to be turned round there?"


def axis(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Take another axis, keep the reduced one, or name one where none is named."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    name, given = node.func.attr, {k.arg: k.value for k in node.keywords}
    of_module = ast.unparse(node.func.value) in ("np", "numpy", "np.linalg")
    if name in REDUCING and len(node.args) == int(of_module) and "axis" not in given:
        for along in ("-1", "-2"):
            yield Edit(_with(node, axis=along), SINGLE)
            yield Edit(_with(node, axis=along, keepdims="True"), SINGLE)
    if name in REDUCING and "keepdims" not in given and "axis" in given:
        yield Edit(_with(node, keepdims="True"), KEPT)
    for other in ("-1", "-2", "-3"):
        if "axis" in given and ast.unparse(given["axis"]) != other:
            yield Edit(_with(node, axis=other), AXIS)


def _with(node: ast.Call, **texts: str) -> ast.Call:
    """Return the call with these keywords in place of its own."""
    rest = [one for one in node.keywords if one.arg not in texts]
    more = [ast.keyword(name, parsed(text)) for name, text in texts.items()]
    return ast.Call(node.func, node.args, [*rest, *more])


def length(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Take the length of another axis, counted from the end."""
    shape = ast.unparse(node.value) if isinstance(node, ast.Subscript) else ""
    if shape.endswith(".shape"):
        for other in (-1, -2, -3):
            yield Edit(parsed(f"{shape}[{other}]"), LENGTH)
    if isinstance(node, ast.Call) and called(node) == "len" and node.args:
        for other in (-1, -2, -3):
            last = parsed(f"({ast.unparse(node.args[0])}).shape[{other}]")
            yield Edit(last, LENGTH)


def lined_up(node: ast.AST, field: str) -> Iterator[Edit]:
    """Give one side of an operator or a comparison an axis of length 1."""
    is_side = field in ("left", "right", "comparators", "args")
    if is_side and isinstance(node, ast.Name | ast.Call | ast.Subscript):
        for where in ("..., None, :", "..., None, :, :", "..., None"):
            yield Edit(parsed(f"({ast.unparse(node)})[{where}]"), LINED_UP)


def repeated(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Replace np.repeat by copies of the whole array along the same axis."""
    if isinstance(node, ast.Call) and called(node) == "np.repeat":
        given = {k.arg: k.value for k in node.keywords}
        if "axis" in given and len(node.args) == 2:
            x, n, along = map(ast.unparse, (*node.args, given["axis"]))
            whole = parsed(f"np.concatenate([{x}] * ({n}), axis={along})")
            yield Edit(whole, REPEATED)


def turned(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Leave out a [::-1]."""
    if not isinstance(node, ast.Subscript):
        return
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    steps = [ast.unparse(p.step) for p in parts if isinstance(p, ast.Slice) and p.step]
    if steps == ["-1"]:
        yield Edit(node.value, TURNED)
