"""Three-way merge of formulas: what two of them change of a right one, at once.

>>> right, one, other = (
...     ast.parse(text, mode="eval").body
...     for text in ("x.var(axis=-1)", "x.var(axis=0)", "x.var(axis=-1, ddof=1)")
... )
>>> ast.unparse(merged(right, one, other))
'x.var(axis=0, ddof=1)'
"""

import ast
from copy import deepcopy
from functools import lru_cache
from typing import Any

Named = dict[str | None, ast.keyword]


def merged(right: Any, one: Any, other: Any) -> Any:
    """Take from each of two trees what it changes; None if both change one place.

    Where one of them only adds to what is right, as a root around it does, the other's
    change goes inside.
    """
    for same, changed in ((one, other), (other, one)):
        if _text(same) == _text(right):
            return changed
    if _text(one) == _text(other):
        return None
    return _by_fields(right, one, other) or _inside(right, one, other)


def _by_fields(right: Any, one: Any, other: Any) -> ast.AST | None:
    if not type(right) is type(one) is type(other) or not isinstance(right, ast.AST):
        return None
    fields = {}
    for name in right._fields:
        three = tuple(getattr(tree, name) for tree in (right, one, other))
        is_list = isinstance(three[0], list)
        fields[name] = _lists(*three) if is_list else merged(*three)
        if fields[name] is None and three != (None,) * 3:
            return None
    return type(right)(**fields)


def _lists(right: list, one: list, other: list) -> list | None:
    """Merge item by item, and keywords by their names."""
    if all(isinstance(x, ast.keyword) for x in (*right, *one, *other)):
        return _keywords(*({x.arg: x for x in each} for each in (right, one, other)))
    if not len(right) == len(one) == len(other):
        return None
    items = [merged(*three) for three in zip(right, one, other, strict=True)]
    return None if None in items else items


def _keywords(right: Named, one: Named, other: Named) -> list | None:
    """Merge keywords, of which each formula may have more or fewer."""
    found = []
    for name in dict.fromkeys([*right, *one, *other]):
        three = [_text(each.get(name)) for each in (right, one, other)]
        if three[0] in three[1:]:
            found.append((other if three[1] == three[0] else one).get(name))
        elif name in right and name in one and name in other:
            found.append(merged(right[name], one[name], other[name]))
        else:
            return None
        if found[-1] is None and all(text != "None" for text in three):
            return None
    return [*filter(None, found)]


def _inside(right: Any, one: Any, other: Any) -> ast.AST | None:
    """Put one tree in the place of the right one, which the other holds whole."""
    number = right.operand if isinstance(right, ast.UnaryOp) else right
    if isinstance(right, ast.expr) and not isinstance(number, ast.Name | ast.Constant):
        for outer, inner in ((one, other), (other, one)):
            both = isinstance(outer, ast.AST) and isinstance(inner, ast.expr)
            if both and _text(right) in _text(outer):  # with the text of each part
                return _Put(_text(right), inner).visit(deepcopy(outer))
    return None


class _Put(ast.NodeTransformer):
    """Replace every node of one text."""

    def __init__(self, text: str, inner: ast.expr) -> None:
        self.text, self.inner = text, inner

    def visit(self, node: ast.AST) -> Any:
        found = ast.dump(node) == self.text
        return self.inner if found else self.generic_visit(node)


@lru_cache(maxsize=100_000)
def _text(tree: Any) -> str:
    return ast.dump(tree) if isinstance(tree, ast.AST) else repr(tree)
