"""Grade what was handed in: ``python -m attncourse.teach.grade FOLDER``.

Runs every answer again, each file in a shut-in process, and writes grades.csv and
grades.html. Stored verdicts are not believed. Needs Linux (there the walls are the
kernel's) or macOS; on Windows, run it in WSL.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.practice.catalogue import EXERCISES, named
from attncourse.teach.roster import (
    RefusedError,
    read_deadline,
    read_roster,
    read_weights,
)
from attncourse.teach.worker import encoded
from named_mistakes.exercise import Case

# Inputs to judge answers by: drawn once for a class, before any answer runs.


@dataclass(frozen=True)
class Asked:
    """The inputs of one exercise, and the same as they are sent: as JSON holds them."""

    cases: tuple[Case, ...]
    sent: list[dict[str, Any]]


def drawn(names: Iterable[str]) -> dict[str, Asked]:
    """Draw inputs for exercises, from a seed that nobody knows.

    Whoever grades in several threads draws here, before the first of them begins: what
    is sent to an answer and what it is judged by are then one thing.

    Parameters
    ----------
    names : iterable of str
        What is no exercise gets no inputs.
    """
    rng = np.random.default_rng()
    return {
        name: _asked(tuple(named(name).draw(rng)))
        for name in dict.fromkeys(names)
        if name in EXERCISES
    }


def _asked(cases: tuple[Case, ...]) -> Asked:
    sent = [
        {
            "label": case.label,
            "is_large": case.is_large,
            "inputs": {k: encoded(x) for k, x in case.inputs.items()},
        }
        for case in cases
    ]
    return Asked(cases, sent)


def main(arguments: list[str] | None = None) -> int:
    """Grade a folder, write the table and the page; return an exit status."""
    given = _parser().parse_args(arguments)
    if sys.platform == "win32":
        return _fail("grade: answers can be shut in on Linux and macOS only; use WSL")
    if not given.folder.is_dir():
        return _fail(f"grade: expected a folder of files, found {given.folder}")
    try:
        rules = {
            "weights": read_weights(given.exercises),
            "roster": read_roster(given.class_list) if given.class_list else None,
            "deadline": read_deadline(given.deadline) if given.deadline else None,
        }
    except RefusedError as error:
        return _fail(f"grade: {error}")
    return _grade(given, rules)


def _grade(given: argparse.Namespace, rules: dict[str, Any]) -> int:
    from attncourse.teach.class_of import grade
    from attncourse.teach.feedback import write_feedback
    from attncourse.teach.handed_in import counted
    from attncourse.teach.regrade import Limits
    from attncourse.teach.tables import as_csv, as_page

    began = time.perf_counter()
    limits = Limits(given.seconds, memory=given.memory * 2**20)
    graded = grade(given.folder, limits=limits, workers=given.workers, **rules)
    if not graded.files:
        return _fail(f"grade: {given.folder} holds no files")
    given.to.mkdir(parents=True, exist_ok=True)
    for name, text in (("csv", as_csv(graded)), ("html", as_page(graded))):
        (given.to / f"grades.{name}").write_text(text, encoding="utf-8")
    for file in graded.files:
        if file.problem:
            print(f"{file.name}: {file.problem}", file=sys.stderr)
    if graded.missing:
        names = ", ".join(one.id for one in graded.missing)
        print(f"nothing handed in by {len(graded.missing)}: {names}", file=sys.stderr)
    if given.feedback:
        folder = given.to / "feedback"
        n = write_feedback(graded, folder)
        print(f"{counted(n, 'page')} of feedback: {folder}")
        if (older := len([*folder.rglob("*.html")]) - n) > 0:
            print(f"{counted(older, 'page')} there of an earlier run", file=sys.stderr)
    seconds = time.perf_counter() - began
    print(
        f"{counted(len(graded.files), 'file')}, "
        f"{counted(len(graded.exercises), 'exercise')}, "
        f"{seconds:.0f} s: {given.to / 'grades.csv'}, {given.to / 'grades.html'}"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attncourse.teach.grade", description=__doc__
    )
    parser.add_argument(
        "folder", type=Path, help="the files, or a folder for each student"
    )
    parser.add_argument(
        "--to", type=Path, default=Path("."), help="where to write (default: here)"
    )
    parser.add_argument(
        "--exercises",
        default="",
        help="what counts, with commas and points, as softmax=2,attention "
        "(default: what a tenth of the files answer, a point each)",
    )
    parser.add_argument(
        "--class",
        dest="class_list",
        type=Path,
        metavar="TABLE",
        help="a table (CSV) with a column student_id, and name, of who is in the class",
    )
    parser.add_argument(
        "--deadline",
        help="as 2026-11-02 or 2026-11-02T18:00+01:00: what was saved later, as the "
        "file says, is marked, and counts",
    )
    parser.add_argument(
        "--feedback", action="store_true", help="write a page for each student, too"
    )
    parser.add_argument(
        "--seconds", type=int, default=20, help="for each file, beside 2 an answer"
    )
    parser.add_argument(
        "--memory", type=int, default=1024, help="for each file, in MiB (default 1024)"
    )
    parser.add_argument("--workers", type=int, help="how many files at a time")
    return parser


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
