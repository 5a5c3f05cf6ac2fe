"""Read tables of mistakes written as text, one line per mistake.

>>> text = '''
... BELOW = what stands below: the squares of x's distances
...
... slope | divided-by-the-count | {BELOW}
...     dividing by the number of points = products / len(x)
...     dividing by one point less = products / (len(x) - 1)
... '''
>>> one, other = read(text, {})
>>> one.code, one.cause
('divided-by-the-count', 'dividing by the number of points')
>>> from types import SimpleNamespace
>>> one.steps["slope"](SimpleNamespace(products=6.0, x=[1, 2, 3]))
2.0

A line that begins at the margin is one of these:

- `step | code | look`, which the mistakes under it share. Where a mistake changes
  several steps, they stand with commas between them, and so do the formulas. Two more
  fields are possible: `hides: CODES` and `written: TEXT`, as `Mistake` has them;
- `code | look`, where each mistake under it says which steps it changes: its formulas
  are `step: formula`, with commas between them;
- `NAME = words`, to be used as `{NAME}`;
- `include EXPRESSION`, which gives mistakes of another table: `only(TABLE, *CODES)`
  chooses some;
- `import` and `from`, as in Python, for what the formulas need;
- a comment, after `#`.

A line indented by four spaces is a mistake, `cause = formula`, or one for each of some
values: `for n in 2, 3: dividing by {n} = x / {n}`. A line indented further continues
the line before. A formula is a Python expression: it can use the inputs and the steps
before it by name, all of them together as `s`, and the names in the namespace.
"""

import ast
import re
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from named_mistakes.exercise import Mistake, Steps
from named_mistakes.formula import Formula
from named_mistakes.table_lines import Line, table_lines

VALUES = re.compile(r"for (\w+) in (.+?): (.+)")
WORDS = re.compile(r"([A-Z][A-Z0-9_]*) = (.+)")
CODE = re.compile(r"[a-z0-9][A-Za-z0-9_-]*")
FIELDS = ("hides", "written")


def read_beside(
    module: str, namespace: dict[str, Any], steps: Collection[str] | None = None
) -> tuple[Mistake, ...]:
    """Read the table next to a module, in the file of the same name.

    Parameters
    ----------
    module : str
        Its `__file__`.
    namespace : dict of str to object
        Its `globals()`.
    steps : collection of str, optional
        The steps that may be changed: the names in the recipe.

    Raises
    ------
    TableError
        If the table cannot be read; says in which line, and what was expected.
    """
    path = Path(module).with_suffix(".mistakes")
    text = path.read_text(encoding="utf-8")
    return read(text, namespace, steps, file=str(path))


def read(
    text: str,
    namespace: dict[str, Any],
    steps: Collection[str] | None = None,
    *,
    file: str = "<table>",
) -> tuple[Mistake, ...]:
    """Read a table; see `read_beside`."""
    words: dict[str, str] = {}
    imported: dict[str, Any] = {"only": only}
    space = ChainMap(imported, namespace)
    known = ChainMap[str, Any](words, imported, namespace)
    found: list[Mistake] = []
    head = None
    for line in table_lines(text, file):
        if line.is_mistake:
            if head is None:
                raise line.error("a mistake needs a line 'step | code | look' above it")
            found += [_mistake(x, head, known, space) for x in _for_each_value(line)]
        elif line.text.startswith("include "):
            found += _included(line, space)
        elif line.text.startswith(("import ", "from ")):
            _run(line, imported)
        elif named := WORDS.fullmatch(line.text):
            words[named[1]] = _filled(line, named[2], known)
        else:
            head = _head(line, known, steps)
    return tuple(found)


class Head(NamedTuple):
    """A line `step | code | look`: what the mistakes under it share."""

    steps: list[str] | None  # None if each mistake says which it changes
    code: str
    look: str
    more: dict[str, Any]  # hides, written
    known: Collection[str] | None  # the steps that there are


