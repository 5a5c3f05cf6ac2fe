"""Small changes to a piece of code, each of which mends one common slip."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np


class Edit(NamedTuple):
    """What would stand there instead, what to look at, and what the finding is."""

    node: ast.AST
    look: str
    code: str = "one-piece-wrong"


STRENGTH = {
    **dict.fromkeys((ast.BitAnd, ast.BitOr), 1),
    **dict.fromkeys((ast.Add, ast.Sub), 2),
    **dict.fromkeys((ast.Mult, ast.Div, ast.FloorDiv, ast.MatMult, ast.Mod), 3),
    ast.Pow: 4,
}
SIGNS = {
    **{ast.BitAnd: "&", ast.BitOr: "|", ast.Add: "+", ast.Sub: "-", ast.Mult: "*"},
    **{ast.Div: "/", ast.FloorDiv: "//", ast.MatMult: "@", ast.Mod: "%"},
    ast.Pow: "**",
}
REDUCING = ("sum", "mean", "max", "min", "any", "all", "argmax", "norm", "var", "std")
ORDER = (
    "the order in which Python reads it: ** first, then *, / and @ from left to right, "
    "then + and −. Where does it need brackets?"
)
COMPARED = "& binds tighter than a comparison: each comparison needs brackets"
NONE = "it asks for the truth of an array; whether there is one is asked by `is None`"
AXIS = "along which axis does it go, and along which should it?"
KEPT = "does the shape that comes out line up with what it meets? Think of keepdims"
LENGTH = "of which axis, counted from the end, should this be the length?"
SINGLE = "it takes all numbers together: how many should come out, one for each what?"
LINED_UP = (
    "how its axes line up with the other array, from the last to the first: which one "
    "lacks an axis of length 1?"
)
STARTS = "where does part number h begin, if each is that wide?"
COLUMNS = "which places does it fill, if the loop counts pairs?"
REPEATED = "np.repeat gives 0 0 1 1, np.tile gives 0 1 0 1: which of the two fits here?"
LOWEST = "the largest so far has to begin below every number that can come"
LARGER = (
    "np.max(a, 0) takes 0 for an axis, and max compares whole arrays; np.maximum(a, b) "
    "gives the larger of each two numbers"
)
NUMBER = "is each number in it the right one, whatever the inputs are?"
OPERATOR = "is this the right operator?"


def _parsed(text: str) -> ast.AST:
    return ast.parse(text, mode="eval").body


def flat(node: ast.AST) -> tuple[list[ast.AST], list[ast.operator]]:
    """Read a chain of operators as it is written: operands, and what joins them."""
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
    """Put brackets round a part of a chain: a / b * c becomes a / (b * c)."""
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
            yield Edit(_parsed(text), ORDER)


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


def truth(node: ast.AST, field: str) -> Iterator[Edit]:
    """Ask `if mask is not None` where `if mask` is asked."""
    if field == "test" and isinstance(node, ast.Name):
        yield Edit(_parsed(f"{node.id} is not None"), NONE)


def axis(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Take another axis, keep it or lose it, or take one where none was named."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    name, given = node.func.attr, {k.arg: k.value for k in node.keywords}
    of_module = ast.unparse(node.func.value) in ("np", "numpy", "np.linalg")
    if name in REDUCING and len(node.args) == int(of_module) and "axis" not in given:
        for along in ("axis=-1", "axis=-2"):
            for kept in ("", ", keepdims=True"):
                yield Edit(_more(node, along + kept), SINGLE)
    if name in REDUCING and "keepdims" not in given and "axis" in given:
        yield Edit(_more(node, "keepdims=True"), KEPT)
    for other in (-1, -2, -3):
        if "axis" in given and ast.unparse(given["axis"]) != str(other):
            yield Edit(_with(node, "axis", str(other)), AXIS)


def _more(node: ast.Call, text: str) -> ast.Call:
    keywords = _parsed(f"f({text})").keywords
    return ast.Call(node.func, node.args, [*node.keywords, *keywords])


def _with(node: ast.Call, name: str, text: str) -> ast.Call:
    rest = [one for one in node.keywords if one.arg != name]
    return ast.Call(node.func, node.args, [*rest, ast.keyword(name, _parsed(text))])


def length(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Ask for the length of another axis, counted from the end."""
    is_shape = isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)
    if is_shape and node.value.attr == "shape":
        for other in (-1, -2, -3):
            yield Edit(_parsed(f"{ast.unparse(node.value)}[{other}]"), LENGTH)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and node.args:
        for other in (-1, -2, -3):
            last = _parsed(f"({ast.unparse(node.args[0])}).shape[{other}]")
            yield Edit(last, LENGTH)


def lined_up(node: ast.AST, field: str) -> Iterator[Edit]:
    """Give one side of an operator or a comparison an axis of length 1."""
    is_side = field in ("left", "right", "comparators", "args")
    if is_side and isinstance(node, ast.Name | ast.Call | ast.Subscript):
        for where in ("..., None, :", "..., None, :, :", "..., None"):
            yield Edit(_parsed(f"({ast.unparse(node)})[{where}]"), LINED_UP)


