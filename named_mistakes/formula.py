"""Formulas as steps of a recipe, and pairs of mistakes whose formulas can be merged."""

from __future__ import annotations

import ast
import linecache
from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from named_mistakes.exercise import Exercise, Mistake, Step, Steps
from named_mistakes.merged import merged


class Formula:
    """An expression of a table, as a step of a recipe.

    Parameters
    ----------
    tree : ast.expr
    file : str
        The table, for tracebacks.
    namespace : mapping of str to object
        What the expression may use besides the inputs and the steps before it.
    """

    def __init__(self, tree: ast.expr, file: str, namespace: Mapping[str, Any]):
        self.tree, self.file, self.namespace = tree, file, namespace
        self._code = compile(ast.Expression(tree), file, "eval")

    def __call__(self, s: SimpleNamespace) -> Any:
        """Compute the expression from the inputs and the steps so far."""
        return eval(self._code, {**self._used, **vars(s), "s": s})

    @cached_property
    def _used(self) -> dict[str, Any]:
        """What it uses of the namespace, which is whole by its first call."""
        names = {x.id for x in ast.walk(self.tree) if isinstance(x, ast.Name)}
        return {name: self.namespace[name] for name in names & self.namespace.keys()}

    def __str__(self) -> str:
        return ast.unparse(self.tree)

    def with_names(self, **names: str) -> Formula:
        """Return the formula with some of its names replaced."""
        tree = ast.parse(str(self), mode="eval").body
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
        return Formula(tree, self.file, self.namespace)


def pairs_in_a_step(exercise: Exercise) -> Iterator[tuple[Mistake, Mistake]]:
    """Yield the pairs of mistakes in one step that can be made at once.

    The second of a pair has, for each step that both change, the merged formula.
    """
    for one, other in combinations(exercise.mistakes, 2):
        shared = one.steps.keys() & other.steps.keys()
        both = {
            name: _both(exercise.recipe[name], one.steps[name], other.steps[name])
            for name in shared
        }
        steps: Steps = {name: step for name, step in both.items() if step}
        if steps and len(steps) == len(both):
            yield one, replace(other, steps={**other.steps, **steps})


def read_formulas(exercise: Exercise) -> None:
    """Read the source of every step now, for where there will be no files."""
    for steps in (exercise.recipe, *(one.steps for one in exercise.mistakes)):
        for step in steps.values():
            _formula(step)


@lru_cache(maxsize=100_000)  # merging takes as long as all that is tried with them
def _both(*steps: Step) -> Formula | None:
    """Merge what two steps change of a right one; None if that cannot be."""
    right, a, b = (_formula(step) for step in steps)
    if not (right and a and b) or not (tree := merged(right.tree, a.tree, b.tree)):
        return None
    space = {**b.namespace, **a.namespace}
    return _AtOnce(ast.fix_missing_locations(deepcopy(tree)), a.file, space)


class _AtOnce(Formula):
    """A merged formula; nobody has tried whether it can be computed."""

    def __call__(self, s: SimpleNamespace) -> Any:
        try:
            return super().__call__(s)
        except (TypeError, AttributeError, NameError) as error:
            raise ValueError(f"{self} cannot be computed") from error


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
