"""Tables of mistakes as text: a line a mistake.

>>> text = '''
... SEES = which keys the first new query sees: all that were kept, and its own
...
... offset | offset-off-by-one | {SEES}
...     a query that does not see its own key = n_cached - 1
...     counting from the number of new tokens = len(query)
... '''
>>> one, other = read(text, {})
>>> one.code, one.cause
('offset-off-by-one', 'a query that does not see its own key')
>>> one.steps["offset"](SimpleNamespace(n_cached=5))
4

A line that begins at the margin is one of these:

- `step | code | look`, which the mistakes under it share. Where a mistake changes
  several steps, they stand with commas between them, and so do the formulas. Two more
  fields are possible: `hides: CODES` and `written: TEXT`, as `Mistake` has them;
- `NAME = words`, to be used as `{NAME}`;
- `include EXPRESSION`, which gives mistakes of another table: `only(TABLE, *CODES)`
  chooses some;
- `import` and `from`, as in Python, for what the formulas need;
- a comment, after `#`.

A line indented by four spaces is a mistake, `cause = formula`. What is indented by more
goes on with the line before. A formula is an expression of Python: it knows the inputs
and the steps before it by their names, all of them together as `s`, and what the
namespace knows.
"""

from __future__ import annotations

import ast
import re
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from named_mistakes.exercise import Mistake

MARGIN = 4  # spaces before a mistake
WORDS = re.compile(r"([A-Z][A-Z0-9_]*) = (.+)")
CODE = re.compile(r"[a-z0-9][A-Za-z0-9_-]*")
FIELDS = ("hides", "written")


class TableError(ValueError):
    """A table that cannot be read; says in which file and line, and why."""


class Formula:
    """An expression of a table, as a step of a recipe.

    Parameters
    ----------
    tree : ast.expr
    file : str
        The table, for tracebacks.
    namespace : mapping of str to object
        What the expression may use, beside the inputs and the steps before it.
    """

    def __init__(self, tree: ast.expr, file: str, namespace: Mapping[str, Any]):
        self.tree, self.file, self.namespace = tree, file, namespace
        self._code = compile(ast.Expression(tree), file, "eval")

    def __call__(self, s: SimpleNamespace) -> Any:
        """Compute it from the inputs and the steps so far."""
        return eval(self._code, {**self.namespace, **vars(s), "s": s})

    def __str__(self) -> str:
        return ast.unparse(self.tree)

    def with_names(self, **names: str) -> Formula:
        """Write other names for some."""
        tree = ast.parse(str(self), mode="eval").body
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
        return Formula(tree, self.file, self.namespace)


@dataclass(frozen=True)
class Line:
    """A line with those that go on with it."""

    file: str
    number: int
    is_mistake: bool
    text: str

    def error(self, why: str) -> TableError:
        """Say where, and why."""
        return TableError(f"{self.file}:{self.number}: {why}")