def parts(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Begin part h at h times its width: h:h + w becomes h * w:(h + 1) * w."""
    if not isinstance(node, ast.Slice) or not node.lower or node.step:
        return
    low, high = node.lower, node.upper
    if isinstance(high, ast.BinOp) and isinstance(high.op, ast.Add):
        h, w = ast.unparse(low), ast.unparse(high.right)
        if ast.unparse(high.left) == h:
            first, last = _parsed(f"({h}) * ({w})"), _parsed(f"(({h}) + 1) * ({w})")
            yield Edit(ast.Slice(first, last), STARTS)


def repeated(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Repeat the whole, or each number, along the last axis."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.repeat":
        given = {k.arg: k.value for k in node.keywords}
        if "axis" in given and len(node.args) == 2:
            x, n, along = map(ast.unparse, (*node.args, given["axis"]))
            whole = _parsed(f"np.concatenate([{x}] * ({n}), axis={along})")
            yield Edit(whole, REPEATED)


def larger(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Compare two numbers where the second is taken for an axis."""
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        called = ast.unparse(node.func)
        for name in ("max", "min"):
            if called in (f"np.{name}", name):
                both = ", ".join(map(ast.unparse, node.args))
                yield Edit(_parsed(f"np.{name}imum({both})"), LARGER)


def lowest(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Begin far below 0."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.zeros":
        yield Edit(_parsed(f"{ast.unparse(node)} - 1e30"), LOWEST)


def number(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Take the next whole number, or the one before; of a small one, its opposite."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        k = node.value
        if k < 10:
            others = dict.fromkeys((k + 1, k - 1, -k, -2, -3))
            yield from (Edit(_parsed(str(m)), NUMBER) for m in others if m != k)


OTHER = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.FloorDiv: ast.Div},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
}


def operator(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Subtract where something is added, count the end in where it is left out."""
    if isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        swapped = ast.BinOp(node.left, OTHER[type(node.op)](), node.right)
        yield Edit(swapped, OPERATOR)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        ops = [OTHER[type(node.ops[0])](), *node.ops[1:]]
        yield Edit(ast.Compare(node.left, ops, node.comparators), OPERATOR)


def columns(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Fill places 2i and 2i + 1 where a loop fills i and i + 1."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
        return
    changed = ast.parse(ast.unparse(node)).body[0]
    for one in ast.walk(changed):
        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store):
            one.slice = _Doubled(node.target.id).visit(one.slice)
    yield Edit(changed, COLUMNS)


class _Doubled(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _parsed(f"2 * {self.name}") if node.id == self.name else node


TURNED = "does the order have to be turned round there?"


def turned(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Leave out a [::-1]."""
    if not isinstance(node, ast.Subscript):
        return
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    steps = [ast.unparse(p.step) for p in parts if isinstance(p, ast.Slice) and p.step]
    if steps == ["-1"]:
        yield Edit(node.value, TURNED)


NEEDED = "is this step needed there?"
SIDES = "which of the two comes first?"
INPUT = "is this the right one of the inputs?"


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


def sides(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Subtract, divide or multiply the other way round."""
    swaps = ast.Sub | ast.Div | ast.MatMult
    if isinstance(node, ast.BinOp) and isinstance(node.op, swaps):
        yield Edit(ast.BinOp(node.right, node.op, node.left), SIDES)


def other_input(given: dict[str, Any], node: ast.AST, field: str) -> Iterator[Edit]:
    """Take another of the inputs; not in x.ndim, where much depends on it."""
    is_read = isinstance(node, ast.Name) and type(node.ctx) is ast.Load
    if is_read and node.id in given and field != "value":
        others = [name for name in given if name != node.id]
        yield from (Edit(_parsed(name), INPUT) for name in others)


def written_down(given: dict[str, Any], node: ast.AST, field: str) -> Iterator[Edit]:
    """Put a size or a number of the inputs in the place of a number written down."""
    value = getattr(node, "value", None)
    is_number = isinstance(node, ast.Constant) and type(value) in (int, float)
    counts = field in ("operand", "comparators")  # -1, and what is compared
    if is_number and value not in (0, 1) and not counts:
        look = (
            f"{value:g} stands there whatever the inputs are. Which of their sizes or "
            "numbers should it be?"
        )
        for text in _numbers_of(given):
            yield Edit(_parsed(text), look, "constant-number")


def _numbers_of(given: dict[str, Any]) -> Iterator[str]:
    """Write down what can be asked of the inputs, the likeliest first."""
    numbers = [k for k, x in given.items() if isinstance(x, int | float)]
    arrays = {k: np.ndim(x) for k, x in given.items() if np.ndim(x)}
    yield from numbers
    for back in (1, 2):
        lengths = [f"{k}.shape[-{back}]" for k, n in arrays.items() if n >= back]
        parts = [f"({length} // {n})" for length in lengths[:2] for n in numbers]
        for one in (*lengths, *parts * (back == 1)):
            yield from (one, f"{one} ** 0.5", f"{one} ** -0.5")


# Slips that have one look: what mends them is what was meant.
SURE = (
    *(comparison, truth, larger, brackets, parts, columns, repeated, turned, axis),
    *(length, lined_up, lowest),
)


def likely(given: dict[str, Any]) -> tuple[Callable, ...]:
    """List the changes that could also mend by chance, for a function of these inputs.

    A step too many comes first; a number or an operator is often one of several.
    """
    asking = (partial(written_down, given), partial(other_input, given))
    return (left_out, *asking, sides, number, operator)
