"""Changes to values: numbers, inputs, where a part begins, what is compared."""

import ast
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from named_mistakes.mutation import Edit, called, parsed

NONE = "it asks for the truth of an array; whether there is one is asked by `is None`"
STARTS = "where does part number h begin, if each is that wide?"
COLUMNS = "which places does it fill, if the loop counts pairs?"
LOWEST = "the largest so far has to begin below every number that can come"
LARGER = (
    "np.max(a, 0) takes 0 for an axis, and max compares whole arrays; np.maximum(a, b) "
    "gives the larger of each two numbers"
)
NUMBER = "is each number in it the right one, whatever the inputs are?"
LENGTH_OF = "is this the length of the right one of the inputs?"
INPUT = "is this the right one of the inputs?"


def truth(node: ast.AST, field: str) -> Iterator[Edit]:
    """Replace `if mask` by `if mask is not None`."""
    if field == "test" and isinstance(node, ast.Name):
        yield Edit(parsed(f"{node.id} is not None"), NONE)


def parts(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Begin part h at h times its width: h:h + w becomes h * w:(h + 1) * w."""
    if not isinstance(node, ast.Slice) or not node.lower or node.step:
        return
    low, high = node.lower, node.upper
    if isinstance(high, ast.BinOp) and isinstance(high.op, ast.Add):
        h, w = ast.unparse(low), ast.unparse(high.right)
        if ast.unparse(high.left) == h:
            first, last = parsed(f"({h}) * ({w})"), parsed(f"(({h}) + 1) * ({w})")
            yield Edit(ast.Slice(first, last), STARTS)


def columns(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Fill columns 2i and 2i + 1 where a loop fills i and i + 1."""
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
        return parsed(f"2 * {self.name}") if node.id == self.name else node


def larger(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Replace max(a, b) and np.max(a, b) by np.maximum(a, b); likewise for min."""
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        for name in ("max", "min"):
            if called(node) in (f"np.{name}", name):
                both = ", ".join(map(ast.unparse, node.args))
                yield Edit(parsed(f"np.{name}imum({both})"), LARGER)


def lowest(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Replace zeros by numbers far below 0, to start a maximum from."""
    if isinstance(node, ast.Call) and called(node) == "np.zeros":
        yield Edit(parsed(f"{ast.unparse(node)} - 1e30"), LOWEST)


def number(node: ast.AST, _field: str) -> Iterator[Edit]:
    """Replace an integer below 10 by a neighbor, its negative, -2 or -3."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        k = node.value
        if k < 10:
            others = dict.fromkeys((k + 1, k - 1, -k, -2, -3))
            yield from (Edit(parsed(str(m)), NUMBER) for m in others if m != k)


def other_input(given: dict[str, Any], node: ast.AST, field: str) -> Iterator[Edit]:
    """Replace an input, or its length, by another's; leave the x in x.ndim alone."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        of = ast.unparse(node.value.value)
        if node.value.attr == "shape" and of in given:
            at = ast.unparse(node.slice)
            others = (k for k, x in given.items() if k != of and np.ndim(x))
            yield from (Edit(parsed(f"{k}.shape[{at}]"), LENGTH_OF) for k in others)
    name = node.id if isinstance(node, ast.Name) and _is_read(node) else ""
    if name in given and field != "value":
        yield from (Edit(parsed(other), INPUT) for other in given if other != name)


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def written_down(given: dict[str, Any], node: ast.AST, field: str) -> Iterator[Edit]:
    """Replace a literal number by a size or a number taken from the inputs."""
    value = getattr(node, "value", None)
    is_number = isinstance(node, ast.Constant) and type(value) in (int, float)
    counts = field in ("operand", "comparators")  # -1, and what is compared
    if is_number and value not in (0, 1) and not counts:
        look = (
            f"{value:g} stands there whatever the inputs are. Which of their sizes or "
            "numbers should it be?"
        )
        for text in _numbers_of(given):
            yield Edit(parsed(text), look, "constant-number")


def _numbers_of(given: dict[str, Any]) -> Iterator[str]:
    """List expressions for the sizes and numbers of the inputs, likeliest first."""
    numbers = [k for k, x in given.items() if isinstance(x, int | float)]
    arrays = {k: np.ndim(x) for k, x in given.items() if np.ndim(x)}
    yield from numbers
    for back in (1, 2):
        lengths = [f"{k}.shape[-{back}]" for k, n in arrays.items() if n >= back]
        parts = [f"({length} // {n})" for length in lengths[:2] for n in numbers]
        for one in (*lengths, *parts * (back == 1)):
            yield from (one, f"{one} ** 0.5", f"{one} ** -0.5")
    heads = [f"{k}.shape[-3]" for k, n in arrays.items() if n >= 3]
    yield from (f"{one} // {other}" for one, other in permutations(heads, 2))
