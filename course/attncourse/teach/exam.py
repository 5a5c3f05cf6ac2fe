"""Exam sheets and their worked key: ``python -m attncourse.teach.exam --students 30``.

Writes exam.html, a sheet for each student with numbers of their own, to be printed, and
exam_key.html, every sheet worked with its marks. Both come from a seed, a large random
number, which is printed for you and stands in neither. With ``--seed`` it gives the
same sheets again. Anybody who has the seed has the key, and a small one can be guessed:
keep it secret. With ``--topics softmax,configuration`` there are only these questions;
with ``--pdf`` a Chromium or Chrome of this machine prints both pages.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from attncourse.teach import paper, seeds, sheets
from attncourse.teach.handed_in import counted
from attncourse.teach.problems import BY_NAME, Problem, sheet

MOST = 2000
TRIES = 1000


def exams(seed: int, students: int, kinds: tuple[str, ...] = ()) -> list[list[Problem]]:
    """Draw sheets that all differ; a student's does not depend on how many there are.

    Parameters
    ----------
    seed : int
    students : int
    kinds : tuple of str
        Which questions; all if none is named.
    """
    drawn, seen = [], set()
    for i in range(students):
        rng = np.random.default_rng([seed, i])
        for _ in range(TRIES):
            if (own := _printed(one := sheet(rng, kinds=kinds))) not in seen:
                break
        else:
            raise ValueError(
                f"there are not {students} different sheets of {', '.join(kinds)}: "
                f"after {i}, {TRIES} draws gave none that is new"
            )
        seen.add(own)
        drawn.append(one)
    return drawn


def _printed(problems: list[Problem]) -> str:
    return json.dumps([one.given for one in problems])


def main(arguments: list[str] | None = None) -> int:
    """Draw, write, print; return an exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    topics = tuple(x.strip() for x in given.topics.split(",") if x.strip())
    if unknown := [name for name in topics if name not in BY_NAME]:
        there = ", ".join(BY_NAME)
        parser.error(f"no question is called {', '.join(unknown)}; there are: {there}")
    given.seed = seeds.seed_or_new(given.seed)
    if given.seed < 0 or not 1 <= given.students <= MOST:
        parser.error(
            f"expected a seed from 0 and 1 to {MOST} students; got seed {given.seed} "
            f"and {given.students} students"
        )
    try:
        drawn = exams(given.seed, given.students, topics)
    except ValueError as error:
        parser.error(str(error))
    pages = _write(drawn, given.seed, given.to)
    problem = ""
    if given.pdf:
        try:
            pages += paper.print_pages(pages)
        except paper.NotPrintedError as error:
            problem = f"exam: {error}"
    print(f"{counted(len(drawn), 'sheet')}: {', '.join(map(str, pages))}")
    print(seeds.told(given.seed))
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attncourse.teach.exam", description=__doc__
    )
    parser.add_argument("--seed", type=int, help="a large secret whole number")
    parser.add_argument("--students", type=int, default=1, help="how many sheets")
    parser.add_argument("--to", type=Path, default=Path("."), help="where to write")
    names = ", ".join(BY_NAME)
    parser.add_argument(
        "--topics", default="", help=f"which questions, with commas: {names}"
    )
    parser.add_argument("--pdf", action="store_true", help="print both pages, too")
    return parser


def _write(drawn: list[list[Problem]], seed: int, to: Path) -> list[Path]:
    """Write the sheets, and their key; return both files."""
    title = f"Attention, worked out · exam {seeds.digest(seed)}"
    names = [f"{title} · sheet {i}" for i in range(1, len(drawn) + 1)]
    pages = {
        "exam.html": map(sheets.questions, names, drawn),
        "exam_key.html": [
            f"<h1>{title} · key</h1><p>{sheets.RULES}</p>",
            *map(sheets.key, names, drawn),
        ],
    }
    to.mkdir(parents=True, exist_ok=True)
    for name, parts in pages.items():
        text = sheets.page(title, parts)
        (to / name).write_text(text, encoding="utf-8")
    return [to / name for name in pages]


if __name__ == "__main__":
    sys.exit(main())
