"""Sheets to print: questions, a page break after each student, and the key."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from attncourse.teach.problems import Problem

STYLE = Path(__file__).with_name("sheet.css")
RULES = (
    "Marks stand beside each step. A slip costs its step alone: what follows counts if "
    "it is right for what was written before. A right result without working gets all "
    "marks in 1 to 3 and 5; a bare letter in 4 gets 3 of its 4."
)


def page(title: str, parts: Iterable[str]) -> str:
    """Return an HTML document, with its style inside."""
    style = STYLE.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style}</style></head>\n"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def questions(title: str, problems: list[Problem]) -> str:
    """Return one student's sheet."""
    total = sum(one.marks for one in problems)
    head = (
        f"<header><h1>{title}</h1><p>Name <span></span></p>"
        f"<p>{len(problems)} questions, {total} marks. Pencil and paper.</p></header>"
    )
    asked = "".join(
        f"<li><div>{one.asked}{_choices(one)}</div>"
        f'<p class="marks">{one.marks} marks</p><div class="room"></div></li>'
        for one in problems
    )
    return f'<section class="sheet">{head}<ol>{asked}</ol></section>'


def _choices(problem: Problem) -> str:
    rows = "".join(f"<li>{words}</li>" for _, words in problem.choices)
    return f'<ol class="choices">{rows}</ol>' if rows else ""


def key(title: str, problems: list[Problem]) -> str:
    """Return the worked key of one sheet, with its marks."""
    rows = "".join(
        "<li>"
        + "".join(
            f"<div>{step} <b class='marks'>{marks}</b></div>"
            for marks, step in one.working
        )
        + "</li>"
        for one in problems
    )
    return f'<section class="key"><h2>{title}</h2><ol>{rows}</ol></section>'
