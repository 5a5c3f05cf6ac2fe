"""Try small changes to an answer, to find the one piece of it that is wrong.

How many are tried is counted, and how many lines they run: no clock decides what is
said. An answer that does more than compute is not tried: its copies would write and
send again, and wrongly.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from named_mistakes.compare import Judged
from named_mistakes.describe import difference, largest_difference
from named_mistakes.edits import SURE, Edit, likely
from named_mistakes.effects import has_effects
from named_mistakes.exercise import Exercise
from named_mistakes.limit import Purse
from named_mistakes.report import Finding
from named_mistakes.runner import run
from named_mistakes.trial import Trial

TRIES, LINES = 800, 300_000  # changes, and how many lines they may run together
# These are gone once the change is made.
FOLLOWS = ("crashed", "wrong-shape", "nan")
SAID = ("wrong-dtype", "wrong-type", "returned-none")  # better than by any change


def slip(trial: Trial) -> Iterator[Finding]:
    """Quote the piece of code that holds a well-known slip: mended, all is right."""
    yield from _near_miss(trial, SURE)


def near_miss(trial: Trial) -> Iterator[Finding]:
    """Quote the piece of code that any one small change makes right, in every case."""
    yield from _near_miss(trial, likely(_given(trial)))


def _near_miss(trial: Trial, edits: tuple[Callable, ...]) -> Iterator[Finding]:
    open_ = [one for one in trial.failing if one.got is None or not trial.explains(one)]
    said = any(one.outcome.code in SAID for one in open_)
    if not open_ or said or has_effects(trial.answer):
        return
    found = one_change(trial, edits)
    if found:
        edit, where = found
        told = f"Look at {where}: {edit.look}" + ("" if edit.look[-1] == "?" else ".")
        yield Finding(
            edit.code,
            f"{_seen(trial)}. One small change makes your function right everywhere. "
            f"{told}",
            explains=FOLLOWS,
        )


def _given(trial: Trial) -> dict[str, Any]:
    inputs = trial.judged[0].case.inputs.values()
    return dict(zip(trial.answer.parameters, inputs, strict=False))


def _seen(trial: Trial) -> str:
    one = min(trial.failing, key=lambda j: (j.got is None, j.case.order))
    if one.got is not None:
        return difference(trial.exercise, one, largest_difference(one))
    note = f": {one.outcome.note}" if one.outcome.note else ""
    return f"For {one.case.described()} no array came back{note}"


def one_change(trial: Trial, edits: tuple[Callable, ...]) -> tuple[Edit, str] | None:
    """Find the change, and the code where it is made.

    Returns
    -------
    tuple of Edit, str, or None
        What to look at, without the change itself; nothing if there is none.
    """
    answer, tree = trial.answer, deepcopy(trial.answer.quiet)
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    # The smallest case that fails rules most changes out at once.
    cases = sorted(trial.judged, key=lambda one: (one.right, one.case.order))
    purse = Purse(LINES * trial.exercise.patience)
    changed = _changed(tree, answer.source.first, edits)
    for count, (quoted, edit) in enumerate(changed):
        if count == TRIES or purse.left < 0:
            return None
        function = _made(tree, answer.function, answer.space)
        if function and all(
            _is_right(trial.exercise, function, one, purse) for one in cases
        ):
            return edit, quoted
    return None


def _changed(
    tree: ast.Module, first: int, edits: tuple[Callable, ...]
) -> Iterator[tuple[str, Edit]]:
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
    for edit in edits:
        for several in ([[slot] for slot in slots], groups):
            for group in several:
                more = ", and at the same elsewhere" * (len(group) > 1)
                for made in _changed_in(group, edit):
                    yield quoted[id(group[0])] + more, made


def _changed_in(group: list[Slot], edit: Callable) -> Iterator[Edit]:
    for made in edit(group[0].node, group[0].field):
        for slot in group:
            slot.put(made.node)
        yield made
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


def _made(tree: ast.Module, function: Any, space: dict) -> Callable | None:
    space = dict(space)
    try:
        text = ast.unparse(tree)
        exec(compile(text, function.__code__.co_filename, "exec"), space)
    except (SyntaxError, ValueError, TypeError, NameError, AttributeError):
        return None
    return space[tree.body[0].name]


def _is_right(
    exercise: Exercise, function: Callable, one: Judged, purse: Purse
) -> bool:
    outcome = run(function, one.case, exercise.returns, exercise.patience, purse)
    if one.case.room is not None and outcome.held > one.case.room:
        return False
    return not outcome.changed and Judged(outcome, one.wanted, one.truth).right


def _quoted(node: ast.AST, first: int) -> str:
    text = ast.unparse(node).split("\n")[0]
    text = text if len(text) < 80 else f"{text[:76]} …"
    line = getattr(node, "lineno", None)
    return f"`{text}`" + (f" in line {first + line - 1}" if line else "")
