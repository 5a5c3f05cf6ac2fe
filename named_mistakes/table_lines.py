"""The lines of a table, each joined with its continuation lines."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

MARGIN = 4  # spaces before a mistake


class TableError(ValueError):
    """A table that cannot be read; says in which file and line, and why."""


@dataclass(frozen=True)
class Line:
    """A line joined with its continuation lines."""

    file: str
    number: int
    is_mistake: bool
    text: str

    def error(self, why: str) -> TableError:
        """Make the error for this line, with its file and number."""
        return TableError(f"{self.file}:{self.number}: {why}")


def table_lines(text: str, file: str) -> Iterator[Line]:
    """Yield lines joined with their continuations, without comments and empty lines."""
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