def _head(line: Line, known: Mapping, steps: Collection[str] | None) -> Head:
    fields = [field.strip() for field in line.text.split("|")]
    more = {}
    while ": " in fields[-1] and fields[-1].partition(":")[0] in FIELDS:
        name, _, value = fields.pop().partition(": ")
        codes = tuple(code.strip() for code in value.split(","))
        more[name] = codes if name == "hides" else value
    if len(fields) not in (2, 3) or not all(fields):
        raise line.error(
            "expected 'step | code | look' or 'code | look', and behind it perhaps "
            "'hides: CODES' or 'written: TEXT'; or 'NAME = words', 'include "
            f"EXPRESSION' or a comment; got {line.text!r}"
        )
    *changed, code, look = fields
    if not CODE.fullmatch(code):
        raise line.error(f"a code is words with hyphens between them; got {code!r}")
    names = [name.strip() for name in changed[0].split(",")] if changed else None
    _check_steps(line, names or (), steps)
    return Head(names, code, _filled(line, look, known), more, steps)


def _check_steps(
    line: Line, names: Collection[str], steps: Collection[str] | None
) -> None:
    for name in names:
        if steps is not None and name not in steps:
            raise line.error(f"a step is one of {', '.join(steps)}; got {name!r}")


def _for_each_value(line: Line) -> Iterator[Line]:
    """Yield a mistake once for each of its values, or as it is."""
    if not (several := VALUES.fullmatch(line.text)):
        yield line
        return
    name, values, text = several.groups()
    listed = f"[{values}]"
    for value in _parsed(line, listed).elts:
        written = listed[value.col_offset : value.end_col_offset]
        one = text.replace(f"{{{name}}}", written)
        yield from _for_each_value(replace(line, text=one))


def _mistake(line: Line, head: Head, known: Mapping, space: Mapping) -> Mistake:
    cause, found, text = line.text.rpartition(" = ")
    if not found:
        raise line.error(f"expected 'what was done = formula'; got {line.text!r}")
    steps: Steps = {
        name: Formula(tree, line.file, space)
        for name, tree in _formulas(line, text, head).items()
    }
    return Mistake(
        head.code, _filled(line, cause, known), head.look, steps, **head.more
    )


def _formulas(line: Line, text: str, head: Head) -> dict[str, ast.expr]:
    """Read an expression for each step that the mistake changes."""
    if head.steps is None:
        given = _parsed(line, f"{{{text}}}")
        keys = [getattr(key, "id", "") for key in getattr(given, "keys", [None])]
        if not all(keys):
            raise line.error(f"expected 'what was done = step: formula'; got {text!r}")
        _check_steps(line, keys, head.known)
        return dict(zip(keys, given.values, strict=True))
    given = _parsed(line, f"({text})")
    several = isinstance(given, ast.Tuple) and len(head.steps) > 1
    trees = given.elts if several else [given]
    if len(trees) != len(head.steps):
        names = ", ".join(head.steps)
        raise line.error(
            f"expected {len(head.steps)} formulas, for {names}; got {len(trees)}"
        )
    return dict(zip(head.steps, trees, strict=True))


def _parsed(line: Line, text: str) -> Any:
    """Read an expression in brackets."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise line.error(f"{error.msg} in the formula {text[1:-1]!r}") from None
    ast.increment_lineno(tree, line.number - 1)
    return tree


def _filled(line: Line, text: str, known: Mapping) -> str:
    """Replace {NAMES} with the words they stand for."""
    try:
        return text.format_map(known)
    except (KeyError, AttributeError, ValueError, IndexError) as error:
        raise line.error(f"no words for what stands in braces: {error}") from None


def _run(line: Line, imported: dict[str, Any]) -> None:
    try:
        exec(line.text, imported)
    except (ImportError, SyntaxError) as error:
        raise line.error(f"{line.text}: {error}") from error


def _included(line: Line, space: Mapping) -> tuple[Mistake, ...]:
    expression = line.text.removeprefix("include ")
    try:
        given = tuple(eval(expression, dict(space)))
    except Exception as error:
        raise line.error(f"{expression} gives {error!r}") from error
    if not all(isinstance(one, Mistake) for one in given):
        raise line.error(f"{expression} should give mistakes; got {given!r}")
    return given


def only(mistakes: Collection[Mistake], *codes: str) -> tuple[Mistake, ...]:
    """Choose the mistakes that have these codes, in the order of the codes."""
    missing = set(codes) - {one.code for one in mistakes}
    if missing:
        raise ValueError(f"no mistake has the code {', '.join(sorted(missing))}")
    return tuple(one for code in codes for one in mistakes if one.code == code)
