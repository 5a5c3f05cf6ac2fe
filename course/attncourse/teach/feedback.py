"""A page for each student: points, and what was said of each answer.

It holds nothing of anybody else. In a folder for each student, as Moodle gives them,
the page goes into a folder of the same name: zipped, Moodle takes them as feedback.
"""

import html
import re
from collections import defaultdict
from itertools import count
from pathlib import Path

from attncourse.teach.class_of import Class, File
from attncourse.teach.regrade import Graded
from attncourse.teach.roster import Student
from attncourse.teach.tables import page_of

STATES = {
    "right": "right",
    "wrong": "not yet",
    "open": "nothing written",
    "stopped": "stopped",
    "forged": "not as the file says",
    "unknown": "no such exercise",
    "not run": "not run",
}


def write_feedback(graded: Class, folder: Path) -> int:
    """Write a page for each student below a folder; return how many."""
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in graded.files:
        pages[file.folder, file.student].append(_about(graded, file))
    for one in graded.missing:
        pages["", one.id].append(_nothing_of(one))
    taken: set[str] = set()
    for (own_folder, student), parts in pages.items():
        path = folder / _place(own_folder, student, taken)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page_of("Feedback", parts), encoding="utf-8")
    return len(pages)


def _place(folder: str, student: str, taken: set[str]) -> Path:
    """Return where a student's page goes: out of no folder, and over no other page."""
    if folder:
        return Path(folder) / "feedback.html"
    plain = name = re.sub(r"[^\w.@ -]", "_", student).strip(". ") or "_"
    for i in count(2):
        if name.casefold() not in taken:
            break
        name = f"{plain}-{i}"
    taken.add(name.casefold())
    return Path(f"{name}.html")


def _nothing_of(student: Student) -> str:
    return f"<h2>{html.escape(student.id)}</h2><p>Nothing was handed in.</p>"


def _about(graded: Class, file: File) -> str:
    score, most = file.score(graded.weights), sum(graded.weights.values())
    late = f"Handed in late, by {file.late_by}. " if file.late_by else ""
    points = f"<b>{score:g} of {most:g} points.</b>"
    parts = [
        f"<h2>{html.escape(file.student)}</h2>",
        f"<p>{points} {late}{html.escape(file.problem)}</p>",
        *(_exercise(name, file.best(name), graded) for name in graded.weights),
    ]
    return "\n".join(parts)


def _exercise(name: str, best: Graded | None, graded: Class) -> str:
    state = best.state if best else "open"
    said = (
        "".join(f"<li>{html.escape(x)}</li>" for _, x in best.findings if x)
        if best
        else ""
    )
    return (
        f'<h3><code>{name}</code>: <span class="{state}">{STATES[state]}</span> '
        f"({graded.weights[name]:g})</h3>" + (f"<ul>{said}</ul>" if said else "")
    )
