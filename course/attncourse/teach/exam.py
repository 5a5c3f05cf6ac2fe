"""Exam sheets and their worked key: ``python -m attncourse.teach.exam --students 30``.

Writes exam.html, a sheet for each student with numbers of their own, to be printed, and
exam_key.html, every sheet worked with its marks. Both come from a seed, a large random
number, which is printed for you and stands in neither. With ``--seed`` it gives the
same sheets again. Anybody who has the seed has the key, and a small one can be guessed:
keep it secret.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from attncourse.teach import seeds, sheets
from attncourse.teach.handed_in import counted
from attncourse.teach.problems import Problem, sheet

MOST = 2000


def exams(seed: int, students: int) -> list[list[Problem]]:
    """Draw sheets that all differ; a student's does not depend on how many there are.

    Parameters
    ----------
    seed : int
    students : int
    """
    drawn, seen = [], set()
    for i in range(students):
        rng = np.random.default_rng([seed, i])
        while (own := _printed(one := sheet(rng))) in seen:
            continue
        seen.add(own)
        drawn.append(one)
    return drawn


def _printed(problems: list[Problem]) -> str:
    return json.dumps([one.given for one in problems])


def main(arguments: list[str] | None = None) -> int:
    """Draw, write; return an exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m attncourse.teach.exam", description=__doc__
    )
    parser.add_argument("--seed", type=int, help="a large secret whole number")
    parser.add_argument("--students", type=int, default=1, help="how many sheets")
    parser.add_argument("--to", type=Path, default=Path("."), help="where to write")
    given = parser.parse_args(arguments)
    given.seed = seeds.seed_or_new(given.seed)
    if given.seed < 0 or not 1 <= given.students <= MOST:
        parser.error(
            f"expected a seed from 0 and 1 to {MOST} students; got seed {given.seed} "
            f"and {given.students} students"
        )
    drawn = exams(given.seed, given.students)
    title = f"Attention, worked out · exam {seeds.digest(given.seed)}"
    names = [f"{title} · sheet {i}" for i in range(1, len(drawn) + 1)]
    pages = {
        "exam.html": map(sheets.questions, names, drawn),
        "exam_key.html": [
            f"<h1>{title} · key</h1><p>{sheets.RULES}</p>",
            *map(sheets.key, names, drawn),
        ],
    }
    given.to.mkdir(parents=True, exist_ok=True)
    for name, parts in pages.items():
        text = sheets.page(title, parts)
        (given.to / name).write_text(text, encoding="utf-8")
    to = ", ".join(str(given.to / name) for name in pages)
    print(f"{counted(len(drawn), 'sheet')}: {to}")
    print(seeds.told(given.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