def read_beside(
    module: str, namespace: Mapping[str, Any], steps: Collection[str] | None = None
) -> tuple[Mistake, ...]:
    """Read the table that stands beside a module and has its name.

    Parameters
    ----------
    module : str
        Its `__file__`.
    namespace : mapping of str to object
        Its `globals()`.
    steps : collection of str, optional
        What may be changed: the names of the recipe.

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
    namespace: Mapping[str, Any],
    steps: Collection[str] | None = None,
    *,
    file: str = "<table>",
) -> tuple[Mistake, ...]:
    """Read a table; see `read_beside`."""
    words: dict[str, str] = {}
    imported: dict[str, Any] = {"only": only}
    namespace = ChainMap(imported, namespace)
    known = ChainMap(words, namespace)
    found: list[Mistake] = []
    head = None
    for line in _lines(text, file):
        if line.is_mistake:
            if head is None:
                raise line.error("a mistake needs a line 'step | code | look' above it")
            found.append(_mistake(line, head, known, namespace))
        elif line.text.startswith("include "):
            found += _included(line, namespace)
        elif line.text.startswith(("import ", "from ")):
            _run(line, imported)
        elif named := WORDS.fullmatch(line.text):
            words[named[1]] = _filled(line, named[2], known)
        else:
            head = _head(line, known, steps)
    return tuple(found)


def _lines(text: str, file: str) -> Iterator[Line]:
    """Join what belongs together; leave out comments and empty lines."""
    last = None
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.strip()
        if not words or words.startswith("#"):
            continue
        indent = len(raw) - len(raw.lstrip())
        if indent > MARGIN and last:
            last = replace(last, text=f"{last.text} {words}")
            continue
        if last:
            yield last
        last = Line(file, number, indent == MARGIN, words)
        if indent not in (0, MARGIN):
            raise last.error(
                f"a line begins at the margin, or after {MARGIN} spaces if it is a "
                f"mistake, or after more if it goes on with another; got {indent}"
            )
    if last:
        yield last


def _head(line: Line, known: Mapping, steps: Collection[str] | None) -> Mistake:
    """Read `step | code | look`, as a mistake without cause and formulas."""
    fields = [field.strip() for field in line.text.split("|")]
    if len(fields) < 3 or not all(fields):
        raise line.error(
            "expected 'step | code | look', 'NAME = words', 'include EXPRESSION' or a "
            f"comment; got {line.text!r}"
        )
    changed, code, look, *more = fields
    names = [name.strip() for name in changed.split(",")]
    for name in names:
        if steps is not None and name not in steps:
            raise line.error(f"a step is one of {', '.join(steps)}; got {name!r}")
    if not CODE.fullmatch(code):
        raise line.error(f"a code is words with hyphens between them; got {code!r}")
    head = Mistake(code, "", _filled(line, look, known), dict.fromkeys(names))
    return replace(head, **dict(_field(line, field) for field in more))


def _field(line: Line, field: str) -> tuple[str, Any]:
    name, _, value = (part.strip() for part in field.partition(":"))
    if name not in FIELDS or not value:
        raise line.error(f"expected 'hides: CODES' or 'written: TEXT'; got {field!r}")
    hides = tuple(code.strip() for code in value.split(","))
    return name, hides if name == "hides" else value


def _mistake(line: Line, head: Mistake, known: Mapping, namespace: Mapping) -> Mistake:
    cause, found, text = line.text.rpartition(" = ")
    if not found:
        raise line.error(f"expected 'what was done = formula'; got {line.text!r}")
    try:
        tree = ast.parse(f"({text})", mode="eval").body
    except SyntaxError as error:
        raise line.error(f"{error.msg} in the formula {text!r}") from None
    ast.increment_lineno(tree, line.number - 1)
    trees = [tree]
    if len(head.steps) > 1:
        trees = tree.elts if isinstance(tree, ast.Tuple) else trees
    if len(trees) != len(head.steps):
        names = ", ".join(head.steps)
        raise line.error(
            f"expected {len(head.steps)} formulas, for {names}; got {len(trees)}"
        )
    formulas = (Formula(one, line.file, namespace) for one in trees)
    steps = dict(zip(head.steps, formulas, strict=True))
    return replace(head, cause=_filled(line, cause, known), steps=steps)


def _filled(line: Line, text: str, known: Mapping) -> str:
    """Put words in for their {NAMES}."""
    try:
        return text.format_map(known)
    except (KeyError, AttributeError, ValueError, IndexError) as error:
        raise line.error(f"no words for what stands in braces: {error}") from None


def _run(line: Line, imported: dict[str, Any]) -> None:
    try:
        exec(line.text, imported)
    except (ImportError, SyntaxError) as error:
        raise line.error(f"{line.text}: {error}") from error


def _included(line: Line, namespace: Mapping) -> tuple[Mistake, ...]:
    expression = line.text.removeprefix("include ")
    try:
        given = tuple(eval(expression, dict(namespace)))
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
