"""Read the text of a learner's function, where it can be had."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any, NamedTuple

# Typed at a prompt, no function, or a lambda amid a line that is no statement.
UNREADABLE = (OSError, TypeError, ValueError, SyntaxError, IndexError)


class Source(NamedTuple):
    """A function as it is written: its tree, and where it stands in its file."""

    tree: ast.Module
    first: int
    n_lines: int


def source_of(answer: Any) -> Source | None:
    """Read and parse a function; None if its text cannot be had."""
    try:
        lines, first = inspect.getsourcelines(answer)
        return Source(ast.parse(textwrap.dedent("".join(lines))), first, len(lines))
    except UNREADABLE:
        return None
