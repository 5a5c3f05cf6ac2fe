"""Grade a folder: every file run again, a few at a time; then who, what and where."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from attncourse.practice.catalogue import EXERCISES
from attncourse.teach.asked import drawn
from attncourse.teach.handed_in import Answer, HandedIn, UnreadableError, read
from attncourse.teach.likeness import Pair, near_copies
from attncourse.teach.regrade import Graded, Limits, Run, regrade

TENTH = 0.1
# "Ada Lovelace_5123_assignsubmission_file_": Moodle's name for a student's folder.
MOODLE = re.compile(r"_\d+_assignsubmission_.*$")


@dataclass
class File:
    """One file, graded; `problem` says why where it could not be read."""

    name: str
    handed_in: HandedIn | None = None
    folder: str = ""
    run: Run = field(default_factory=lambda: Run([]))
    problem: str = ""

    @property
    def student(self) -> str:
        """Whose folder it lies in, or else who says to have written it."""
        if self.folder:
            return MOODLE.sub("", self.folder)
        return self.handed_in.student if self.handed_in else Path(self.name).stem

    @property
    def answers(self) -> tuple[Answer, ...]:
        """What it holds; nothing where it could not be read."""
        return self.handed_in.answers if self.handed_in else ()

    def best(self, exercise: str) -> Graded | None:
        """Return the answer that counts: of several, a right one."""
        own = [one for one in self.run.graded if one.answer.exercise == exercise]
        return min(own, key=lambda one: one.state != "right", default=None)

    def score(self, exercises: list[str]) -> int:
        """Count the exercises that were answered right: a point each."""
        best = [self.best(name) for name in exercises]
        return sum(one is not None and one.state == "right" for one in best)


@dataclass
class Class:
    """A folder of files, graded."""

    files: list[File]
    exercises: list[str]
    pairs: list[Pair]

    def mistakes(self) -> dict[str, Counter]:
        """Count, for each exercise, the files in which each mistake was made."""
        found: dict[str, Counter] = defaultdict(Counter)
        for file in self.files:
            for name in self.exercises:
                one = file.best(name)
                if one and one.state not in ("right", "open"):
                    codes = {code for code, _ in one.findings}
                    found[name].update(codes)
        return found

    def stuck(self) -> dict[str, list[str]]:
        """Name, for each exercise, who has written something and has it not right."""
        return {
            name: [
                file.student
                for file in self.files
                if (one := file.best(name)) and one.state not in ("right", "open")
            ]
            for name in self.exercises
        }

    def twice(self) -> list[str]:
        """Name the students of whom there are several files."""
        count = Counter(file.student for file in self.files if file.handed_in)
        return [student for student, n in count.items() if n > 1]


def grade(
    folder: Path,
    exercises: list[str] | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
) -> Class:
    """Grade every file of a folder.

    Parameters
    ----------
    folder : Path
        Holds files, or a folder for each student, as Moodle gives them.
    exercises : list of str, optional
        What counts. Without it, what at least a tenth of the files answer.
    limits : Limits, optional
    workers : int, optional
        How many files at a time; as many as there are processors.
    """
    files = list(_files(folder))
    asked = drawn(one.exercise for file in files for one in file.answers)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        runs = pool.map(lambda file: regrade(file.answers, limits, asked), files)
        for file, run in zip(files, runs, strict=True):
            file.run = run
    answers = [
        (one.answer.exercise, file.name, one.answer.source)
        for file in files
        for one in file.run.graded
    ]
    return Class(files, exercises or _usual(files), near_copies(answers))


def _files(folder: Path) -> Iterator[File]:
    """Read every file, and those in the folder of each student."""
    for path in _shown(folder):
        if path.is_symlink() or not path.is_dir():
            yield _read(path)
        elif own := _shown(path):
            yield from (_read(one, path.name) for one in own)
        else:
            yield File(path.name, folder=path.name, problem="an empty folder")


def _shown(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if not p.name.startswith((".", "__")))


def _read(path: Path, folder: str = "") -> File:
    name = f"{folder}/{path.name}" if folder else path.name
    try:
        return File(name, read(path), folder)
    except (UnreadableError, OSError) as error:
        return File(name, folder=folder, problem=str(error))


def _usual(files: list[File]) -> list[str]:
    """Return the exercises that enough files answer, in the order of the lessons."""
    count = Counter(
        name
        for file in files
        for name in {one.answer.exercise for one in file.run.graded}
    )
    return [name for name in EXERCISES if count[name] > TENTH * len(files)]
