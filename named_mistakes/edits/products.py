"""Changes to products, sums, rows and arguments; each is sure if it mends all."""

import ast
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations, product

from named_mistakes.edits.axes import REDUCING
from named_mistakes.mutation import Edit, parsed

MEANT = (
    "`*` multiplies number by number, `@` rows by columns: which of the two is meant?"
)
MEETING = (
    "the last axis of the first meets the last but one of the second, and what remains "
    "are rows and columns: which of them has to be transposed?"
)
SUMMED = "which axes does it take away, and which are asked for in the end?"
ROWS = "are its rows one list, or several?"
UNASKED = "is that asked for here?"
TURNS = (
    *("T", "mT", "swapaxes", "transpose", "matrix_transpose", "permute_dims"),
    *("np.swapaxes", "np.transpose", "np.matrix_transpose"),
)


def multiplied(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Write @ for *, and * for @."""
    other = {ast.Mult: ast.MatMult, ast.MatMult: ast.Mult}
    if isinstance(node, ast.BinOp) and type(node.op) in other:
        yield Edit(ast.BinOp(node.left, other[type(node.op)](), node.right), MEANT)


def transposed(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Transpose either side of a product, both or none, or the result."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return
    for sides in product(*[(x, _mt(x)) for x in map(_plain, (node.left, node.right))]):
        yield Edit(ast.BinOp(sides[0], node.op, sides[1]), MEETING)
    yield Edit(_mt(node), MEETING)


def _mt(node: ast.expr) -> ast.expr:
    return ast.Attribute(node, "mT", ast.Load())


def _plain(node: ast.expr) -> ast.expr:
    """Remove a transpose, if there is one."""
    if isinstance(node, ast.Attribute) and node.attr in TURNS:
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if ast.unparse(node.func) in TURNS and node.args:
            return node.args[0]
        if node.func.attr in TURNS:
            return node.func.value
    return node


def reduced(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Leave out a sum or a mean."""
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not isinstance(called, ast.Attribute):
        return
    if called.attr in REDUCING:
        of_module = ast.unparse(called.value) in ("np", "numpy", "np.linalg")
        whole = node.args[:1] if of_module else [called.value]
        yield from (Edit(one, SUMMED) for one in whole)


def unasked(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Leave out a keyword argument."""
    if not isinstance(node, ast.Call):
        return
    for one in node.keywords:
        if one.arg not in (None, "axis", "keepdims", "dtype"):
            rest = [k for k in node.keywords if k is not one]
            told = f"`{one.arg}={ast.unparse(one.value)}`: {UNASKED}"
            yield Edit(ast.Call(node.func, node.args, rest), told)


def rows_of_their_own(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Make a new list for each row, where [row] * n repeats one."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    for one, times in ((node.left, node.right), (node.right, node.left)):
        if isinstance(one, ast.List) and len(one.elts) == 1:
            text = (
                f"[[*{ast.unparse(one.elts[0])}] for _ in range({ast.unparse(times)})]"
            )
            yield Edit(parsed(text), ROWS)


def in_order(names: tuple[str, ...]) -> Callable[[ast.AST, str], Iterator[Edit]]:
    """Return an edit that reorders the parameters, given the names of the inputs."""
    called = f"it is called with {', '.join(names)}, in this order"
    return partial(_in_order, called)


def _in_order(called: str, node: ast.AST, field: str) -> Iterator[Edit]:
    if field == "args" and isinstance(node, ast.arguments) and len(node.args) < 5:
        for args in list(permutations(node.args))[1:]:
            parts = {name: getattr(node, name) for name in node._fields}
            yield Edit(ast.arguments(**{**parts, "args": list(args)}), called)


PRODUCTS = (multiplied, transposed, reduced)
