"""What was found, on one page of plain words; as HTML and as JSON too."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from attncheck.plain import as_plain, bullets, short

FACTS = (
    *("scale", "scale_name", "softcap", "alignment", "window", "normalized", "mask"),
    *("grouping", "position", "empty_row", "large_scores", "layout"),
)


def lowered(sentence: str) -> str:
    """Return a sentence as it goes on after other words."""
    return sentence[:1].lower() + sentence[1:]


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
        shown = ", ".join(f"{name} {short(x)}" for name, x in self.numbers.items())
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
    but : list of str
        What the verdict adds to "nothing wrong was found": true, and worth a look.
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
    but: list[str] = field(default_factory=list)

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
        added = f", but {'; '.join(self.but)}" if self.but else ""
        return f"{self.subject}: nothing wrong was found{added}."

    def add(self, code: str, sentence: str, **numbers: Any) -> None:
        """Add a problem; each code comes once."""
        if code not in {problem.code for problem in self.problems}:
            self.problems.append(Problem(code, sentence, numbers))

    def tells_of(self, topic: str) -> bool:
        """Say whether a problem's code begins so: "mask" is there with "mask-leaks"."""
        return any(problem.code.startswith(topic) for problem in self.problems)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, for JSON."""
        whole = {"verdict": self.verdict, "status": self.status, **asdict(self)}
        plain: dict[str, Any] = as_plain(whole)
        return plain

    def to_json(self, **options: Any) -> str:
        """Return all of it as JSON; options are those of json.dumps."""
        return json.dumps(self.as_dict(), **{"ensure_ascii": False, **options})

    def __str__(self) -> str:
        parts = [self.verdict]
        if self.problems:
            parts += ["", *bullets(map(str, self.problems))]
            if self.unexplained:
                parts += ["", *bullets([self.unexplained])]
        for title, lines in self._lists():
            parts += ["", f"{title}", *bullets(lines)]
        return "\n".join(parts)

    def _lists(self) -> list[tuple[str, list[str]]]:
        notes = self.notes
        if self.status:  # else the first line says it
            said = (f"{line[:1].upper()}{line[1:]}" for line in self.but)
            said = (line.replace("the facts below", "the facts above") for line in said)
            own = (*notes, *self.sentences)
            more = [x for x in said if not any(line.startswith(x) for line in own)]
            notes = [*(f"{line}." for line in more), *notes]
        most = self.details.get("facts_of_tokens")
        few = f", with {most} tokens" if most else ""
        lists = [(f"What it computes{few}", self.sentences), ("Notes", notes)]
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
