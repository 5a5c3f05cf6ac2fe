"""Collect what a reader wrote from a notebook of a lesson.

An answer is a function that a cell hands to ``check("name", function)``. Its text comes
with what it needs of the cells before it: imports, other functions, constants.
"""

import ast
import json
import re
import symtable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attncourse.practice.catalogue import EXERCISES
from attncourse.teach.handed_in import Answer
from attncourse.teach.starters import is_untouched

# Functions that a lesson shows, in order to show a verdict.
SHOWN = re.compile(r"^(wrong_|somebodys_|someones_|someone$|hasty$|quick$)")
ENDS = re.compile(r"\r\n|\r|\n")  # of lines, as Python sees them
DEFINES = (ast.FunctionDef, ast.ClassDef)


@dataclass
class _Known:
    """What the cells so far define: the text of each name, and the names it uses."""

    text: dict[str, str] = field(default_factory=dict)
    uses: dict[str, set[str]] = field(default_factory=dict)

    def add(self, names: list[str], text: str) -> None:
        used = _used(symtable.symtable(text, "cell", "exec"))
        for name in names:
            self.text[name], self.uses[name] = text, used - {name}

    def needed(self, name: str) -> str:
        """Return the text that defines a name, after all that it needs."""
        order: dict[str, None] = {}  # of texts
        seen: set[str] = set()

        def visit(one: str) -> None:
            if one in seen or one not in self.text:
                return
            seen.add(one)
            for other in sorted(self.uses[one]):
                visit(other)
            order.setdefault(self.text[one])

        visit(name)
        return "\n\n".join(order) + "\n"


def _used(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a text looks up outside its own functions."""
    is_module = table.get_type() == "module"
    found = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (is_module or symbol.is_global())
    }
    return found.union(*(_used(child) for child in table.get_children()))


def answers(path: Path) -> list[Answer]:
    """Return the answers of a notebook, in order; solutions are left out.

    So are functions to be mended that are as the lesson gives them: see `starters`.

    Raises
    ------
    ValueError
        If the file is no notebook, with what was expected.
    """
    return [one for one in given(path) if not is_untouched(one)]


def given(path: Path) -> list[Answer]:
    """Return what a notebook gives to check, touched or not; solutions are left out."""
    return collected(_code_cells(path), path.stem)


def collected(cells: list[dict[str, Any]], lesson: str) -> list[Answer]:
    """Return what cells give to check; they are objects with a text and tags."""
    known, found = _Known(), {}
    for cell in cells:
        tree = _tree(cell)
        lines = [line.encode() for line in ENDS.split(cell["text"])]
        for node in tree.body if tree else []:
            _learn(known, node, _text(lines, node))
        if "solution" in cell["tags"] or tree is None:
            continue
        for exercise, function in _checks(tree):
            if function in known.text and not SHOWN.match(function):
                text = known.needed(function)
                found[exercise, function] = Answer(exercise, function, text, lesson)
    return list(found.values())


def answers_of_last(cells: str) -> str:
    """Return what the last of some cells hands to check, as a page asks for it.

    Parameters
    ----------
    cells : str
        JSON: a list of objects with a text and tags, in the order of the page.

    Returns
    -------
    str
        JSON: a list of objects with exercise, function and source.
    """
    above = json.loads(cells)
    names = ("exercise", "function", "source")
    tree = _tree(dict(above[-1]))
    asked = _checks(tree) if tree else []
    return json.dumps(
        [
            {name: getattr(one, name) for name in names}
            for one in collected(above, "")
            if (one.exercise, one.function) in asked and not is_untouched(one)
        ]
    )


def _code_cells(path: Path) -> list[dict[str, Any]]:
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [
            {
                "text": "".join(cell["source"]),
                "tags": cell.get("metadata", {}).get("tags", []),
            }
            for cell in cells
            if cell["cell_type"] == "code"
        ]
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(f"{path}: expected a notebook, an .ipynb file") from None


def _tree(cell: dict[str, Any]) -> ast.Module | None:
    """Parse a cell; lines that only IPython understands are left out."""
    lines = ["" if x.startswith(("%", "!")) else x for x in cell["text"].split("\n")]
    cell["text"] = "\n".join(lines)
    try:
        return ast.parse(cell["text"])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _text(lines: list[bytes], node: ast.stmt) -> str:
    """Return what a statement says; `ast.get_source_segment` reads all for each."""
    own = lines[node.lineno - 1 : node.end_lineno]
    own[-1] = own[-1][: node.end_col_offset]
    own[0] = own[0][node.col_offset :]
    return b"\n".join(own).decode()


def _learn(known: _Known, node: ast.stmt, text: str) -> None:
    """Note what one statement defines."""
    if isinstance(node, DEFINES):
        known.add([node.name], text)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        names = [x.asname or x.name.partition(".")[0] for x in node.names]
        known.add(names, text)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        stored = (x for x in ast.walk(node) if isinstance(x, ast.Name))
        names = [x.id for x in stored if isinstance(x.ctx, ast.Store)]
        known.add(names, text)


def _checks(tree: ast.Module) -> list[tuple[str, str]]:
    """Find the calls of check: which exercise, which function."""
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check"):
            continue
        match node.args[:2]:
            case [ast.Constant(value=str(name)), ast.Name(id=function)]:
                found += [(name, function)] if name in EXERCISES else []
    return found
