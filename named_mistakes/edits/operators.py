"""Changes to operators: brackets, comparisons, operands swapped, steps left out."""

import ast
from collections.abc import Iterator

from named_mistakes.mutation import Edit, parsed

STRENGTH: dict[type[ast.operator], int] = {
    **dict.fromkeys((ast.BitAnd, ast.BitOr), 1),
    **dict.fromkeys((ast.Add, ast.Sub), 2),
    **dict.fromkeys((ast.Mult, ast.Div, ast.FloorDiv, ast.MatMult, ast.Mod), 3),
    ast.Pow: 4,
}
SIGNS: dict[type[ast.operator], str] = {
    **{ast.BitAnd: "&", ast.BitOr: "|", ast.Add: "+", ast.Sub: "-", ast.Mult: "*"},
    **{ast.Div: "/", ast.FloorDiv: "//", ast.MatMult: "@", ast.Mod: "%"},
    ast.Pow: "**",
}
OTHER_OPERATOR: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.FloorDiv: ast.Div},
}
OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
}
ORDER = (
    "the order in which Python reads it: ** first, then *, / and @ from left to right, "
    "then + and −. Where does it need brackets?"
)
COMPARED = "& binds tighter than a comparison: each comparison needs brackets"
OPERATOR = "is this the right operator?"
SIDES = "which of the two comes first?"
NEEDED = "is this step needed there?"


def flat(node: ast.AST) -> tuple[list[ast.AST], list[ast.operator]]:
    """Split a chain of operators into its operands and operators, in order."""
    if not isinstance(node, ast.BinOp) or type(node.op) not in STRENGTH:
        return [node], []
    strength, power = STRENGTH[type(node.op)], isinstance(node.op, ast.Pow)
    sides = []
    for side, least in ((node.left, strength + power), (node.right, strength + 1)):
        inner = isinstance(side, ast.BinOp) and STRENGTH.get(type(side.op), 0)
        sides.append(flat(side) if inner and inner >= least else ([side], []))
    (left, first), (right, second) = sides
    return [*left, *right], [*first, node.op, *second]


def brackets(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Put brackets around part of a chain: a / b * c becomes a / (b * c)."""
    operands, signs = flat(node)
    n = len(operands)
    if not 2 < n < 8 or len({type(sign) for sign in signs}) < 2:
        return
    for i in range(n):
        for j in range(i + 1, n - (i == 0)):
            words = [f"({ast.unparse(one)})" for one in operands]
            words[i], words[j] = f"({words[i]}", f"{words[j]})"
            text = words[0]
            for sign, word in zip(signs, words[1:], strict=True):
                text += f" {SIGNS[type(sign)]} {word}"
            yield Edit(parsed(text), ORDER)


def comparison(node: ast.AST, _field: str = "") -> Iterator[Edit]:
    """Read a <= b & c <= d as (a <= b) & (c <= d)."""
    if not isinstance(node, ast.Compare):
        return
    items = [node.left, *node.comparators]
    for k, item in enumerate(items):
        if isinstance(item, ast.BinOp) and isinstance(item.op, ast.BitAnd | ast.BitOr):
            first = _chain([*items[:k], item.left], node.ops[:k])
            second = _chain([item.right, *items[k + 1 :]], node.ops[k:])
            yield Edit(ast.BinOp(first, item.op, second), COMPARED)


def _chain(items: list[ast.expr], ops: list[ast.cmpop]) -> ast.expr:
    return ast.Compare(items[0], ops, items[1:]) if ops else items[0]


def operator(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Swap an operator, or include the end that a comparison leaves out."""
    if isinstance(node, ast.BinOp) and type(node.op) in OTHER_OPERATOR:
        swapped = ast.BinOp(node.left, OTHER_OPERATOR[type(node.op)](), node.right)
        yield Edit(swapped, OPERATOR)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER_COMPARISON:
        ops = [OTHER_COMPARISON[type(node.ops[0])](), *node.ops[1:]]
        yield Edit(ast.Compare(node.left, ops, node.comparators), OPERATOR)


def sides(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Swap the sides of a subtraction, a division or a matrix product."""
    swaps = ast.Sub | ast.Div | ast.MatMult
    if isinstance(node, ast.BinOp) and isinstance(node.op, swaps):
        yield Edit(ast.BinOp(node.right, node.op, node.left), SIDES)


def left_out(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Leave out a step: f(x, ...) becomes x, and x + y either of the two."""
    if isinstance(node, ast.BinOp) and type(node.op) in STRENGTH:
        yield from (Edit(side, NEEDED) for side in (node.left, node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
        yield Edit(node.operand, NEEDED)
    if isinstance(node, ast.Call) and node.args:
        yield Edit(node.args[0], NEEDED)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield Edit(node.func.value, NEEDED)
