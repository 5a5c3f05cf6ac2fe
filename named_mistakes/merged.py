"""Two mistakes in one step: what two formulas change of the right one, at once.

>>> right, one, other = (
...     ast.parse(text, mode="eval").body
...     for text in ("x.var(axis=-1)", "x.var(axis=0)", "x.var(axis=-1, ddof=1)")
... )
>>> ast.unparse(merged(right, one, other))
'x.var(axis=0, ddof=1)'
"""

from __future__ import annotations

import ast
import linecache
from collections import ChainMap, defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from named_mistakes.exercise import Exercise, Mistake, Step, Steps
from named_mistakes.formula import Formula

Named = dict[str | None, ast.keyword]


def pairs_in_a_step(exercise: Exercise) -> Iterator[tuple[Mistake, Mistake]]:
    """Yield the pairs of mistakes in one step that can be made at once.

    The second of a pair has, for each step that both change, the merged formula.
    """
    for one, other in combinations(exercise.mistakes, 2):
        shared = one.steps.keys() & other.steps.keys()
        both = {name: _both(exercise.recipe, name, one, other) for name in shared}
        steps: Steps = {name: step for name, step in both.items() if step}
        if steps and len(steps) == len(both):
            yield one, replace(other, steps={**other.steps, **steps})


def read_formulas(exercise: Exercise) -> None:
    """Read the source of every step now, for where there will be no files."""
    for steps in (exercise.recipe, *(one.steps for one in exercise.mistakes)):
        for step in steps.values():
            _formula(step)


def _both(recipe: Steps, name: str, one: Mistake, other: Mistake) -> Formula | None:
    steps = (recipe[name], one.steps[name], other.steps[name])
    right, a, b = (_formula(step) for step in steps)
    if not (right and a and b) or not (tree := merged(right.tree, a.tree, b.tree)):
        return None
    space = ChainMap[str, Any](dict(a.namespace), dict(b.namespace))
    return _AtOnce(ast.fix_missing_locations(deepcopy(tree)), a.file, space)


class _AtOnce(Formula):
    """A merged formula; nobody has tried whether it can be computed."""

    def __call__(self, s: SimpleNamespace) -> Any:
        try:
            return super().__call__(s)
        except (TypeError, AttributeError, NameError) as error:
            raise ValueError(f"{self} cannot be computed") from error


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
            if isinstance(outer, ast.AST) and isinstance(inner, ast.expr):
                put = _Put(_text(right), inner)
                tree = put.visit(deepcopy(outer))
                if put.is_done:
                    return tree
    return None


class _Put(ast.NodeTransformer):
    """Replace every node of one text."""

    def __init__(self, text: str, inner: ast.expr) -> None:
        self.text, self.inner, self.is_done = text, inner, False

    def visit(self, node: ast.AST) -> Any:
        if ast.dump(node) != self.text:
            return self.generic_visit(node)
        self.is_done = True
        return self.inner


@lru_cache(maxsize=100_000)
def _text(tree: Any) -> str:
    return ast.dump(tree) if isinstance(tree, ast.AST) else repr(tree)


@lru_cache(maxsize=10_000)
def _formula(step: Step) -> Formula | None:
    """Return a step as a formula: one of a table, or a lambda of `s`."""
    if isinstance(step, Formula):
        return step
    code = getattr(step, "__code__", None)
    found = _lambdas(code.co_filename)[code.co_firstlineno] if code else []
    if len(found) != 1 or code is None or code.co_freevars:
        return None
    tree = _Bare().visit(deepcopy(found[0].body))
    space = getattr(step, "__globals__", {})
    return Formula(ast.fix_missing_locations(tree), code.co_filename, space)


@lru_cache
def _lambdas(file: str) -> dict[int, list[ast.Lambda]]:
    """Return the lambdas of `s` in a file, by the lines that they begin in."""
    found: dict[int, list[ast.Lambda]] = defaultdict(list)
    for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
        if isinstance(node, ast.Lambda) and [x.arg for x in node.args.args] == ["s"]:
            found[node.lineno].append(node)
    return found


class _Bare(ast.NodeTransformer):
    """Write `s.x` as `x`, as formulas of a table do."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "s":
            return ast.Name(node.attr, ast.Load())
        return self.generic_visit(node)
