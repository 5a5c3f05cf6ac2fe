"""What was found, on one page of plain words; as HTML and as JSON too."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

FACTS = (
    *("scale", "scale_name", "softcap", "alignment", "window", "normalized", "mask"),
    *("grouping", "position", "empty_row", "large_scores", "layout"),
)
WIDTH = 88


@dataclass(frozen=True)
class Problem:
    """What differs from what was meant.

    Attributes
    ----------
    code : str
        A short name that does not change: "scale", "rows", "nan" …
    sentence : str
        What is wrong, in words.
    numbers : dict
        The numbers that show it, each with its name.
    """

    code: str
    sentence: str
    numbers: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = ", ".join(f"{name} {_short(x)}" for name, x in self.numbers.items())
        return f"{self.sentence} ({shown})" if shown else self.sentence


@dataclass
class Report:
    """What attention computes, and what is wrong with it.

    Attributes
    ----------
    facts : dict
        Always the same keys; None where a fact could not be told.
    problems : list of Problem
        What differs from what was meant. Empty means: as meant.
    sentences : list of str
        What it computes, in words.
    notes : list of str
        What could not be told, and what is worth knowing.
    details : dict
        More numbers: ALiBi slopes, the base of rotary positions, bits of precision …
    unexplained : str
        Why the facts do not account for its numbers; empty if they do.
    """

    subject: str = "This function"
    facts: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(FACTS))
    problems: list[Problem] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    unexplained: str = ""

    @property
    def status(self) -> int:
        """0: as meant. 1: not as meant. 2: cannot tell."""
        return 1 if self.problems else 2 if self.unexplained else 0

    @property
    def verdict(self) -> str:
        """One sentence for the top of the page."""
        n = len(self.problems)
        if n:
            return f"{self.subject}: {n} problem{'s' * (n > 1)}."
        if self.unexplained:
            return f"{self.subject}: I cannot tell. {self.unexplained}"
        return f"{self.subject}: nothing wrong was found."

    def add(self, code: str, sentence: str, **numbers: Any) -> None:
        """Add a problem; each code comes once."""
        if code not in {problem.code for problem in self.problems}:
            self.problems.append(Problem(code, sentence, numbers))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, for JSON."""
        whole = {"verdict": self.verdict, "status": self.status, **asdict(self)}
        plain: dict[str, Any] = _plain(whole)
        return plain

    def to_json(self, **options: Any) -> str:
        """Return all of it as JSON; options are those of json.dumps."""
        return json.dumps(self.as_dict(), **{"ensure_ascii": False, **options})

    def __str__(self) -> str:
        parts = [self.verdict]
        if self.problems:
            parts += ["", *_bullets(map(str, self.problems))]
            if self.unexplained:
                parts += ["", *_bullets([self.unexplained])]
        for title, lines in self._lists():
            parts += ["", f"{title}", *_bullets(lines)]
        return "\n".join(parts)

    def _lists(self) -> list[tuple[str, list[str]]]:
        lists = [("What it computes", self.sentences), ("Notes", self.notes)]
        return [(title, lines) for title, lines in lists if lines]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def items(lines: Iterable[str]) -> str:
            return "".join(f"<li>{html.escape(line)}</li>" for line in lines)

        page = f"<p><strong>{html.escape(self.verdict)}</strong></p>"
        if self.problems:
            page += f"<ul>{items(map(str, self.problems))}</ul>"
        for title, lines in self._lists():
            page += f"<p>{title}</p><ul>{items(lines)}</ul>"
        return f'<div class="attncheck-report">{page}</div>'


def _bullets(lines: Iterable[str]) -> list[str]:
    from textwrap import wrap

    wrapped: list[str] = []
    for line in lines:
        wrapped += wrap(
            line, WIDTH, initial_indent="  • ", subsequent_indent="    "
        ) or [""]
    return wrapped


def _short(x: Any) -> str:
    """Print a number with four digits, a list with its first few numbers."""
    if isinstance(x, float | np.floating):
        return f"{float(x):.4g}"
    if isinstance(x, np.ndarray | list | tuple):
        shown = [_short(y) for y in list(x)[:8]]
        return " ".join(shown) + (" …" if len(x) > 8 else "")
    return str(x)


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {str(name): _plain(y) for name, y in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(y) for y in x]
    if isinstance(x, np.ndarray):
        return _plain(x.tolist())
    if isinstance(x, np.generic):
        return _plain(x.item())
    if isinstance(x, float) and not np.isfinite(x):
        return str(x)
    return x
