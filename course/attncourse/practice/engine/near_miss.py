"""Try small changes to an answer, to find the one piece of it that is wrong."""

from __future__ import annotations

import ast
import inspect
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from attncourse.practice.engine.compare import Judged
from attncourse.practice.engine.edits import EDITS
from attncourse.practice.engine.exercise import Exercise
from attncourse.practice.engine.runner import run
from attncourse.practice.engine.source import source_of

MOST, SECONDS = 600, 2.0  # changes, and how long they may take together


def one_change(exercise: Exercise, judged: list[Judged], answer: Any) -> str:
    """Quote the piece of code that one small change makes right, in every case.

    Returns
    -------
    str
        Where to look, without the change itself; nothing if there is none.
    """
    source = source_of(answer)
    try:
        space = {**answer.__globals__, **inspect.getclosurevars(answer).nonlocals}
    except (TypeError, ValueError, AttributeError):
        return ""
    if source is None:
        return ""
    tree, first, _ = source
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return ""
    tree.body[0].decorator_list = []
    # The smallest case that fails rules most changes out at once.
    cases = sorted(judged, key=lambda one: (one.right, one.case.order))
    until = time.perf_counter() + SECONDS
    for count, (quoted, why) in enumerate(_changed(tree, first)):
        if count == MOST or time.perf_counter() > until:
            return ""
        function = _made(tree, answer, space)
        if function and all(_is_right(exercise, function, one) for one in cases):
            return f"Look at {quoted}: {why}"
    return ""


def _changed(tree: ast.Module, first: int) -> Iterator[tuple[str, str]]:
    """Make one change at a time in the tree, and take it back afterwards.

    What is written several times is changed at each place alone, and then at all.
    """
    slots = list(_slots(tree.body[0], ()))
    quoted = {id(slot): _quoted(slot.shown(), first) for slot in slots}
    alike: dict[tuple[str, str], list[Slot]] = {}
    for slot in slots:
        alike.setdefault((type(slot.node).__name__, ast.unparse(slot.node)), []).append(
            slot
        )
    groups = [several for several in alike.values() if len(several) > 1]
    for edit in EDITS:
        for several in ([[slot] for slot in slots], groups):
            for group in several:
                more = ", and at the same elsewhere" * (len(group) > 1)
                for why in _changed_in(group, edit):
                    yield quoted[id(group[0])] + more, why


def _changed_in(group: list[Slot], edit: Callable) -> Iterator[str]:
    for other, why in edit(group[0].node, group[0].field):
        for slot in group:
            slot.put(other)
        yield why
        for slot in group:
            slot.put(slot.node)


@dataclass(frozen=True)
class Slot:
    """A place in the code: what stands there, in what, and how to put another in."""

    put: Callable[[ast.AST], None]
    field: str
    node: ast.AST
    around: tuple[ast.AST, ...]

    def shown(self) -> ast.AST:
        """Choose what to quote: a number or a slice alone says little."""
        several = [one for one in self.around if isinstance(one, ast.expr | ast.stmt)]
        wide = [one for one in several if not isinstance(one, ast.UnaryOp | ast.Slice)]
        bare = isinstance(self.node, ast.Constant | ast.Slice)
        return wide[-1] if bare and wide else self.node


def _slots(parent: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Slot]:
    around = (*around, parent)
    for field, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for i, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield Slot(partial(value.__setitem__, i), field, node, around)
                    yield from _slots(node, around)
        elif isinstance(value, ast.AST):
            yield Slot(partial(setattr, parent, field), field, value, around)
            yield from _slots(value, around)


def _made(tree: ast.Module, answer: Any, space: dict) -> Callable | None:
    space = dict(space)
    try:
        text = ast.unparse(tree)
        exec(compile(text, answer.__code__.co_filename, "exec"), space)
    except (SyntaxError, ValueError, TypeError, NameError, AttributeError):
        return None
    return space[tree.body[0].name]


def _is_right(exercise: Exercise, function: Callable, one: Judged) -> bool:
    outcome = run(function, one.case, exercise.returns, exercise.patience)
    return not outcome.changed and Judged(outcome, one.wanted, one.is_boolean).right


def _quoted(node: ast.AST, first: int) -> str:
    text = ast.unparse(node).split("\n")[0]
    text = text if len(text) < 80 else f"{text[:76]} …"
    line = getattr(node, "lineno", None)
    return f"`{text}`" + (f" in line {first + line - 1}" if line else "")
