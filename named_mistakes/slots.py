"""Places in an answer's code where one piece can be replaced by another."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from named_mistakes.edits import Edit, Edits


def changed(
    tree: ast.Module, first: int, edits: Edits, own: set[int]
) -> Iterator[tuple[str, Edit]]:
    """Make one change at a time in the tree, and undo it afterwards.

    Code that occurs several times is changed in each place alone, then in all of them.
    If `own` holds ids of filled-in lines, only those lines are changed.
    """
    slots = [
        slot
        for slot in _slots(tree.body[0], ())
        if not own or own & set(map(id, (slot.node, *slot.around)))
    ]
    quoted = {id(slot): _quoted(slot.shown(), first) for slot in slots}
    alike: dict[tuple[str, str], list[Slot]] = {}
    for slot in slots:
        written = type(slot.node).__name__, ast.unparse(slot.node)
        alike.setdefault(written, []).append(slot)
    groups = [[slot] for slot in slots]
    groups += [several for several in alike.values() if len(several) > 1]
    for edit in edits:
        for group in groups:
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


def _slots(parent: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Slot]:
    around = (*around, parent)
    for field, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for i, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield Slot(partial(value.__setitem__, i), field, node, around)
                    yield from _slots(node, around)
        elif isinstance(value, ast.arguments):  # parameters keep their defaults
            yield Slot(partial(setattr, parent, field), field, value, around)
        elif isinstance(value, ast.AST):
            yield Slot(partial(setattr, parent, field), field, value, around)
            yield from _slots(value, around)


def _quoted(node: ast.AST, first: int) -> str:
    text = ast.unparse(node).split("\n")[0]
    text = text if len(text) < 80 else f"{text[:76]} …"
    line = getattr(node, "lineno", None)
    return f"`{text}`" + (f" in line {first + line - 1}" if line else "")
