"""The roster of a class: who is in it, what counts how much, and until when.

Whatever is not as expected is refused with a sentence: a mark that is wrong because of
a slip in a list is worse than none.
"""

import csv
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from attncourse.practice.catalogue import EXERCISES

IDS = ("student_id", "id number", "id")
NAMES = ("name", "full name")
LARGEST = 1_000_000  # bytes of a list


class RefusedError(ValueError):
    """What was said cannot be meant; the message says what was expected."""


@dataclass(frozen=True)
class Student:
    """One who is in the class list; files go by the id, or by the name."""

    id: str
    name: str = ""


class Roster:
    """A class list, and who in it a file belongs to."""

    def __init__(self, students: list[Student]) -> None:
        self.students = students
        names = [_plain(one.name) for one in students]
        self._found = {
            _plain(one.name): one
            for one in students
            if one.name and names.count(_plain(one.name)) == 1
        } | {_plain(one.id): one for one in students}

    def find(self, student: str) -> Student | None:
        """Return whom a file names, whatever its case and spaces."""
        return self._found.get(_plain(student))

    def missing(self, found: list[Student | None]) -> list[Student]:
        """Return who is in the list and not among those found, in its order."""
        return [one for one in self.students if one not in found]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def read_roster(path: Path) -> Roster:
    """Read a class list: a table with a column student_id, and name if there is one.

    Commas or semicolons stand between its columns; *ID number* and *Full name*, as
    Moodle writes them, are understood.

    Raises
    ------
    RefusedError
        With the line, where one is to blame.
    """
    rows = _rows(path)
    head = [_plain(x) for x in rows[0]] if rows else []
    where, named = _column(head, IDS), _column(head, NAMES)
    if where is None:
        raise RefusedError(
            f"{path}: expected a column student_id in its first line; found "
            + (", ".join(rows[0]) if rows else "nothing")
        )
    students: dict[str, Student] = {}
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        own = row[where].strip() if where < len(row) else ""
        if not own:
            raise RefusedError(f"{path}, line {line}: expected a student_id")
        if _plain(own) in students:
            raise RefusedError(f"{path}, line {line}: {own} stands there twice")
        name = row[named].strip() if named is not None and named < len(row) else ""
        students[_plain(own)] = Student(own, name)
    if not students:
        raise RefusedError(f"{path}: expected students below its first line")
    return Roster(list(students.values()))


def _rows(path: Path) -> list[list[str]]:
    try:
        if path.stat().st_size > LARGEST:
            raise RefusedError(f"{path}: expected a table of at most {LARGEST:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedError(f"{path}: expected text in UTF-8") from None
    except OSError as error:
        raise RefusedError(
            f"{path}: {(error.strerror or 'unreadable').lower()}"
        ) from None
    first = text.partition("\n")[0]
    between = ";" if first.count(";") > first.count(",") else ","
    return list(csv.reader(text.splitlines(), delimiter=between))


def _column(head: list[str], names: tuple[str, ...]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def read_weights(text: str) -> dict[str, float]:
    """Read what counts, and how much: ``softmax=2,attention``; a point without a word.

    Raises
    ------
    RefusedError
    """
    weights: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, is_weighted, weight = map(str.strip, part.partition("="))
        if name not in EXERCISES:
            raise RefusedError(
                f"no exercise is called {name}; there are: {', '.join(EXERCISES)}"
            )
        if name in weights:
            raise RefusedError(f"{name} stands in --exercises twice")
        weights[name] = _weight(name, weight) if is_weighted else 1.0
    return weights


def _weight(name: str, text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise RefusedError(
            f"expected points above 0 for {name}, as {name}=2; got {text!r}"
        )
    return weight


def read_deadline(text: str) -> datetime:
    """Read a time; of a day alone its end, and this machine's zone where none is said.

    Raises
    ------
    RefusedError
    """
    try:
        found = datetime.fromisoformat(text)
        if len(text) == len("2026-11-02"):
            found += timedelta(days=1)
        return found.astimezone()
    except (ValueError, OverflowError):
        raise RefusedError(
            f"expected a deadline as 2026-11-02 or 2026-11-02T18:00; got {text!r}"
        ) from None


def late_by(deadline: datetime | None, saved_at: str) -> timedelta | None:
    """Return by how much a file is late; nothing where it is not, or says no time."""
    try:
        saved = datetime.fromisoformat(saved_at)
    except ValueError:
        return None
    if deadline is None or saved.tzinfo is None or saved <= deadline:
        return None
    return saved - deadline


def in_words(late: timedelta) -> str:
    """Say how late: "2 d 3 h", "10 min"."""
    minutes = math.ceil(late.total_seconds() / 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"
