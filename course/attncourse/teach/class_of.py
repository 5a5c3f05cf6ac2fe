"""Grade a folder: every file run again, a few at a time; then who, what and where."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from attncourse.practice.catalogue import EXERCISES
from attncourse.teach.grade import drawn
from attncourse.teach.handed_in import Answer, HandedIn, UnreadableError, read
from attncourse.teach.likeness import Pair, near_copies
from attncourse.teach.regrade import Graded, Limits, Run, regrade
from attncourse.teach.roster import Roster, Student, in_words, late_by

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
    listed: Student | None = None
    late_by: str = ""

    @property
    def student(self) -> str:
        """Who it is in the class list; or whose folder it lies in, or who says so."""
        return self.listed.id if self.listed else self.named

    @property
    def named(self) -> str:
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

    def is_right(self, exercise: str) -> bool:
        """Tell whether an exercise was answered right."""
        best = self.best(exercise)
        return best is not None and best.state == "right"

    def score(self, weights: Mapping[str, float]) -> float:
        """Add the points of the exercises that were answered right."""
        return sum(points for name, points in weights.items() if self.is_right(name))


@dataclass
class Class:
    """A folder of files, graded.

    `weights` are the points of each exercise that counts; `missing`, of a class list,
    those of whom there is no file.
    """

    files: list[File]
    weights: dict[str, float]
    pairs: list[Pair]
    missing: list[Student] = field(default_factory=list)
    listed: bool = False
    deadline: datetime | None = None

    @property
    def exercises(self) -> list[str]:
        """What counts, in order."""
        return list(self.weights)

    @property
    def has_names(self) -> bool:
        """Whether the class list has a name for somebody who is told of."""
        students = [*self.missing, *(one.listed for one in self.files)]
        return any(one.name for one in students if one)

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
    weights: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    workers: int | None = None,
    roster: Roster | None = None,
    deadline: datetime | None = None,
) -> Class:
    """Grade every file of a folder.

    Parameters
    ----------
    folder : Path
        Holds files, or a folder for each student, as Moodle gives them.
    weights : dict of str to float, optional
        What counts, with its points. Without it, what at least a tenth of the files
        answer, a point each.
    limits : Limits, optional
    workers : int, optional
        How many files at a time; as many as there are processors.
    roster : Roster, optional
        Who is in the class.
    deadline : datetime, optional
        What was saved after it is marked as late, by the time that its file states.
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
    counts = dict(weights or dict.fromkeys(_usual(files), 1.0))
    missing = _enlist(files, roster) if roster else []
    for file in files:
        if late := late_by(deadline, file.handed_in.saved_at if file.handed_in else ""):
            file.late_by = in_words(late)
    pairs = near_copies(answers)
    return Class(files, counts, pairs, missing, roster is not None, deadline)


def _enlist(files: list[File], roster: Roster) -> list[Student]:
    """Find each file's student in the class list; return who is left."""
    for file in files:
        file.listed = roster.find(file.named)
    return roster.missing([file.listed for file in files])


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
