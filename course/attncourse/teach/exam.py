"""Exam sheets and their worked key: ``python -m attncourse.teach.exam --students 30``.

Writes exam.html, a sheet for each student with numbers of their own, to be printed, and
exam_key.html, every sheet worked with its marks. Both come from a seed, a large random
number, which is printed for you and stands in neither. With ``--seed`` it gives the
same sheets again. Anybody who has the seed has the key, and a small one can be guessed:
keep it secret. With ``--topics softmax,configuration`` there are only these questions;
with ``--pdf`` a Chromium or Chrome of this machine prints both pages.
"""

import argparse
import hashlib
import json
import secrets
import sys
from pathlib import Path

import numpy as np

from attncourse.teach import paper
from attncourse.teach.handed_in import counted
from attncourse.teach.problems import BY_NAME, Problem, sheet

# The seed that sheets are drawn from: secret, since whoever has it has the key.

BITS = 64  # of a seed that is drawn here
GUESSED = 2**32  # below this, trying them all takes no time


def seed_or_new(seed: int | None) -> int:
    """Return a seed, or a new one that nobody can guess."""
    return secrets.randbits(BITS) if seed is None else seed


def digest(seed: int) -> str:
    """Return what heads the sheets: it tells exams apart, and does not tell the seed.

    Examples
    --------
    >>> digest(2**61) == digest(2**61)
    True
    >>> len(digest(2**61))
    8
    """
    return hashlib.sha256(f"attncourse {seed}".encode()).hexdigest()[:8]


def told(seed: int) -> str:
    """Return what the teacher reads in the terminal, and nobody on a sheet."""
    how = "is short enough to be guessed" if seed < GUESSED else "is yours to keep"
    return (
        f"The seed {seed} stands on no sheet and {how}: whoever has it has the key. "
        f"It gives these sheets again; they are headed {digest(seed)}."
    )


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
    given.seed = seed_or_new(given.seed)
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
    print(told(given.seed))
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
    title = f"Attention, worked out · exam {digest(seed)}"
    names = [f"{title} · sheet {i}" for i in range(1, len(drawn) + 1)]
    pages = {
        "exam.html": map(paper.questions, names, drawn),
        "exam_key.html": [
            f"<h1>{title} · key</h1><p>{paper.RULES}</p>",
            *map(paper.key, names, drawn),
        ],
    }
    return paper.write(pages, title, to)


if __name__ == "__main__":
    sys.exit(main())
