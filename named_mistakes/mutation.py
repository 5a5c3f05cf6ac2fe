"""Changed copies of an answer: make one change at a time, compile it, try it."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from named_mistakes.answer import Answer
from named_mistakes.compare import Judged
from named_mistakes.exercise import Exercise
from named_mistakes.limit import LineBudget
from named_mistakes.runner import run


class Edit(NamedTuple):
    """The replacement, what to look at, and the code of the finding."""

    node: ast.AST
    look: str
    code: str = "one-piece-wrong"


Edits = tuple[Callable[[ast.AST, str], Iterator[Edit]], ...]


def parsed(text: str) -> ast.expr:
    """Parse an expression."""
    return ast.parse(text, mode="eval").body


def called(node: ast.Call) -> str:
    """Return the name of the called function as written: `np.max`."""
    return ast.unparse(node.func)


def mutations(
    tree: ast.Module, first: int, edits: Edits, own: set[int]
) -> Iterator[tuple[str, Edit]]:
    """Make one change at a time in the tree, and undo it afterwards.

    Code that occurs several times is changed in each place alone, then in all of them.
    If `own` holds ids of filled-in lines, only those lines are changed.
    """
    sites = [
        site
        for site in _sites(tree.body[0], ())
        if not own or own & set(map(id, (site.node, *site.around)))
    ]
    quoted = {id(site): _quoted(site.shown(), first) for site in sites}
    alike: dict[tuple[str, str], list[Site]] = {}
    for site in sites:
        written = type(site.node).__name__, ast.unparse(site.node)
        alike.setdefault(written, []).append(site)
    groups = [[site] for site in sites]
    groups += [several for several in alike.values() if len(several) > 1]
    for edit in edits:
        for group in groups:
            more = ", and at the same elsewhere" * (len(group) > 1)
            for made in _mutations_in(group, edit):
                yield quoted[id(group[0])] + more, made


def _mutations_in(group: list[Site], edit: Callable) -> Iterator[Edit]:
    for made in edit(group[0].node, group[0].field):
        for site in group:
            site.put(made.node)
        yield made
        for site in group:
            site.put(site.node)


@dataclass(frozen=True)
class Site:
    """A place in the code: its node, the nodes around it, and how to replace it."""

    put: Callable[[ast.AST], None]
    field: str
    node: ast.AST
    around: tuple[ast.AST, ...]

    def shown(self) -> ast.AST:
        """Return the node to quote: a number or a slice alone says little."""
        several = [one for one in self.around if isinstance(one, ast.expr | ast.stmt)]
        wide = [one for one in several if not isinstance(one, ast.UnaryOp | ast.Slice)]
        bare = isinstance(self.node, ast.Constant | ast.Slice)
        return wide[-1] if bare and wide else self.node


def _sites(parent: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Site]:
    around = (*around, parent)
    for field, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for i, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield Site(partial(value.__setitem__, i), field, node, around)
                    yield from _sites(node, around)
        elif isinstance(value, ast.arguments):  # parameters keep their defaults
            yield Site(partial(setattr, parent, field), field, value, around)
        elif isinstance(value, ast.AST):
            yield Site(partial(setattr, parent, field), field, value, around)
            yield from _sites(value, around)


def _quoted(node: ast.AST, first: int) -> str:
    text = ast.unparse(node).split("\n")[0]
    text = text if len(text) < 80 else f"{text[:76]} …"
    line = getattr(node, "lineno", None)
    return f"`{text}`" + (f" in line {first + line - 1}" if line else "")


def compiled(tree: ast.Module, answer: Answer) -> Callable | None:
    """Compile a changed tree to a function; None if Python cannot read it.

    Warnings are muted, since the learner did not write the copy.
    """
    space, function = dict(answer.space or {}), answer.function
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ast.unparse(tree)
            exec(compile(text, function.__code__.co_filename, "exec"), space)
    except (SyntaxError, ValueError, TypeError, NameError, AttributeError):
        return None
    names = [one.name for one in tree.body if isinstance(one, ast.FunctionDef)]
    return space[names[0]] if names else None


def is_right(
    exercise: Exercise, function: Callable, one: Judged, budget: LineBudget
) -> bool:
    """Tell whether the copy gives what is expected, within its share of lines."""
    outcome = run(function, one.case, exercise.returns, exercise.patience, budget)
    if one.case.room is not None and outcome.held > one.case.room:
        return False
    return not outcome.changed and Judged(outcome, one.wanted, one.truth).right
